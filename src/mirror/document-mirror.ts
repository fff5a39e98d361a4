// One document of a mirror: loads it, follows its changes, looks for what was removed, and reads a single record again.
// Every page is one write, or several, each with how far the document has come then: whoever is interrupted goes on
// there.
import { isDeepStrictEqual } from 'node:util'
import { parseDateTime } from '../base/dates.ts'
import { LongNumber } from '../base/long-number.ts'
import type { JsonObject } from '../base/strict-json.ts'
import { Problem } from '../errors/problem.ts'
import type { RecordKey } from '../records/engine/record-kind.ts'
import type { CopiedKind, CopiedRecord } from '../records/kinds/copied-records.ts'
import { EntryNumbers } from '../store/journal/entry-numbers.ts'
import { writeEntries } from '../store/journal/journal.ts'
import { type Lease, LeaseLost } from '../store/lease-table.ts'
import { requireLatestRules } from '../store/setup-version.ts'
import type { Actor, Store, Tx } from '../store/store.ts'
import type { DocumentState } from './document-state.ts'
import { KeySet } from './key-set.ts'
import { type Finding, MIRROR_LEASES, putDocument, requireLease, setFindings } from './mirror-store.ts'
import { type Source, SourceFailure } from './source/source.ts'
import { type AskedDocument, countRecords, exactly, type Page, PageSize, readPage } from './source/source-pages.ts'

/** The author of what a mirror writes. */
export const MIRROR: Actor = { userId: 'mirror', clientId: '', requestId: '' }

export interface MirroredParts {
  readonly store: Store
  readonly companyId: string
  readonly source: Source
  readonly asked: AskedDocument
  readonly kind: CopiedKind
  /** Parameters of the source, of which each is asked for by itself; empty: it has none. */
  readonly states: readonly string[]
  /** Of the rules behind `kind`. */
  readonly setupVersion: number
  /** Undefined for those who write a record that a client waits for. */
  readonly lease: Lease | undefined
  readonly now: () => number
}

/** Changes are looked for from so long before the newest one: clocks differ, and transactions commit late. */
export const OVERLAP_MS = 5 * 60_000
/** A page that is not even this full was the last one. */
const SURELY_LAST = 100
/** Keys that one request asks for again. */
const CONFIRMED_AT_ONCE = 20
const KEYS_AT_ONCE = 50_000
const LOCAL_KEYS_AT_ONCE = 1_000
/** Journal entries of so many records are stored at once. */
const GROUP_SIZE = 500
const NO_STATES = ['']
/** Refused because of what was asked for. */
const REFUSED: ReadonlySet<number> = new Set([400, 404, 405, 422, 501])

export class DocumentMirror {
  state: DocumentState
  readonly #parts: MirroredParts
  readonly #size = new PageSize()
  readonly #keySize = new PageSize(KEYS_AT_ONCE)

  constructor(parts: MirroredParts, state: DocumentState) {
    this.#parts = parts
    this.state = state
  }

  get name(): string {
    return this.#parts.asked.name
  }

  /** Writes all records that the source has, from where it was interrupted. */
  async load(signal: AbortSignal): Promise<void> {
    if (this.state.newest === '') await this.#begin(signal)
    for (const state of this.#states) {
      while (this.state.places[state] !== 'end') await this.#loadPage(state, signal)
    }
    await this.#save({ phase: 'following', places: {}, sweptAt: this.state.asOf })
  }

  /** Writes what has changed since the newest change that is here. */
  async follow(signal: AbortSignal): Promise<void> {
    const { hasStamps, newest } = this.state
    if (!hasStamps) {
      await this.#compareNext(signal)
      return
    }
    const from = new Date(Date.parse(newest) - OVERLAP_MS).toISOString()
    const changed = changedSince(from)
    const began = new Date(this.#parts.now()).toISOString()
    let [date, seen] = [undefined as string | undefined, newest]
    for (const state of this.#states) {
      let after: readonly string[] | undefined
      for (;;) {
        const page = await this.#page({ state, filters: [changed], after, offset: undefined }, signal)
        date ??= page.date
        seen = newestOf(seen, page.rows)
        await this.#write(state, page.rows)
        after = this.#lastKey(page.rows) ?? after
        if (this.#isLast(page)) break
      }
    }
    await this.#save({ newest: earlierOf(seen, date, newest), asOf: began })
  }

  /**
   * Reads all keys of the source: writes those that are missing here, and removes those that are only here. A record
   * is taken for removed only when a read of its own key says so.
   */
  async sweep(signal: AbortSignal): Promise<void> {
    const began = new Date(this.#parts.now()).toISOString()
    const known = new KeySet()
    for (const state of this.#states) await this.#sweepState(state, known, signal)
    if (known.size > 0) await this.#removeAllBut(known, signal)
    else if (this.state.rows > 0) throw new SourceFailure(403, `${this.name}: the source shows no record any more`)
    await this.#save({ sweptAt: began, sourceRows: known.size })
  }

  /** Whether the source counts other records than are here. */
  async isMiscounted(signal: AbortSignal): Promise<boolean> {
    let rows = 0
    for (const state of this.#states) {
      const counted = await countRecords(this.#parts.source, this.#parts.asked, state, signal)
      if (counted === undefined) return false
      rows += counted
    }
    await this.#save({ sourceRows: rows })
    return rows !== this.state.rows
  }

  /** Reads the record with this key again, for a client that waits for it. */
  async refresh(key: readonly string[]): Promise<void> {
    await this.#confirm([key], { isUrgent: true })
  }

  /** Tells why the document is not fresh; empty: nothing is wrong. */
  async tell(problem: string, phase = this.state.phase): Promise<void> {
    if (problem !== this.state.problem || phase !== this.state.phase) await this.#save({ problem, phase })
  }

  get #states(): readonly string[] {
    return this.#parts.states.length > 0 ? this.#parts.states : NO_STATES
  }

  /** The newest change there is now: what changes while records are loaded is followed from there. */
  async #begin(signal: AbortSignal): Promise<void> {
    const { source, asked, now } = this.#parts
    const asOf = new Date(now()).toISOString()
    const page = await this.#trial({ state: this.#states[0], signal })
    const hasStamps = page.rows.some((row) => stampOf(row) !== undefined) && (await this.#filtersByStamp(signal))
    const newest = new Date(page.date === undefined ? now() : Date.parse(page.date)).toISOString()
    const sourceRows = await countRecords(source, asked, this.#states[0], signal).catch(() => undefined)
    const isWhole = this.#states.length === 1
    await this.#save({
      newest,
      asOf,
      hasStamps,
      sourceRows: (isWhole && sourceRows) || -1,
      rows: await this.#countHere(),
    })
  }

  /** Finds out what the source can do: lists that are named, and pages behind a key. */
  async #trial(question: Omit<Parameters<typeof readPage>[2], 'limit' | 'isOrdered'>): Promise<Page> {
    const { source, asked } = this.#parts
    const withLists = asked.lists.length > 0 ? [true, false] : [false]
    const attempts = [true, false].flatMap((isOrdered) => withLists.map((hasLists) => ({ isOrdered, hasLists })))
    let failure: unknown
    for (const { isOrdered, hasLists } of attempts) {
      const asking = { ...question, select: hasLists ? this.#selected : undefined, isOrdered }
      try {
        const page = await readPage(source, asked, { ...asking, limit: 2 })
        if (isOrdered && !(await this.#pagesByKey(page, asking))) continue
        this.state = { ...this.state, isOrdered, hasLists }
        return page
      } catch (error) {
        if (!(error instanceof SourceFailure) || !REFUSED.has(error.status)) throw error
        failure ??= error
      }
    }
    throw failure
  }

  /** Whether nothing has changed in the future. */
  async #filtersByStamp(signal: AbortSignal): Promise<boolean> {
    const { source, asked } = this.#parts
    const filters = [changedSince('9000-01-01T00:00:00.000Z')]
    const question = { state: this.#states[0], filters, limit: 1, isOrdered: this.state.isOrdered, signal }
    try {
      return (await readPage(source, asked, question)).rows.length === 0
    } catch (error) {
      if (error instanceof SourceFailure && REFUSED.has(error.status)) return false
      throw error
    }
  }

  /** Whether the record behind the first one is the second one. */
  async #pagesByKey({ rows }: Page, question: Omit<Parameters<typeof readPage>[2], 'limit'>): Promise<boolean> {
    const { source, asked } = this.#parts
    const [first, second] = rows.map((row) => this.#keyIn(row))
    if (!first) return true
    const next = await readPage(source, asked, { ...question, after: first, limit: 1 })
    const [found] = next.rows.map((row) => this.#keyIn(row))
    return isDeepStrictEqual(found, second)
  }

  get #selected(): readonly string[] {
    const { members, lists } = this.#parts.asked
    return [...members, ...lists]
  }

  async #loadPage(state: string, signal: AbortSignal): Promise<void> {
    const place = this.state.places[state]
    const at = place === 'end' ? undefined : place
    const { isOrdered } = this.state
    const offset = isOrdered ? undefined : Number(at?.[0] ?? 0)
    const page = await this.#page({ state, after: isOrdered ? at : undefined, offset }, signal)
    const isLast = this.#isLast(page)
    const reached = isOrdered ? this.#lastKey(page.rows) : [String((offset ?? 0) + page.rows.length)]
    const next = isLast || !reached ? 'end' : reached
    await this.#write(state, page.rows, { places: { ...this.state.places, [state]: next } })
  }

  /** Compares one page of records in rotation, where records do not tell when they were changed. */
  async #compareNext(signal: AbortSignal): Promise<void> {
    if (this.state.roundAt === '') await this.#save({ roundAt: new Date(this.#parts.now()).toISOString() })
    const open = this.#states.find((state) => this.state.places[state] !== 'end')
    if (open !== undefined) await this.#loadPage(open, signal)
    if (this.#states.some((state) => this.state.places[state] !== 'end')) return
    await this.#save({ places: {}, asOf: this.state.roundAt, roundAt: '' })
  }

  async #sweepState(state: string, known: KeySet, signal: AbortSignal): Promise<void> {
    let after: readonly string[] | undefined
    let offset = 0
    for (;;) {
      const { isOrdered } = this.state
      const select = this.#parts.asked.key.map(({ name }) => name)
      const place = isOrdered ? { after } : { offset }
      const page = await this.#page({ state, ...place, select }, signal, this.#keySize)
      const keys = page.rows.flatMap((row) => this.#parts.kind.read(row)?.key ?? [])
      for (const { texts } of keys) known.add(texts)
      await this.#addMissing(state, keys, signal)
      after = this.#lastKey(page.rows) ?? after
      offset += page.rows.length
      if (this.#isLast(page)) return
    }
  }

  async #addMissing(state: string, keys: readonly RecordKey[], signal: AbortSignal): Promise<void> {
    const { store, companyId, kind } = this.#parts
    const tx = store.reading(companyId)
    const missing: (readonly string[])[] = []
    for (let at = 0; at < keys.length; at += LOCAL_KEYS_AT_ONCE) {
      const some = keys.slice(at, at + LOCAL_KEYS_AT_ONCE)
      const here = await Promise.all(some.map((key) => kind.has(tx, key)))
      missing.push(...some.filter((_key, index) => !here[index]).map(({ texts }) => texts))
    }
    await this.#confirm(missing, { signal, states: [state] })
  }

  async #removeAllBut(known: KeySet, signal: AbortSignal): Promise<void> {
    const { store, companyId, kind } = this.#parts
    let after: RecordKey | undefined
    let rows = 0
    for (;;) {
      const keys = await kind.listKeys(store.reading(companyId), after, LOCAL_KEYS_AT_ONCE)
      rows += keys.length
      after = keys.at(-1)
      const gone = keys.filter(({ texts }) => !known.has(texts)).map(({ texts }) => texts)
      rows -= await this.#confirm(gone, { signal })
      if (!after || keys.length < LOCAL_KEYS_AT_ONCE) break
    }
    this.state = { ...this.state, rows }
  }

  /** Asks for records by their own keys: writes those that are there, removes the others; returns how many these were. */
  async #confirm(
    keys: readonly (readonly string[])[],
    { isUrgent, signal, states = this.#states }: Asking,
  ): Promise<number> {
    const { source, asked, kind } = this.#parts
    let removed = 0
    for (let at = 0; at < keys.length; at += CONFIRMED_AT_ONCE) {
      const some = keys.slice(at, at + CONFIRMED_AT_ONCE)
      const filters = [some.map((key) => `(${exactly(asked, key)})`).join(' or ')]
      const found = new Set<string>()
      for (const state of states) {
        const select = this.state.hasLists ? this.#selected : undefined
        const question = { state, filters, select, limit: CONFIRMED_AT_ONCE, isOrdered: false, isUrgent, signal }
        const { rows } = await readPage(source, asked, question)
        for (const row of rows) found.add(JSON.stringify(kind.read(row)?.key.texts))
        // A source that does not filter tells nothing of these keys.
        if (found.size > some.length)
          throw new SourceFailure(501, `${this.name}: the source does not filter by the key`)
        await this.#write(state, rows)
      }
      const gone = some.filter((key) => !found.has(JSON.stringify(key)))
      // One state does not tell that a record has no other.
      if (gone.length > 0 && states === this.#states) removed += await this.#remove(gone)
    }
    return removed
  }

  async #remove(keys: readonly (readonly string[])[]): Promise<number> {
    return this.#inWrite(async (tx, numbers) => {
      let removed = 0
      for (const texts of keys) {
        const key = this.#parts.kind.keyFrom(texts)
        if (!key || !(await this.#parts.kind.remove(await numbers.current(), key))) continue
        numbers.use()
        removed += 1
        setFindings(tx, this.name, key.stored as (string | number)[], [])
      }
      return { reached: { rows: this.state.rows - removed }, result: removed }
    })
  }

  async #page(
    question: Omit<Parameters<typeof readPage>[2], 'limit' | 'isOrdered'>,
    signal: AbortSignal,
    size = this.#size,
  ): Promise<Page> {
    const { source, asked, now } = this.#parts
    const { hasLists, isOrdered } = this.state
    const select = question.select ?? (hasLists ? this.#selected : undefined)
    for (;;) {
      const began = now()
      const limit = size.rows
      try {
        const page = await readPage(source, asked, { ...question, select, limit, isOrdered, signal })
        size.answered(page.rows.length, page.size, now() - began)
        this.state = { ...this.state, requests: this.state.requests + 1 }
        return page
      } catch (error) {
        signal.throwIfAborted()
        const mayBeSmaller = error instanceof SourceFailure && (error.status === 0 || error.status >= 500)
        if (!mayBeSmaller || !size.failed()) throw error
      }
    }
  }

  /** An answer may have fewer records than were asked for, where the source has a bound of its own. */
  #isLast({ rows }: Page): boolean {
    return rows.length < SURELY_LAST
  }

  #lastKey(rows: readonly JsonObject[]): readonly string[] | undefined {
    const last = rows.at(-1)
    return last && this.#keyIn(last)
  }

  /** The key as the source writes it. */
  #keyIn(row: JsonObject): readonly string[] {
    return this.#parts.asked.key.map(({ name }) => {
      const { [name]: value = '' } = row
      return value instanceof LongNumber ? value.text : String(value)
    })
  }

  /** Writes rows in their order; `reached` holds with the last of them. */
  async #write(state: string, rows: readonly JsonObject[], reached: Partial<DocumentState> = {}): Promise<void> {
    const { store, kind } = this.#parts
    const records = rows.flatMap((row) => {
      const record = kind.read(state === '' || 'state' in row ? row : { ...row, state })
      return record ? [record] : []
    })
    // While a document is loaded, hardly anything is here already.
    const others = this.state.phase === 'loading' ? records : await this.#differing(records)
    const most = store.recordsAtOnce
    for (let at = 0; at < others.length; at += most) {
      const isEnd = at + most >= others.length
      await this.#writeSome(others.slice(at, at + most), isEnd ? reached : {})
    }
    if (others.length === 0) await this.#save(reached)
  }

  /** What is the same needs no write, for which others wait. */
  async #differing(records: readonly CopiedRecord[]): Promise<readonly CopiedRecord[]> {
    const { store, companyId, kind } = this.#parts
    const tx = store.reading(companyId)
    const differing: CopiedRecord[] = []
    for (let at = 0; at < records.length; at += LOCAL_KEYS_AT_ONCE) {
      const some = records.slice(at, at + LOCAL_KEYS_AT_ONCE)
      const same = await Promise.all(some.map((record) => kind.isSame(tx, record)))
      differing.push(...some.filter((_record, index) => !same[index]))
    }
    return differing
  }

  /** Where a record makes the write fail, the others are written without it. */
  async #writeSome(records: readonly CopiedRecord[], reached: Partial<DocumentState>): Promise<void> {
    try {
      await this.#writeAll(records, reached)
    } catch (error) {
      if (!isOfRecord(error)) throw error
      if (records.length > 1) {
        const half = Math.ceil(records.length / 2)
        await this.#writeSome(records.slice(0, half), {})
        await this.#writeSome(records.slice(half), reached)
        return
      }
      await this.#leaveOut(records[0] as CopiedRecord, String((error as Error).message), reached)
    }
  }

  #writeAll(records: readonly CopiedRecord[], reached: Partial<DocumentState>): Promise<void> {
    return this.#inWrite(async (tx, numbers) => {
      let created = 0
      for (const [at, record] of records.entries()) {
        const outcome = await this.#parts.kind.put(await numbers.current(), record)
        if (outcome !== 'same') numbers.use()
        if (outcome === 'created') created += 1
        if (record.misfits.length > 0 || outcome === 'updated') this.#tellMisfits(tx, record.key, record.misfits)
        if (at % GROUP_SIZE === GROUP_SIZE - 1) await writeEntries(tx)
      }
      return { reached: { ...reached, rows: this.state.rows + created }, result: undefined }
    })
  }

  #leaveOut({ key }: CopiedRecord, message: string, reached: Partial<DocumentState>): Promise<void> {
    return this.#inWrite(async (tx) => {
      this.#tellMisfits(tx, key, [{ member: '', message }])
      return { reached, result: undefined }
    })
  }

  #tellMisfits(tx: Tx, { stored }: RecordKey, misfits: readonly Finding[]): void {
    setFindings(tx, this.name, stored as (string | number)[], misfits)
  }

  /** How far the document has come is written by the holder of the lease alone. */
  async #inWrite<T>(
    work: (tx: Tx, numbers: EntryNumbers) => Promise<{ readonly reached: Partial<DocumentState>; readonly result: T }>,
  ): Promise<T> {
    const { store, companyId, lease, setupVersion } = this.#parts
    const { state, result } = await store.write(companyId, MIRROR, async (tx) => {
      requireLatestRules(tx, setupVersion)
      const { reached, result: worked } = await work(tx, new EntryNumbers(tx))
      const next = { ...this.state, ...reached }
      if (lease) {
        await requireLease(tx, lease)
        putDocument(tx, this.name, next)
      }
      return { state: next, result: worked }
    })
    this.state = state
    return result
  }

  async #save(change: Partial<DocumentState>): Promise<void> {
    const { store, companyId, lease } = this.#parts
    const state = { ...this.state, ...change }
    if (lease && !isDeepStrictEqual(state, this.state)) {
      await store.writeState(companyId, MIRROR_LEASES.member, async (tx) => {
        await requireLease(tx, lease)
        putDocument(tx, this.name, state)
      })
    }
    this.state = state
  }

  async #countHere(): Promise<number> {
    const { store, companyId, kind } = this.#parts
    let [rows, after] = [0, undefined as RecordKey | undefined]
    for (;;) {
      const keys = await kind.listKeys(store.reading(companyId), after, LOCAL_KEYS_AT_ONCE)
      rows += keys.length
      after = keys.at(-1)
      if (keys.length < LOCAL_KEYS_AT_ONCE) return rows
    }
  }
}

interface Asking {
  readonly isUrgent?: boolean | undefined
  readonly signal?: AbortSignal | undefined
  readonly states?: readonly string[]
}

function stampOf({ lastUpdated }: JsonObject): string | undefined {
  const { updatedAt } = (lastUpdated ?? {}) as JsonObject
  return typeof updatedAt === 'string' ? parseDateTime(updatedAt) : undefined
}

function changedSince(moment: string): string {
  return `lastUpdated/updatedAt ge '${moment}'`
}

function newestOf(newest: string, rows: readonly JsonObject[]): string {
  return rows.reduce((most, row) => {
    const stamp = stampOf(row)
    return stamp !== undefined && stamp > most ? stamp : most
  }, newest)
}

/** What changed after the first answer may have been missed: it is asked for again. Time never goes back. */
function earlierOf(seen: string, date: string | undefined, before: string): string {
  const answered = date === undefined ? seen : new Date(Date.parse(date)).toISOString()
  const next = seen < answered ? seen : answered
  return next > before ? next : before
}

/** Whether a write failed because of what a record says, and not of the store or the setup. */
function isOfRecord(error: unknown): boolean {
  return !(error instanceof Problem || error instanceof LeaseLost)
}
