// Builds an answer row by row, in each format, as chunks of bytes of one size, however long its rows are.
import type { SpreadsheetStyle } from '../base/numbers/spreadsheet-style.ts'
import { type AnswerCell, csvHeader, csvRow } from '../sql/csv-text.ts'

/**
 * A JSON array; one JSON object per line; comma-separated values with a header line; or the values of the columns in
 * order, as a JSON array or object per line whose member names mean nothing.
 */
export type AnswerFormat = 'json' | 'ndjson' | 'csv' | 'tuples'

/** The form of the rows that each format is made of. */
export const ROW_FORMS = { json: 'rows', ndjson: 'rows', csv: 'cells', tuples: 'tuples' } as const

export interface AnswerLayout {
  readonly format: AnswerFormat
  /** The CSV columns in order. */
  readonly cells: readonly AnswerCell[]
  /** CSV for a spreadsheet; absent: for programs. */
  readonly style?: SpreadsheetStyle | undefined
}

interface Frame {
  readonly before: string
  readonly between: string
  readonly after: string
}

const LINES: Frame = { before: '', between: '\n', after: '\n' }

const FRAMES: Readonly<Record<AnswerFormat, Frame>> = {
  json: { before: '[', between: ',', after: ']' },
  ndjson: LINES,
  csv: { before: '', between: '\r\n', after: '\r\n' },
  tuples: LINES,
}

/** A row before it is serialized: a JSON object as text, or its cells. */
export type AnswerRow = string | readonly (string | number | null)[]

const CHUNK_BYTES = 64 * 1024
/** The most bytes of a UTF-16 unit in UTF-8. */
const MOST_BYTES = 3

export class AnswerBytes {
  readonly #frame: Frame
  readonly #format: AnswerLayout
  #full: Buffer[] = []
  #chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES)
  #length = 0
  #isFirst = true
  /** The number of rows that have begun so far. */
  rows = 0
  /** The size of all full chunks so far. */
  bytes = 0

  constructor(format: AnswerLayout) {
    this.#format = format
    this.#frame = FRAMES[format.format]
    this.#addText(this.#frame.before)
    if (format.format !== 'csv') return
    this.#addText(csvHeader(format.cells, format.style))
    this.#isFirst = false
  }

  /** The size of the chunks that nobody has taken. */
  get waiting(): number {
    return this.#full.length * CHUNK_BYTES
  }

  add(row: AnswerRow): void {
    this.begin()
    this.#addText(typeof row === 'string' ? row : csvRow(row, this.#format.cells, this.#format.style))
  }

  /** Begins a row whose bytes follow by `addBytes`. */
  begin(): void {
    if (!this.#isFirst) this.#addText(this.#frame.between)
    this.#isFirst = false
    this.rows += 1
  }

  addBytes(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; ) {
      const part = bytes.subarray(at, at + CHUNK_BYTES - this.#length)
      this.#chunk.set(part, this.#length)
      this.#length += part.length
      at += part.length
      if (this.#length === CHUNK_BYTES) this.#endChunk()
    }
  }

  /** Returns the full chunks since the last call. */
  takeChunks(): readonly Buffer[] {
    if (this.#full.length === 0) return this.#full
    const taken = this.#full
    this.#full = []
    return taken
  }

  /** Returns what is left, with the end of the format. */
  end(): Buffer {
    if (!this.#isFirst || this.#frame !== LINES) this.#addText(this.#frame.after)
    return Buffer.concat([...this.takeChunks(), this.#chunk.subarray(0, this.#length)])
  }

  #addText(text: string): void {
    if (text.length * MOST_BYTES > CHUNK_BYTES - this.#length) this.addBytes(Buffer.from(text))
    else this.#length += this.#chunk.write(text, this.#length)
  }

  #endChunk(): void {
    this.#full.push(this.#chunk)
    this.#chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES)
    this.#length = 0
    this.bytes += CHUNK_BYTES
  }
}
