// Builds the text of an answer row by row, in each format.
import { csvHeader, csvRow } from './csv-text.ts'
import type { AnswerFormat, CollectionQuery } from './store.ts'

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

type Format = Pick<CollectionQuery, 'format' | 'cells' | 'style'>

/** Collects serialized rows into chunks of about 64 KiB. */
export class AnswerText {
  static readonly CHUNK_LENGTH = 64 * 1024
  readonly #frame: Frame
  readonly #format: Format
  #text: string
  #isFirst = true
  /** The number of rows added so far. */
  rows = 0

  constructor(format: Format) {
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
