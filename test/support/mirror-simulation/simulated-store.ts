// A store in memory that has what a mirror uses of one, for a million steps: what a write has done is undone when it
// fails, and it fails when a simulation wants it to.
import type { JsonObject } from '../../../src/base/strict-json.ts'
import { NEW_DOCUMENT } from '../../../src/mirror/document-state.ts'
import type { AskedDocument } from '../../../src/mirror/source/source-pages.ts'
import type { CopiedKind, CopiedRecord, PutOutcome } from '../../../src/records/kinds/copied-records.ts'
import type { RecordKey } from '../../../src/records/shared/record-type.ts'
import type { Store, Tx } from '../../../src/store/store.ts'

/** Sources of the simulation answer few records at once. */
const LEAST_BOUND = 6

/** The process has ended. */
export class Crash extends Error {}

interface Entry {
  readonly entity: string
  readonly key: string
  readonly isAsked: boolean
}

type Later = (() => void)[]
type Statement = { readonly name: string }
type Values = Record<string, string | number>

export class SimulatedStore {
  readonly recordsAtOnce = 5
  /** The lease of the process that fills the company. */
  leaseNo = 1
  /** The records by document and key. */
  records = new Map<string, JsonObject>()
  journal: Entry[] = []
  states = new Map<string, string>()
  /** Called before each commit; throws when the process ends there. */
  beforeCommit = () => {}
  /** Called after each, too late for it. */
  afterCommit = () => {}

  get store(): Store {
    return this as unknown as Store
  }

  reading(companyId: string) {
    return { companyId, first: this.#first, all: this.#all }
  }

  readonly #first = async ({ name }: Statement, { leaseNo }: Values = {}) => {
    if (name === 'read_change_number') return { last_entry: this.journal.length }
    if (name === 'find_mirror_document_lease') return leaseNo === this.leaseNo ? { lease_no: leaseNo } : undefined
    throw new Error(`the simulation does not know ${name}`)
  }

  readonly #all = async ({ name }: Statement, { entity, since }: Values) => {
    if (name !== 'list_records_asked_since') throw new Error(`the simulation does not know ${name}`)
    const entries = this.journal.slice(Number(since)).filter((one) => one.isAsked && one.entity === entity)
    return entries.map(({ key }) => ({ record_key: key }))
  }

  readonly #send = ({ name }: Statement, { document, state }: Values) => {
    if (name !== 'put_mirror_document') return
    const before = this.states.get(String(document))
    if (before && JSON.parse(String(state)).asOf < JSON.parse(before).asOf) {
      throw new Error(`${document} goes back from ${before} to ${state}`)
    }
    this.states.set(String(document), String(state))
  }

  async write<T>(companyId: string, actor: Tx['actor'], work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#transaction(async (undo, checks) => {
      const base = { ...this.reading(companyId), send: this.#send, actor, setupVersion: 1, undo, checks }
      let entryNo = this.journal.length + 1
      const txWith = (no: number): unknown => ({
        ...base,
        entryNo: no,
        nextEntry: () => txWith(++entryNo),
        entries: { chain: () => undefined },
      })
      return work(txWith(entryNo) as Tx)
    })
  }

  writeState<T>(companyId: string, _member: string, work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#transaction(() => work({ ...this.reading(companyId), send: this.#send } as unknown as Tx))
  }

  /** One write at a time, as in a company. */
  #turn: Promise<unknown> = Promise.resolve()

  #transaction<T>(work: (undo: Later, checks: Later) => Promise<T>): Promise<T> {
    const result = this.#turn.then(async () => {
      const [states, length] = [new Map(this.states), this.journal.length]
      const [undo, checks]: [Later, Later] = [[], []]
      try {
        const done = await work(undo, checks)
        // What is not committed has done no harm.
        for (const check of checks) check()
        this.beforeCommit()
        return done
      } catch (error) {
        for (const one of undo.reverse()) one()
        this.states = states
        this.journal.length = length
        throw error
      }
    })
    this.#turn = result.catch(() => {})
    return result.then((done) => {
      this.afterCommit()
      return done
    })
  }

  stateOf(document: string) {
    const state = this.states.get(document)
    return { ...NEW_DOCUMENT, bound: LEAST_BOUND, ...(state && JSON.parse(state)) }
  }

  kindOf({ name, key }: AskedDocument, watch: Watch): CopiedKind {
    const id = (record: RecordKey) => `${name} ${JSON.stringify(record.texts)}`
    const keyFrom = (texts: readonly string[]): RecordKey => ({ texts, stored: [...texts] })
    const enter = (tx: Tx, record: RecordKey) => {
      const isAsked = tx.actor.requestId !== ''
      this.journal.push({ entity: name, key: JSON.stringify(record.stored), isAsked })
    }
    const change = (tx: Tx, record: RecordKey, after: JsonObject | undefined) => {
      const before = this.records.get(id(record))
      const { undo, checks } = tx as unknown as { undo: Later; checks: Later }
      undo.push(() => this.#put(id(record), before))
      checks.push(() => {
        if (after) watch.put(name, record.texts, after, before)
        else watch.remove(name, record.texts)
      })
      this.#put(id(record), after)
      enter(tx, record)
    }
    return {
      entity: name,
      read: (row) => {
        const texts = key.map((part) => String(row[part.name] ?? ''))
        return { key: keyFrom(texts), given: row as never, stamp: undefined, misfits: [] }
      },
      keyFrom,
      put: async (tx, { key: record, given }: CopiedRecord): Promise<PutOutcome> => {
        const before = this.records.get(id(record))
        if (before && JSON.stringify(before) === JSON.stringify(given)) return 'same'
        change(tx, record, given as JsonObject)
        return before ? 'updated' : 'created'
      },
      isSame: async (_tx, { key: record, given }) =>
        JSON.stringify(this.records.get(id(record))) === JSON.stringify(given),
      has: async (_tx, record) => this.records.has(id(record)),
      changeNoOf: async () => undefined,
      listKeys: async (_tx, after, most) => {
        const all = [...this.records.keys()].filter((one) => one.startsWith(`${name} `)).sort()
        const from = after ? all.findIndex((one) => one > id(after)) : 0
        if (from < 0) return []
        return all.slice(from, from + most).map((one) => keyFrom(JSON.parse(one.slice(name.length + 1))))
      },
      remove: async (tx, record) => {
        if (!this.records.has(id(record))) return false
        change(tx, record, undefined)
        return true
      },
    }
  }

  #put(id: string, record: JsonObject | undefined): void {
    if (record) this.records.set(id, record)
    else this.records.delete(id)
  }
}

/** Told of each change before it is made; throws when it must not be. */
export interface Watch {
  put(name: string, key: readonly string[], after: JsonObject, before: JsonObject | undefined): void
  remove(name: string, key: readonly string[]): void
}
