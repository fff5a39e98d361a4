// The text of an answer that is made row by row: what stands before, between and behind the rows, and cells as CSV.
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
}

/** What a row is until it is text: a JSON object, or its cells. */
export type AnswerRow = string | readonly (string | number | null)[]

type Format = Pick<CollectionQuery, 'format' | 'cells'>

/** Gathers rows and gives them out in pieces of some 64 KiB. */
export class AnswerText {
  static readonly PIECE = 64 * 1024
  readonly #frame: Frame
  readonly #format: Format
  #text: string
  #isFirst = true
  /** How many have been taken. */
  rows = 0

  constructor(format: Format) {
    this.#format = format
    this.#frame = FRAMES[format.format]
    this.#text = this.#frame.before
    if (format.format === 'csv') this.#add(format.cells.map(({ name }) => cell(name, true)).join(','))
  }

  /** Takes a row; true when a piece is full. */
  add(row: AnswerRow): boolean {
    this.rows += 1
    this.#add(typeof row === 'string' ? row : csvLine(row, this.#format.cells))
    return this.#text.length >= AnswerText.PIECE
  }

  /** What has been gathered since the last piece. */
  piece(): string {
    const text = this.#text
    this.#text = ''
    return text
  }

  /** The last piece. */
  end(): string {
    return this.piece() + (this.#isFirst && this.#format.format === 'ndjson' ? '' : this.#frame.after)
  }

  #add(text: string): void {
    this.#text += this.#isFirst ? text : this.#frame.between + text
    this.#isFirst = false
  }
}

function csvLine(row: readonly (string | number | null)[], cells: CollectionQuery['cells']): string {
  let line = ''
  for (let at = 0; at < row.length; at++) {
    if (at > 0) line += ','
    line += cell(String(row[at] ?? ''), cells[at]?.isText ?? true)
  }
  return line
}

/**
 * A spreadsheet takes a text that begins with one of these for a formula and runs it; `import` takes one apostrophe
 * away.
 */
const FORMULA = /^'*[=+\-@\t\r]/
const NEEDS_QUOTES = /[",\r\n]/

/** RFC 4180; an apostrophe before what looks like a formula keeps it a text. */
function cell(text: string, isText: boolean): string {
  const safe = isText && FORMULA.test(text) ? `'${text}` : text
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
