// Reads a document of the source page by page, in the ways in which the source can be asked.
import { isDeepStrictEqual } from 'node:util'
import { parseDateTime } from '../base/dates.ts'
import { isNumberText, LongNumber, parseExact } from '../base/long-number.ts'
import { isObject, type JsonObject, type JsonValue } from '../base/strict-json.ts'
import { orUndefined } from '../base/thrown.ts'
import type { Abilities, PlaceOfPage } from './document-state.ts'
import { type ErpSource, SourceFailure } from './source/source.ts'
import {
  type AskedDocument,
  exactly,
  type PageQuestion,
  PageSize,
  readPage,
  type SourcePage,
  singleOf,
} from './source/source-pages.ts'

/** The source does not find what is behind a key: pages must be counted. */
export class NotOrdered extends Error {}

/** The source answers an empty list. */
export class ShowsNothing extends SourceFailure {
  constructor(name: string) {
    super(403, `${name}: the source shows no record any more`)
  }
}

/** The source does not find records by their keys. */
export class NotFiltered extends SourceFailure {
  constructor(name: string) {
    super(501, `${name}: the source does not find records by their keys`)
  }
}

/** One page on the way through all records of a question. */
export interface WalkedPage extends SourcePage {
  readonly next: PlaceOfPage | 'end'
  /** It has fewer records than were asked for. */
  readonly isShort: boolean
  /** Records have come or gone before this page since the page before it: some may have been missed. */
  readonly hasShifted: boolean
}

export type Walk = Pick<PageQuestion, 'state' | 'filters' | 'select'>

/** A single request that fails may be of a size that the source cannot answer. */
const MOST_HALVINGS = 3
const KEYS_AT_ONCE = 20
/** For those who wait: longer than most sources take for a single record. */
const URGENT_MS = 15_000
/** Refused because of what was asked for. */
const REFUSED: ReadonlySet<number> = new Set([400, 404, 405, 422, 501])

export function isRefused(error: unknown): boolean {
  return error instanceof SourceFailure && REFUSED.has(error.status)
}

export class DocumentReader {
  readonly #source: ErpSource
  readonly #asked: AskedDocument
  readonly #now: () => number
  readonly #size: PageSize
  readonly #keySize: PageSize
  abilities: Abilities
  requests = 0
  /** How many records the page before had, if it was not full. */
  #short: number | undefined

  constructor(source: ErpSource, asked: AskedDocument, now: () => number, abilities: Abilities) {
    this.#source = source
    this.#asked = asked
    this.#now = now
    this.abilities = abilities
    const { bytesAllowed } = source.quota
    this.#size = new PageSize(undefined, bytesAllowed)
    this.#keySize = new PageSize(ALL_KEYS, bytesAllowed)
  }

  /** Everything that the document has. */
  get #selected(): readonly string[] {
    const { members, lists } = this.#asked
    return [...members, ...lists]
  }

  /** Keys that one request asks for: it must be able to answer all of them. */
  get keysAtOnce(): number {
    return Math.max(1, Math.min(KEYS_AT_ONCE, Math.floor(this.abilities.bound / 3)))
  }

  get keyNames(): readonly string[] {
    return this.#asked.key.map(({ name }) => name)
  }

  /** Finds out what the source can do, and returns its first records. */
  async probe(state: string, signal: AbortSignal): Promise<SourcePage> {
    const withLists = this.#asked.lists.length > 0 ? [true, false] : [false]
    const attempts = [true, false].flatMap((isOrdered) => withLists.map((hasLists) => ({ isOrdered, hasLists })))
    let failure: unknown
    for (const { isOrdered, hasLists } of attempts) {
      const question = { state, select: hasLists ? this.#selected : undefined, isOrdered, limit: 2, signal }
      try {
        const page = await this.#read(question)
        if (isOrdered && !(await this.#pagesByKey(page, question))) continue
        const isFiltered = isOrdered || (await this.#findsKey(page, question))
        this.abilities = { ...this.abilities, isOrdered, hasLists, isFiltered }
        if (page.rows.length === 2) this.#size.answered(2, page.size, 0)
        return page
      } catch (error) {
        if (!isRefused(error)) throw error
        failure ??= error
      }
    }
    throw failure
  }

  /** Whether the record behind the first one is the second one. */
  async #pagesByKey({ rows }: SourcePage, question: PageQuestion): Promise<boolean> {
    const [first, second] = this.#keysOf(rows)
    if (!first) return rows.length === 0
    const next = await this.#read({ ...question, after: first, limit: 1 })
    const [found] = this.#keysOf(next.rows)
    return isDeepStrictEqual(found, second)
  }

  async #findsKey({ rows }: SourcePage, question: PageQuestion): Promise<boolean> {
    const [first] = this.#keysOf(rows)
    if (!first) return rows.length === 0
    try {
      const filters = [exactly(this.#asked, first)]
      const found = await this.#read({ ...question, filters })
      return found.rows.length > 0 && this.#keysOf(found.rows).every((key) => isSameKey(key, first))
    } catch (error) {
      if (isRefused(error)) return false
      throw error
    }
  }

  /** The page at a place; `isToEnd`: only an empty page is taken for the end. */
  async pageAt(walk: Walk, place: PlaceOfPage | undefined, signal: AbortSignal, isToEnd = false): Promise<WalkedPage> {
    const size = walk.select ? this.#keySize : this.#size
    if (!place) this.#short = undefined
    const page = await (this.abilities.isOrdered
      ? this.#pageBehind(walk, place, signal, { size, isToEnd })
      : this.#countedPage(walk, place, signal, { size, isToEnd }))
    const { bound } = this.abilities
    // A page that was not full was not the last one: the source has a bound of its own.
    if (this.#short !== undefined && page.rows.length > 0 && this.#short < bound) {
      this.abilities = { ...this.abilities, bound: this.#short }
    }
    this.#short = page.isShort ? page.rows.length : undefined
    return page
  }

  /** All pages, one after the other; the next one is asked for when it is wanted, and takes the place of the last. */
  async *pages(walk: Walk, signal: AbortSignal): AsyncGenerator<WalkedPage> {
    let place: PlaceOfPage | undefined
    for (;;) {
      const page = await this.pageAt(walk, place, signal)
      yield page
      page.rows.free()
      if (page.next === 'end') return
      place = page.next
    }
  }

  async #pageBehind(
    walk: Walk,
    after: PlaceOfPage | undefined,
    signal: AbortSignal,
    { size, isToEnd }: Paging,
  ): Promise<WalkedPage> {
    let { page, limit } = await this.#sized({ ...walk, after }, signal, size)
    // An empty answer is the end, or says that the mirror may not see the document any more.
    if (after && page.rows.length === 0) {
      await this.requireShown([walk.state ?? ''], signal)
      ;({ page, limit } = await this.#sized({ ...walk, after }, signal, size))
    }
    const { rows } = page
    let last: readonly string[] | undefined
    for (const row of rows) {
      const key = this.keyIn(row)
      if (after && isDeepStrictEqual(key, after))
        throw new NotOrdered(`${this.#asked.name}: the source does not find what is behind a key`)
      last = key ?? last
    }
    const isShort = rows.length < limit
    if (rows.length === 0) return { ...page, next: 'end', isShort, hasShifted: false }
    if (!last) throw new SourceFailure(422, `${this.#asked.name}: the source answers records without a key`)
    return { ...page, next: this.#isLast(rows.length, limit, isToEnd) ? 'end' : last, isShort, hasShifted: false }
  }

  /** Each page but the first one begins with the last record of the page before it. */
  async #countedPage(
    walk: Walk,
    place: PlaceOfPage | undefined,
    signal: AbortSignal,
    { size, isToEnd }: Paging,
  ): Promise<WalkedPage> {
    const [at = '0', last, first] = place ?? []
    const overlap = last === undefined ? 0 : 1
    const offset = Number(at) - overlap
    const { page, limit } = await this.#sized({ ...walk, offset }, signal, size)
    const [key, end] = [page.rows.at(0), page.rows.at(-1)].map((row) => row && JSON.stringify(this.keyIn(row) ?? row))
    // The first record may have come here by others before it, or the source passes over the offset.
    if (overlap && key !== undefined && key !== last && key === first && (await this.#isFirst(key, walk, signal))) {
      throw new SourceFailure(501, `${this.#asked.name}: the source pages neither by key nor by offset`)
    }
    const hasShifted = overlap === 1 && key !== last
    const rows = overlap && !hasShifted ? page.rows.slice(1) : page.rows
    const count = page.rows.length
    const isShort = count < limit
    const isWhole = count > limit
    if (rows.length === 0 || isWhole || this.#isLast(count, limit, isToEnd)) {
      return { ...page, rows, next: 'end', isShort, hasShifted }
    }
    const next = [String(offset + count), end ?? '', overlap ? (first ?? '') : (key ?? '')]
    return { ...page, rows, next, isShort, hasShifted }
  }

  async #isFirst(key: string, walk: Walk, signal: AbortSignal): Promise<boolean> {
    const [row] = await this.some(walk, 1, signal)
    return row !== undefined && JSON.stringify(this.keyIn(row) ?? row) === key
  }

  /** An answer may have fewer records than were asked for, where the source has a bound of its own. */
  #isLast(rows: number, limit: number, isToEnd: boolean): boolean {
    return !isToEnd && rows < limit && rows < this.abilities.bound
  }

  async #sized(
    question: Omit<PageQuestion, 'limit' | 'isOrdered'>,
    signal: AbortSignal,
    size: PageSize,
  ): Promise<{ page: SourcePage; limit: number }> {
    const { hasLists, isOrdered } = this.abilities
    const select = question.select ?? (hasLists ? this.#selected : undefined)
    for (let halvings = 0; ; halvings += 1) {
      const began = this.#now()
      const limit = size.rows
      try {
        const sized = { ...question, select, limit, isOrdered, expected: size.expected, signal }
        const page = await this.#read(sized)
        size.answered(page.rows.length, page.size, this.#now() - began)
        return { page, limit }
      } catch (error) {
        signal.throwIfAborted()
        if (!(error instanceof SourceFailure && error.isOfSize) || !size.failed()) throw error
        if (halvings === MOST_HALVINGS) throw error
      }
    }
  }

  /** The records with these keys. Throws where the source does not find records by their keys. */
  async find(
    keys: readonly (readonly string[])[],
    { states, isUrgent, signal }: Pick<PageQuestion, 'states' | 'isUrgent' | 'signal'>,
  ): Promise<readonly JsonObject[]> {
    if (keys.length === 0) return []
    const filters = [keys.map((key) => `(${exactly(this.#asked, key)})`).join(' or ')]
    const select = this.abilities.hasLists ? this.#selected : undefined
    // Some records may be there several times.
    const limit = keys.length * 4
    const timeoutMs = isUrgent ? URGENT_MS : undefined
    const question = { states, filters, select, limit, isOrdered: false, isUrgent, timeoutMs, signal }
    const rows = [...(await this.#read(question)).rows]
    const asked = new Set(keys.map(folded))
    const isForeign = rows.some((row) => {
      const key = this.keyIn(row)
      return key !== undefined && !asked.has(folded(key))
    })
    if (!isForeign) return rows
    this.abilities = { ...this.abilities, isFiltered: false }
    throw new NotFiltered(this.#asked.name)
  }

  /**
   * The record as its own path has it, or `gone` where the source says that there is none. Undefined: the source says
   * neither, as one that has no such paths, or a server before it. Throws `SourceFailure`.
   */
  async readOne(
    key: readonly string[],
    { isUrgent, signal }: Pick<PageQuestion, 'isUrgent' | 'signal'>,
  ): Promise<JsonObject | 'gone' | undefined> {
    const path = singleOf(this.#asked, key)
    if (path === undefined) return undefined
    this.requests += 1
    const timeoutMs = isUrgent ? URGENT_MS : undefined
    const { status, text } = await this.#source.send(this.#source.pathOf(path), { isUrgent, timeoutMs, signal })
    if (status !== 200 && status !== 403 && !REFUSED.has(status))
      throw new SourceFailure(status, `${status} for ${path}`)
    const answer = orUndefined(() => parseExact(text) as JsonValue)
    const body = isObject(answer) ? answer : undefined
    if (status === 200) return body && isSameKey(this.keyIn(body), key) ? body : undefined
    return status === 404 && Number(body?.code) === NOT_FOUND ? 'gone' : undefined
  }

  /** Some records that were changed last; where the source does not order them so, any. */
  async newest(states: readonly string[], signal: AbortSignal, most: number): Promise<readonly JsonObject[]> {
    const question = { states, limit: most, isOrdered: false, orderBy: 'lastUpdated/updatedAt desc', signal }
    return [...(await this.#read(question)).rows]
  }

  /** Throws where the source answers nothing at all, as it does for what the mirror may not see. */
  async requireShown(states: readonly string[], signal: AbortSignal): Promise<void> {
    for (const state of states) if ((await this.some({ state }, 1, signal)).length > 0) return
    throw new ShowsNothing(this.#asked.name)
  }

  /** The first records that fit a filter. */
  async some(walk: Walk, limit: number, signal: AbortSignal): Promise<readonly JsonObject[]> {
    return [...(await this.#read({ ...walk, limit, isOrdered: this.abilities.isOrdered, signal })).rows]
  }

  #read(question: PageQuestion): Promise<SourcePage> {
    this.requests += 1
    return readPage(this.#source, this.#asked, question)
  }

  #keysOf(rows: Iterable<JsonObject>): (readonly string[] | undefined)[] {
    return Array.from(rows, (row) => this.keyIn(row))
  }

  /** The key as the source writes it; undefined where a part is missing. */
  keyIn(row: JsonObject): readonly string[] | undefined {
    const parts = this.#asked.key.map(({ name }) => keyText(row[name]))
    return parts.every((part) => part !== undefined) ? parts : undefined
  }
}

/** Each state is asked for by itself; a document without states is asked for once. */
export function statesOf(states: readonly string[]): readonly string[] {
  return states.length > 0 ? states : NO_STATES
}

const NO_STATES = ['']

/** A row with the state that it was asked for in, where it does not tell that itself. */
export function withState(row: JsonObject, state: string): JsonObject {
  return state === '' || 'state' in row ? row : { ...row, state }
}

interface Paging {
  readonly size: PageSize
  readonly isToEnd: boolean
}

const ALL_KEYS = 50_000

function keyText(value: JsonValue | undefined): string | undefined {
  if (value instanceof LongNumber) return value.text
  return value === undefined || value === null || typeof value === 'object' ? undefined : String(value)
}

/** The code of answers about a record that is not there; a path that is not there has another one. */
const NOT_FOUND = 1040

/** Some sources find texts in any letter case, and write times and numbers in several forms. */
function folded(key: readonly string[]): string {
  return JSON.stringify(
    key.map((part) => {
      if (isNumberText(part)) return String(Number(part))
      return parseDateTime(part) ?? part.trimEnd().toLowerCase()
    }),
  )
}

function isSameKey(key: readonly string[] | undefined, other: readonly string[]): boolean {
  return key !== undefined && folded(key) === folded(other)
}
