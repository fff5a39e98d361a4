// The store of the operations of a batch: the writes that an operation starts join the transaction of its batch, and
// what it reads meanwhile is what they have done. Whoever has no part in a batch uses the store itself.
import { AsyncLocalStorage } from 'node:async_hooks'
import { invalidOption } from '../errors/catalogue.ts'
import type { Actor, JointWrite, Store, Tx } from '../store/store.ts'
import { storeOver } from '../store/store-over.ts'

interface JointWork {
  readonly companyId: string
  readonly actor: Actor
  /** Whether all of it is one unit: no collection can be read in it. */
  readonly isGroup: boolean
  /** Tells whether what was written is to stay. */
  run(): Promise<boolean>
}

interface Joint extends Pick<JointWork, 'companyId' | 'isGroup'> {
  readonly write: JointWrite
  hasWritten: boolean
}

/** Thrown to end a transaction that leaves nothing. */
const NOTHING_STAYS = new Error('nothing of the batch stays')

export class JointStore {
  readonly operations: Store
  readonly #store: Store
  readonly #joint = new AsyncLocalStorage<Joint>()

  constructor(store: Store) {
    this.#store = store
    this.operations = storeOver(store, {
      reading: (companyId) => {
        const joint = this.#joint.getStore()
        return joint?.companyId === companyId ? joint.write.reading : store.reading(companyId)
      },
      write: (companyId, actor, work) => this.#write(companyId, actor, work),
      count: (companyId, query) => {
        this.#refuseInGroup()
        return store.count(companyId, query)
      },
      collect: (companyId, query) => {
        this.#refuseInGroup()
        return store.collect(companyId, query)
      },
    })
  }

  /** Whether others wait so long for the transaction of the operation that is under way that it should end. */
  get isHoldingUpOthers(): boolean {
    return this.#joint.getStore()?.write.isHoldingUpOthers ?? false
  }

  /** Runs work whose writes are one transaction; resolves when it is durable, or when nothing of it is left. */
  async together({ companyId, actor, isGroup, run }: JointWork): Promise<void> {
    try {
      await this.#store.writeTogether(companyId, actor, async (write) => {
        const joint: Joint = { companyId, isGroup, write, hasWritten: false }
        if (!(await this.#joint.run(joint, run)) || !joint.hasWritten) throw NOTHING_STAYS
      })
    } catch (error) {
      if (error !== NOTHING_STAYS) throw error
    }
  }

  async #write<T>(companyId: string, actor: Actor, work: (tx: Tx) => Promise<T>): Promise<T> {
    const joint = this.#joint.getStore()
    if (!joint) return this.#store.write(companyId, actor, work)
    if (joint.companyId !== companyId) throw new Error(`an operation in ${joint.companyId} writes to ${companyId}`)
    const written = await joint.write.write(actor, work)
    joint.hasWritten = true
    return written
  }

  /** A long query would hold up all other writers of the company. */
  #refuseInGroup(): void {
    if (!this.#joint.getStore()?.isGroup) return
    throw invalidOption('A collection cannot be read within a group: read it before or after.')
  }
}
