// The records of an answer, each read when it is looked at: what a page becomes on its way into the store is not in
// memory together. The first one of those with the same key stands for all.
import type { JsonObject } from '../base/strict-json.ts'
import type { CopiedKind, CopiedRecord } from '../records/kinds/copied-records.ts'
import { withState } from './document-reader.ts'
import type { Items } from './source/source-rows.ts'

/** A row of which no record is written. */
export interface LeftOut {
  readonly row: JsonObject
  readonly message: string
}

const REPEATED = 'The record is left out: the source has another one with this key.'
const UNREADABLE = 'The record is left out: its key cannot be read.'
/** As many of one answer are told; more say nothing new. */
const MOST_LEFT_OUT = 100

interface ReadPage {
  readonly kind: CopiedKind
  readonly rows: Items<JsonObject>
  /** The parameter of the source that they were asked for with; empty: none. */
  readonly state: string
  /** Where each key was found first: a row may be read again. */
  readonly found: Map<string, number>
  /** By their places. */
  readonly left: Map<number, LeftOut>
}

export class ReadRecords implements Items<CopiedRecord> {
  readonly #page: ReadPage
  readonly #from: number
  readonly #to: number

  private constructor(page: ReadPage, from: number, to: number) {
    this.#page = page
    this.#from = from
    this.#to = to
  }

  static of(page: Pick<ReadPage, 'kind' | 'rows' | 'state'>): ReadRecords {
    return new ReadRecords({ ...page, found: new Map(), left: new Map() }, 0, page.rows.length)
  }

  /** The number of rows; there may be fewer records. */
  get length(): number {
    return this.#to - this.#from
  }

  /** Those of the rows that were looked at. */
  get left(): readonly LeftOut[] {
    return [...this.#page.left.values()]
  }

  slice(from: number, to = this.length): ReadRecords {
    return new ReadRecords(this.#page, this.#from + from, Math.min(this.#from + to, this.#to))
  }

  *[Symbol.iterator](): Generator<CopiedRecord> {
    const { kind, rows, state, found } = this.#page
    let at = this.#from
    for (const row of rows.slice(this.#from, this.#to)) {
      const record = kind.read(withState(row, state))
      const key = record && JSON.stringify(record.key.texts)
      if (key !== undefined && !found.has(key)) found.set(key, at)
      if (record && key !== undefined && found.get(key) === at) yield record
      else this.#leave(at, row, record ? REPEATED : UNREADABLE)
      at += 1
    }
  }

  #leave(at: number, row: JsonObject, message: string): void {
    const { left } = this.#page
    if (left.size < MOST_LEFT_OUT) left.set(at, { row, message })
  }
}
