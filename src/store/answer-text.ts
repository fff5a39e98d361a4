// Builds the text of an answer row by row, in each format.
import type { SpreadsheetStyle } from '../base/numbers/spreadsheet-style.ts'
import { type AnswerCell, csvHeader, csvRow } from './csv-text.ts'

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

/** Collects serialized rows into chunks of about 64 KiB. */
export class AnswerText {
  static readonly CHUNK_LENGTH = 64 * 1024
  readonly #frame: Frame
  readonly #format: AnswerLayout
  #text: string
  #isFirst = true
  /** The number of rows added so far. */
  rows = 0

  constructor(format: AnswerLayout) {
    this.#format = format
    this.#frame = FRAMES[format.format]
    this.#text = this.#frame.before
    if (format.format === 'csv') this.#add(csvHeader(format.cells, format.style))
  }

  /** Adds a row. Returns true when a chunk is full. */
  add(row: AnswerRow): boolean {
    this.rows += 1
    this.#add(typeof row === 'string' ? row : csvRow(row, this.#format.cells, this.#format.style))
    return this.#text.length >= AnswerText.CHUNK_LENGTH
  }

  /** Returns the text collected since the last chunk and clears it. */
  takeChunk(): string {
    const text = this.#text
    this.#text = ''
    return text
  }

  /** Returns the last chunk, with the end of the format. */
  end(): string {
    return this.takeChunk() + (this.#isFirst && this.#frame === LINES ? '' : this.#frame.after)
  }

  #add(text: string): void {
    this.#text += this.#isFirst ? text : this.#frame.between + text
    this.#isFirst = false
  }
}
