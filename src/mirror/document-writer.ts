// Writes what the source has of a document, and how far the document has come. Each write names the lease under which
// it is made, but for those that a client waits for.
import { isDeepStrictEqual } from 'node:util'
import type { JsonObject } from '../base/strict-json.ts'
import type { CopiedKind, CopiedRecord, Misfit } from '../records/kinds/copied-records.ts'
import { MIRROR_USER } from '../records/shared/master-data/source-stamp.ts'
import type { RecordKey } from '../records/shared/record-type.ts'
import { lastChangeNumber } from '../store/change-number.ts'
import { EntryNumbers, recordKey, writeEntries } from '../store/journal/journal.ts'
import type { Lease } from '../store/lease-table.ts'
import { requireLatestRules } from '../store/setup-version.ts'
import type { Actor, ReadTx, Store, Tx } from '../store/store.ts'
import type { DocumentState } from './document-state.ts'
import { listAskedSince, MIRROR_LEASES, putDocument, requireLease, setFindings } from './mirror-store.ts'
import { type LeftOut, ReadRecords } from './read-records.ts'
import type { Items } from './source/source-rows.ts'

/** The author of what a mirror writes. */
export const MIRROR: Actor = { userId: MIRROR_USER, clientId: '', requestId: '' }

export interface WriterParts {
  readonly store: Store
  readonly companyId: string
  readonly name: string
  readonly kind: CopiedKind
  /** The key as the source writes it. */
  readonly keyNames: readonly string[]
  /** The version of the rules behind `kind`. */
  readonly setupVersion: number
  /** Undefined for those who write a record that a client waits for. */
  readonly lease: Lease | undefined
  /** The request that waits for it. */
  readonly requestId?: string
}

const LOCAL_KEYS_AT_ONCE = 1_000
/** Journal entries of so many records are stored at once: those of more outlive the young generation. */
const GROUP_SIZE = 100

export interface Answered {
  readonly rows: Items<JsonObject>
  /** The parameter of the source that they were asked for with; empty: none. */
  readonly state: string
  /** The last entry of the journal before the question. */
  readonly since: number
}

export class DocumentWriter {
  state: DocumentState
  readonly #parts: WriterParts

  constructor(parts: WriterParts, state: DocumentState) {
    this.#parts = parts
    this.state = state
  }

  /** The last entry of the journal: what is written later may be newer than an answer that is asked for now. */
  async lastEntry(): Promise<number> {
    return lastChangeNumber(this.#reading)
  }

  get #reading() {
    return this.#parts.store.reading(this.#parts.companyId)
  }

  /**
   * Writes rows in their order; `reached` holds with the last of them. Returns the keys of those that were not written,
   * because a client has had them read again meanwhile.
   */
  async write(
    { rows, state, since }: Answered,
    reached: Partial<DocumentState> = {},
    signal?: AbortSignal,
  ): Promise<readonly (readonly string[])[]> {
    const outdated: (readonly string[])[] = []
    const records = ReadRecords.of({ kind: this.#parts.kind, rows, state })
    // While a document is loaded, hardly anything is here already.
    const isLoading = this.state.phase === 'loading'
    const { recordsAtOnce } = this.#parts.store
    const most = isLoading ? recordsAtOnce : Math.min(recordsAtOnce, LOCAL_KEYS_AT_ONCE)
    for (let at = 0; at < records.length; at += most) {
      signal?.throwIfAborted()
      const some = records.slice(at, at + most)
      const others = isLoading ? some : await this.#differing(some)
      if (others.length === 0) continue
      const isEnd = at + most >= records.length
      outdated.push(...(await this.#writeSome(others, since, isEnd ? reached : {})))
    }
    if (records.left.length > 0) await this.#tellLeftOut(records.left)
    await this.save(reached)
    return outdated
  }

  /** What is the same needs no write, for which others wait. */
  #differing(records: Iterable<CopiedRecord>): Promise<readonly CopiedRecord[]> {
    const tx = this.#reading
    return without([...records], (record) => this.#parts.kind.isSame(tx, record))
  }

  /** Where a record makes the write fail, the others are written without it. */
  async #writeSome(
    records: Items<CopiedRecord>,
    since: number,
    reached: Partial<DocumentState>,
  ): Promise<readonly (readonly string[])[]> {
    try {
      return await this.#writeAll(records, since, reached)
    } catch (error) {
      if (!isOfRecord(error)) throw error
      const [first] = records
      if (!first) throw error
      if (records.length > 1) {
        const half = Math.ceil(records.length / 2)
        const before = await this.#writeSome(records.slice(0, half), since, {})
        return [...before, ...(await this.#writeSome(records.slice(half), since, reached))]
      }
      const finding = { member: '', message: `It could not be written: ${(error as Error).message.slice(0, 200)}` }
      await this.#inWrite(async (tx) => {
        this.#tellMisfits(tx, first.key, [finding])
        return { reached, result: undefined }
      })
      return []
    }
  }

  #writeAll(
    records: Iterable<CopiedRecord>,
    since: number,
    reached: Partial<DocumentState>,
  ): Promise<readonly (readonly string[])[]> {
    const { kind } = this.#parts
    return this.#inWrite(async (tx, numbers) => {
      const asked = await this.#askedSince(tx, since)
      const outdated: (readonly string[])[] = []
      let [created, at] = [0, 0]
      for (const record of records) {
        if (asked.has(recordKey(record.key.stored as (string | number)[]))) {
          outdated.push(record.key.texts)
          continue
        }
        const outcome = await kind.put(numbers.current(), record)
        if (outcome !== 'same') numbers.use()
        if (outcome === 'created') created += 1
        const wasTold = outcome === 'updated' || (outcome === 'created' && this.state.phase !== 'loading')
        if (record.misfits.length > 0 || wasTold) this.#tellMisfits(tx, record.key, record.misfits)
        at += 1
        if (at % GROUP_SIZE === 0) await writeEntries(tx)
      }
      return { reached: { ...reached, rows: this.state.rows + created }, result: outdated }
    })
  }

  /** What clients have had read again since. */
  #askedSince(tx: Tx, since: number): Promise<ReadonlySet<string>> | ReadonlySet<string> {
    return tx.entryNo - 1 > since ? listAskedSince(tx, this.#parts.kind.entity, since) : new Set<string>()
  }

  /** Removes records that the source does not have; returns how many there were. */
  async remove(keys: readonly (readonly string[])[], since: number): Promise<number> {
    const { kind } = this.#parts
    const found = keys.flatMap((texts) => kind.keyFrom(texts) ?? [])
    const here = await Promise.all(found.map((key) => kind.has(this.#reading, key)))
    if (!here.includes(true)) return 0
    return this.#inWrite(async (tx, numbers) => {
      const asked = await this.#askedSince(tx, since)
      let removed = 0
      for (const key of found) {
        if (asked.has(recordKey(key.stored as (string | number)[]))) continue
        if (!(await kind.remove(numbers.current(), key))) continue
        numbers.use()
        removed += 1
        this.#tellMisfits(tx, key, [])
      }
      return { reached: { rows: this.state.rows - removed }, result: removed }
    })
  }

  #tellMisfits(tx: Tx, { stored }: RecordKey, misfits: readonly Misfit[]): void {
    setFindings(tx, this.#parts.name, stored as (string | number)[], misfits)
  }

  async #tellLeftOut(left: readonly LeftOut[]): Promise<void> {
    const { store, companyId, name, keyNames } = this.#parts
    await store.writeState(companyId, MIRROR_LEASES.member, async (tx) => {
      for (const { row, message } of left) {
        const key = keyNames.map((part) => JSON.stringify(row[part] ?? '').slice(0, 100))
        setFindings(tx, name, key, [{ member: keyNames.join(', '), message }])
      }
    })
  }

  /** How far the document has come is written by the holder of the lease alone. */
  async #inWrite<T>(
    work: (tx: Tx, numbers: EntryNumbers) => Promise<{ readonly reached: Partial<DocumentState>; readonly result: T }>,
  ): Promise<T> {
    const { store, companyId, name, lease, setupVersion, requestId } = this.#parts
    const actor = requestId === undefined ? MIRROR : { ...MIRROR, requestId }
    const { state, result } = await store.write(companyId, actor, async (tx) => {
      requireLatestRules(tx, setupVersion)
      const { reached, result: worked } = await work(tx, new EntryNumbers(tx))
      const next = { ...this.state, ...reached }
      if (lease) {
        await requireLease(tx, lease)
        putDocument(tx, name, next)
      }
      return { state: next, result: worked }
    })
    this.state = state
    return result
  }

  async save(change: Partial<DocumentState>): Promise<void> {
    const { store, companyId, name, lease } = this.#parts
    const state = { ...this.state, ...change }
    if (lease && !isDeepStrictEqual(state, this.state)) {
      await store.writeState(companyId, MIRROR_LEASES.member, async (tx) => {
        await requireLease(tx, lease)
        putDocument(tx, name, state)
      })
    }
    this.state = state
  }

  /** Those of the keys of which no record is here. */
  async missing(keys: readonly RecordKey[]): Promise<readonly (readonly string[])[]> {
    const tx = this.#reading
    const missing = await without(keys, (key) => this.#parts.kind.has(tx, key))
    return missing.map(({ texts }) => texts)
  }

  /** The keys of all records that are here, in their order. */
  keys(atOnce?: number): AsyncGenerator<readonly RecordKey[]> {
    return keysHere(this.#reading, this.#parts.kind, atOnce)
  }

  async count(): Promise<number> {
    let rows = 0
    for await (const keys of this.keys()) rows += keys.length
    return rows
  }
}

/** The keys of all records that are here, in their order. */
export async function* keysHere(
  tx: ReadTx,
  kind: CopiedKind,
  atOnce = LOCAL_KEYS_AT_ONCE,
): AsyncGenerator<readonly RecordKey[]> {
  let after: RecordKey | undefined
  for (;;) {
    const keys = await kind.listKeys(tx, after, atOnce)
    yield keys
    after = keys.at(-1)
    if (keys.length < atOnce) return
  }
}

/** Those for which the store does not say so; some are asked for at once. */
async function without<Item>(items: readonly Item[], isIt: (item: Item) => Promise<boolean>): Promise<readonly Item[]> {
  const others: Item[] = []
  for (let at = 0; at < items.length; at += LOCAL_KEYS_AT_ONCE) {
    const some = items.slice(at, at + LOCAL_KEYS_AT_ONCE)
    const are = await Promise.all(some.map(isIt))
    others.push(...some.filter((_item, index) => !are[index]))
  }
  return others
}

/** Classes 22 and 23 of SQLSTATE: what the database cannot hold. */
const DATA_STATES = /^2[23]/
/** SQLite tells with these of a value that is too large, a constraint, another type. */
const DATA_CODES: ReadonlySet<number> = new Set([18, 19, 20])

/** Whether a write failed because of what a record says, and not of the store or the setup. */
function isOfRecord(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof TypeError || error instanceof RangeError) return true
  const { code, errcode, cause } = error as Error & { readonly code?: unknown; readonly errcode?: number }
  if (typeof code === 'string' && DATA_STATES.test(code)) return true
  return DATA_CODES.has((errcode ?? 0) & 0xff) || (cause !== undefined && isOfRecord(cause))
}
