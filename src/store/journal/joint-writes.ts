// Several writes of one company in one transaction, each in a savepoint: what both databases do alike.

import type { Actor, JointWrite, ReadTx, Tx } from '../store.ts'
import { withJournal } from './journal.ts'
import type { SharedState } from './shared-state.ts'

export interface JointParts {
  readonly reading: ReadTx
  readonly shared: SharedState
  /** Whether the transaction is lost with this error. */
  isFault(error: unknown): boolean
  startWrite(actor: Actor): Tx
  /** Runs `work`; its rejection rolls back what it has done. */
  inSavepoint<T>(work: () => Promise<T>): Promise<T>
  /** Absent where the writers of other companies do not wait. */
  isHoldingUpOthers?(): boolean
}

/** Runs `work` with a joint write. Throws the error by which the transaction was lost, although `work` does not. */
export async function writeJointly<T>(parts: JointParts, work: (joint: JointWrite) => Promise<T>): Promise<T> {
  const joint = new JointTransaction(parts)
  const result = await work(joint)
  joint.requireSound()
  return result
}

class JointTransaction implements JointWrite {
  readonly reading: ReadTx
  readonly #parts: JointParts
  #fault: { readonly error: unknown } | undefined

  constructor(parts: JointParts) {
    this.reading = parts.reading
    this.#parts = parts
  }

  get isHoldingUpOthers(): boolean {
    return this.#parts.isHoldingUpOthers?.() ?? false
  }

  requireSound(): void {
    if (this.#fault) throw this.#fault.error
  }

  async write<T>(actor: Actor, work: (tx: Tx) => Promise<T>): Promise<T> {
    this.requireSound()
    const { shared, isFault, startWrite, inSavepoint } = this.#parts
    const restore = shared.mark()
    try {
      return await inSavepoint(async () => withJournal(startWrite(actor), work))
    } catch (error) {
      if (isFault(error)) this.#fault = { error }
      else restore()
      throw error
    }
  }
}
