// How the records of a document are asked for at the source: in pages behind a key, or where it cannot do that, in
// pages that are counted.
import { isNumberText } from '../../base/long-number.ts'
import type { JsonObject } from '../../base/strict-json.ts'
import { literalOf } from '../../query/literals.ts'
import { type ErpSource, SourceFailure, TIME_LIMIT_MS } from './source.ts'
import { rowsIn, type SourceRows } from './source-rows.ts'

/** A document as the source has it. */
export interface AskedDocument {
  readonly name: string
  readonly version: number
  /** Without the company. */
  readonly key: readonly { readonly name: string; readonly isText: boolean }[]
  /** What answers leave out unless it is named; empty: nothing. */
  readonly lists: readonly string[]
  /** Everything else. */
  readonly members: readonly string[]
  /** A filter that holds for all of its records here. */
  readonly from: string | undefined
}

export interface PageQuestion {
  /** A parameter of the source that is true, such as posted. */
  readonly state?: string | undefined
  /** All of these are true, instead of one. */
  readonly states?: readonly string[] | undefined
  readonly filters?: readonly (string | undefined)[]
  readonly after?: readonly string[] | undefined
  readonly offset?: number | undefined
  readonly limit: number
  /** Members; default: what the source answers by itself. */
  readonly select?: readonly string[] | undefined
  readonly isOrdered: boolean
  /** Another order than that of the key. */
  readonly orderBy?: string
  /** See `SourceRequest`. */
  readonly isUrgent?: boolean | undefined
  readonly expected?: number
  readonly timeoutMs?: number | undefined
  readonly signal?: AbortSignal | undefined
}

export interface SourcePage {
  readonly rows: SourceRows
  /** The bytes of the answer. */
  readonly size: number
  /** By the clock of the source, in milliseconds; undefined: it does not tell. */
  readonly date: number | undefined
}

/** A document of which nothing is known but its path: its records are answered whole, in any order. */
export function wholeDocument({ name, version }: Pick<AskedDocument, 'name' | 'version'>): AskedDocument {
  return { name, version, key: [], lists: [], members: [], from: undefined }
}

/** The path of a record of the document; undefined where an address cannot have it. */
export function singleOf(
  { name, version }: Pick<AskedDocument, 'name' | 'version'>,
  key: readonly string[],
): string | undefined {
  // Whoever sends a path leaves out parts of dots.
  if (key.some((part) => /^\.{0,2}$/.test(part))) return undefined
  return `/v${version}/${name}/${key.map(encodeURIComponent).join('/')}`
}

/** The path of the document's collection. */
export function collectionOf({ name, version }: Pick<AskedDocument, 'name' | 'version'>): string {
  return `/v${version}/objects/${name}`
}

const FORMS = 'application/x-ndjson, application/json;q=0.9'

export async function readPage(
  source: ErpSource,
  document: AskedDocument,
  question: PageQuestion,
): Promise<SourcePage> {
  const { state = '', states = [state], filters = [], after, offset, limit, select, isOrdered, orderBy } = question
  const terms = [document.from, ...filters, after && behind(document, after)]
  const filter = terms.flatMap((term) => (term ? [`(${term})`] : [])).join(' and ')
  const path = source.pathOf(collectionOf(document), {
    ...Object.fromEntries(states.flatMap((name) => (name === '' ? [] : [[name, true]]))),
    filter: filter || undefined,
    orderBy: orderBy ?? (isOrdered ? document.key.map(({ name }) => name).join(',') : undefined),
    select: select?.join(','),
    offset: offset || undefined,
    limit,
  })
  const { isUrgent, expected = 0, timeoutMs, signal } = question
  const asking = { headers: { accept: FORMS }, isUrgent, expected, mostBytes: MOST_BYTES, timeoutMs, signal }
  const { bytes, headers } = await source.read(path, asking)
  const isLines = headers.get('content-type')?.includes('ndjson') ?? false
  const date = Date.parse(headers.get('date') ?? '')
  return { rows: rowsIn(bytes, isLines), size: bytes.length, date: Number.isNaN(date) ? undefined : date }
}

/** All records of an answer that has few. */
export async function readRows(
  source: ErpSource,
  document: AskedDocument,
  question: PageQuestion,
): Promise<readonly JsonObject[]> {
  return [...(await readPage(source, document, question)).rows]
}

/** The records behind a key, in its order. */
function behind({ key }: AskedDocument, after: readonly string[]): string {
  return key
    .map((_part, at) => {
      const same = key.slice(0, at).map((part, before) => equal(part, after[before] ?? ''))
      const { name, isText } = key[at] ?? { name: '', isText: true }
      return [...same, `${name} gt ${literal(after[at] ?? '', isText)}`].join(' and ')
    })
    .map((term) => (key.length > 1 ? `(${term})` : term))
    .join(' or ')
}

/** The record with this key. */
export function exactly({ key }: AskedDocument, texts: readonly string[]): string {
  return key.map((part, at) => equal(part, texts[at] ?? '')).join(' and ')
}

function equal({ name, isText }: AskedDocument['key'][number], value: string): string {
  return `${name} eq ${literal(value, isText)}`
}

function literal(value: string, isText: boolean): string {
  if (isText) return literalOf(value)
  if (isNumberText(value)) return value
  throw new SourceFailure(400, `no number: ${value.slice(0, 100)}`)
}

/** How many records the source has; undefined where it does not tell. */
export async function countRecords(source: ErpSource, document: AskedDocument, state?: string, signal?: AbortSignal) {
  const parameters = { ...(state ? { [state]: true } : {}), filter: document.from }
  const path = source.pathOf(collectionOf(document), parameters)
  const { status, headers } = await source.send(path, { method: 'HEAD', signal })
  if (status === 401 || status >= 500) throw new SourceFailure(status, `${status} for HEAD ${path.split('?')[0]}`)
  const count =
    status === 200 ? COUNT_HEADERS.map((name) => headers.get(name)).find((text) => text !== null) : undefined
  return count !== undefined && /^\d+$/.test(count ?? '') ? Number(count) : undefined
}

const COUNT_HEADERS = ['x-erp-total-count', 'x-total-count']

const FIRST_ROWS = 1_000
const MOST_ROWS = 50_000
/** The largest page is to have as many: its bytes are in memory together. */
const PAGE_BYTES = 4 * 1024 * 1024
/** Rows may be larger than those of the page before. */
const MOST_BYTES = 4 * PAGE_BYTES
/** A page takes no larger part of what is allowed in five minutes. */
const PAGES_OF_QUOTA = 16
const LEAST_ROWS = 20
/** A size that the source has failed with is tried again after so many pages. */
const PAGES_BELOW_CEILING = 50

/** The size of pages, which follows what the source answers in a third of its time, and what fits into memory. */
export class PageSize {
  #rows: number
  /** The most that a page may have. */
  readonly #bytes: number
  #perRow: number
  /** The source has failed with as many. */
  #ceiling = Number.POSITIVE_INFINITY
  #pages = 0

  /** `bytesAllowed`: what the source may answer in five minutes. */
  constructor(first = FIRST_ROWS, bytesAllowed = Number.POSITIVE_INFINITY) {
    this.#bytes = Math.min(PAGE_BYTES, Math.floor(bytesAllowed / PAGES_OF_QUOTA))
    this.#rows = first
    this.#perRow = this.#bytes / first
  }

  get rows(): number {
    return this.#rows
  }

  /** What the next page may have, in bytes. */
  get expected(): number {
    return Math.ceil(this.#rows * this.#perRow)
  }

  answered(rows: number, bytes: number, ms: number): void {
    if (rows > 0) this.#perRow = bytes / rows
    const fits = rows === 0 ? this.#rows : Math.floor(this.#bytes / this.#perRow)
    if (rows < this.#rows / 2) {
      this.#become(Math.min(this.#rows, fits))
      return
    }
    this.#pages += 1
    if (this.#pages > PAGES_BELOW_CEILING) this.#ceiling = Number.POSITIVE_INFINITY
    const isSlow = ms > TIME_LIMIT_MS / 3
    const larger = this.#rows * 2 < this.#ceiling ? this.#rows * 2 : this.#rows
    this.#become(isSlow ? this.#rows / 2 : Math.min(larger, fits))
  }

  /** Returns whether a smaller page may be tried. */
  failed(): boolean {
    if (this.#rows <= LEAST_ROWS) return false
    this.#ceiling = this.#rows
    this.#pages = 0
    this.#become(this.#rows / 2)
    return true
  }

  #become(rows: number): void {
    this.#rows = Math.min(Math.max(Math.floor(rows), LEAST_ROWS), MOST_ROWS)
  }
}
