// How the records of a document are asked for at the source: in pages behind a key, or where it cannot do that, in
// pages that are counted.
import { parseExact } from '../../base/long-number.ts'
import { isObject, type JsonObject, type JsonValue } from '../../base/strict-json.ts'
import { type Source, SourceFailure, TIME_LIMIT_MS } from './source.ts'

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

export interface Question {
  /** A parameter of the source that is true, such as posted. */
  readonly state?: string | undefined
  readonly filters?: readonly (string | undefined)[]
  readonly after?: readonly string[] | undefined
  readonly offset?: number | undefined
  readonly limit: number
  /** Members; default: what the source answers by itself. */
  readonly select?: readonly string[] | undefined
  readonly isOrdered: boolean
  readonly isUrgent?: boolean
  readonly signal?: AbortSignal | undefined
}

export interface Page {
  readonly rows: readonly JsonObject[]
  /** The characters of the answer. */
  readonly size: number
  /** By the clock of the source; undefined: it does not tell. */
  readonly date: string | undefined
}

/** The path of the document's collection. */
export function collectionOf({ name, version }: Pick<AskedDocument, 'name' | 'version'>): string {
  return `/v${version}/objects/${name}`
}

const FORMS = 'application/x-ndjson, application/json;q=0.9'

export async function readPage(source: Source, document: AskedDocument, question: Question): Promise<Page> {
  const { state, filters = [], after, offset, limit, select, isOrdered, isUrgent = false, signal } = question
  const terms = [document.from, ...filters, after && behind(document, after)]
  const filter = terms.flatMap((term) => (term ? [`(${term})`] : [])).join(' and ')
  const path = source.pathOf(collectionOf(document), {
    ...(state ? { [state]: true } : {}),
    filter: filter || undefined,
    orderBy: isOrdered ? document.key.map(({ name }) => name).join(',') : undefined,
    select: select?.join(','),
    offset: offset || undefined,
    limit,
  })
  const { text, headers } = await source.read(path, { headers: { accept: FORMS }, isUrgent, signal })
  const isLines = headers.get('content-type')?.includes('ndjson') ?? false
  return { rows: rowsIn(text, isLines), size: text.length, date: headers.get('date') ?? undefined }
}

function rowsIn(text: string, isLines: boolean): JsonObject[] {
  try {
    const rows = isLines
      ? text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [parseExact(line)]))
      : parseExact(text)
    if (Array.isArray(rows) && rows.every((row) => isObject(row as JsonValue))) return rows
  } catch {
    // An answer that was cut off is no JSON.
  }
  throw new SourceFailure(0, `no list of records: ${text.slice(0, 100)}`)
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
  return isText ? `'${value.replaceAll("'", "''")}'` : value
}

/** How many records the source has; undefined where it does not tell. */
export async function countRecords(source: Source, document: AskedDocument, state?: string, signal?: AbortSignal) {
  const parameters = { ...(state ? { [state]: true } : {}), filter: document.from }
  const path = source.pathOf(collectionOf(document), parameters)
  const { status, headers } = await source.send(path, { method: 'HEAD', signal })
  const count =
    status === 200 ? COUNT_HEADERS.map((name) => headers.get(name)).find((text) => text !== null) : undefined
  return count !== undefined && /^\d+$/.test(count ?? '') ? Number(count) : undefined
}

const COUNT_HEADERS = ['x-erp-total-count', 'x-total-count']

const FIRST_ROWS = 1_000
const MOST_ROWS = 50_000
/** Of the largest page: its rows are in memory together. */
const PAGE_CHARACTERS = 8 * 1024 * 1024
/** Keys are short. */
const LEAST_ROWS = 20

/** The size of pages, which follows what the source answers in a third of its time, and what fits into memory. */
export class PageSize {
  #rows: number

  constructor(first = FIRST_ROWS) {
    this.#rows = first
  }

  get rows(): number {
    return this.#rows
  }

  answered(rows: number, characters: number, ms: number): void {
    if (rows < this.#rows / 2) return
    const fits = Math.floor((rows * PAGE_CHARACTERS) / Math.max(characters, 1))
    const isSlow = ms > TIME_LIMIT_MS / 3
    const wanted = isSlow ? this.#rows / 2 : Math.min(this.#rows * 2, fits)
    this.#rows = Math.min(Math.max(Math.floor(wanted), LEAST_ROWS), MOST_ROWS)
  }

  /** Returns whether a smaller page may be tried. */
  failed(): boolean {
    if (this.#rows <= LEAST_ROWS) return false
    this.#rows = Math.max(Math.floor(this.#rows / 2), LEAST_ROWS)
    return true
  }
}
