// Reads rows as the store sends them, a JSON array or object in each line, and tells the values of each column apart
// without parsing them: a value that is that of the row before is found by comparing bytes alone.
import { DistinctTexts } from './distinct-texts.ts'

const LINE_FEED = 0x0a
const SPACE = 0x20
const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const OPENING_BRACKET = 0x5b
const BACKSLASH = 0x5c
const CLOSING_BRACKET = 0x5d
const OPENING_BRACE = 0x7b
const CLOSING_BRACE = 0x7d

/** The values of a column in the rows of a group. */
export class ScannedColumn {
  readonly texts = new DistinctTexts()
  /** The number of each row's text among the distinct ones. */
  readonly rows: Uint32Array
  /** What the row before in the same chunk had: where its text was, how long it was, and its number. */
  lastStart = 0
  lastLength = 0
  lastNumber = 0

  constructor(most: number) {
    this.rows = new Uint32Array(most)
  }
}

export class RowScanner {
  readonly columns: readonly ScannedColumn[]
  readonly #most: number
  /** Rows since the last `clear`. */
  count = 0
  #hash = 0

  /** `most`: the number of rows between two calls of `clear`. */
  constructor(columns: number, most: number) {
    this.#most = most
    this.columns = Array.from({ length: columns }, () => new ScannedColumn(most))
  }

  /**
   * Adds the complete rows of a chunk from a position on, up to `target` rows in all; returns the position after them.
   */
  addRows(chunk: Uint8Array, from: number, target = this.#most): number {
    // What the row before was is known within one chunk alone.
    for (const column of this.columns) column.lastLength = 0
    let at = from
    while (at < chunk.length && this.count < target) {
      const end = chunk.indexOf(LINE_FEED, at)
      if (end < 0) break
      this.#addRow(chunk, at)
      at = end + 1
    }
    return at
  }

  /** The size of the distinct values. */
  get bytes(): number {
    return this.columns.reduce((sum, { texts }) => sum + texts.bytes, 0)
  }

  clear(): void {
    this.count = 0
    for (const { texts } of this.columns) texts.clear()
  }

  #addRow(chunk: Uint8Array, start: number): void {
    const { columns } = this
    const row = this.count
    const isObject = chunk[start] === OPENING_BRACE
    let at = start + 1
    for (let index = 0; index < columns.length; index++) {
      if (isObject) at = afterName(chunk, at)
      while (chunk[at] === SPACE) at++
      const column = columns[index] as ScannedColumn
      const { lastStart, lastLength } = column
      const end = at + lastLength
      if (lastLength > 0 && isDelimiter(chunk[end]) && isSame(chunk, lastStart, at, lastLength)) {
        column.lastStart = at
        at = end + 1
      } else {
        at = this.#addValue(chunk, at, column)
      }
      column.rows[row] = column.lastNumber
    }
    this.count += 1
  }

  #addValue(chunk: Uint8Array, start: number, column: ScannedColumn): number {
    const end = this.#endOf(chunk, start)
    column.lastNumber = column.texts.numberOf(chunk, start, end, this.#hash)
    column.lastStart = start
    column.lastLength = end - start
    return end + 1
  }

  /** The end of a value, whose hash is then known. */
  #endOf(chunk: Uint8Array, start: number): number {
    let hash = 0
    let at = start
    const first = chunk[at] as number
    if (first === QUOTE) {
      for (at++; chunk[at] !== QUOTE; at++) {
        if (chunk[at] === BACKSLASH) at++
        hash = (Math.imul(hash, 31) + (chunk[at] as number)) | 0
      }
      at++
    } else if (first === OPENING_BRACKET || first === OPENING_BRACE) {
      at = endOfList(chunk, at)
      for (let byte = start; byte < at; byte++) hash = (Math.imul(hash, 31) + (chunk[byte] as number)) | 0
    } else {
      for (; !isDelimiter(chunk[at]); at++) hash = (Math.imul(hash, 31) + (chunk[at] as number)) | 0
    }
    this.#hash = hash
    return at
  }
}

function isDelimiter(byte: number | undefined): boolean {
  return byte === COMMA || byte === CLOSING_BRACKET || byte === CLOSING_BRACE || byte === undefined
}

function isSame(chunk: Uint8Array, one: number, other: number, length: number): boolean {
  for (let at = 0; at < length; at++) if (chunk[one + at] !== chunk[other + at]) return false
  return true
}

/** Names of members are made by the store, and have nothing to escape. */
function afterName(chunk: Uint8Array, start: number): number {
  let at = start
  while (chunk[at] !== COLON) at++
  return at + 1
}

function endOfList(chunk: Uint8Array, start: number): number {
  let depth = 0
  let isText = false
  for (let at = start; at < chunk.length; at++) {
    const byte = chunk[at]
    if (isText) {
      if (byte === BACKSLASH) at++
      else if (byte === QUOTE) isText = false
    } else if (byte === QUOTE) isText = true
    else if (byte === OPENING_BRACKET || byte === OPENING_BRACE) depth++
    else if (byte === CLOSING_BRACKET || byte === CLOSING_BRACE) {
      depth--
      if (depth === 0) return at + 1
    }
  }
  throw new Error('a row ends within a list')
}
