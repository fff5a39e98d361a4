// The records of an answer, each parsed when it is looked at: the bytes of a page are a tenth of what its records take
// once they are parsed, and are no part of the heap that is searched for what can go.
import { parseExact } from '../../base/long-number.ts'
import type { JsonObject } from '../../base/strict-json.ts'
import { SourceFailure } from './source.ts'

/** Items that are made when they are looked at, or an array. */
export interface Items<Item> extends Iterable<Item> {
  readonly length: number
  slice(from: number, to?: number): Items<Item>
}

export class SourceRows implements Items<JsonObject> {
  readonly #bytes: Buffer<ArrayBuffer>
  /** Where each row begins and ends. */
  readonly #places: Uint32Array

  constructor(bytes: Buffer<ArrayBuffer>, places: Uint32Array) {
    this.#bytes = bytes
    this.#places = places
  }

  get length(): number {
    return this.#places.length / 2
  }

  /** Throws `SourceFailure` where the row is no JSON. */
  at(index: number): JsonObject | undefined {
    const place = 2 * (index < 0 ? index + this.length : index)
    const [from, to] = [this.#places[place], this.#places[place + 1]]
    if (from === undefined) return undefined
    const text = this.#bytes.toString('utf8', from, to)
    try {
      return parseExact(text) as JsonObject
    } catch {
      throw noRecords(text)
    }
  }

  slice(from: number, to = this.length): SourceRows {
    return new SourceRows(this.#bytes, this.#places.subarray(from * 2, to * 2))
  }

  /** Gives the bytes back, for which no search for what can go is due for long. No row can be read any more. */
  free(): void {
    this.#bytes.buffer.transfer(0)
  }

  *[Symbol.iterator](): Generator<JsonObject> {
    for (let index = 0; index < this.length; index += 1) yield this.at(index) as JsonObject
  }
}

/** The rows of a list, or of lines. Throws `SourceFailure` where the bytes are neither, as those of half an answer. */
export function rowsIn(bytes: Buffer<ArrayBuffer>, isLines: boolean): SourceRows {
  const places = isLines ? placesOfLines(bytes) : placesOfList(bytes)
  if (!places) throw noRecords(bytes.toString('utf8', 0, EXCERPT))
  return new SourceRows(bytes, Uint32Array.from(places))
}

function placesOfLines(bytes: Buffer): number[] | undefined {
  const places: number[] = []
  for (let at = start(bytes); at < bytes.length; at = afterBlanks(bytes, at)) {
    const end = endOfObject(bytes, at)
    if (end === undefined) return undefined
    places.push(at, end)
    at = end
  }
  return places
}

function placesOfList(bytes: Buffer): number[] | undefined {
  const places: number[] = []
  let at = start(bytes)
  if (bytes[at] !== OPEN_LIST) return undefined
  at = afterBlanks(bytes, at + 1)
  while (bytes[at] !== CLOSE_LIST || places.length > 0) {
    const end = endOfObject(bytes, at)
    if (end === undefined) return undefined
    places.push(at, end)
    at = afterBlanks(bytes, end)
    if (bytes[at] === CLOSE_LIST) break
    if (bytes[at] !== COMMA) return undefined
    at = afterBlanks(bytes, at + 1)
  }
  return afterBlanks(bytes, at + 1) === bytes.length ? places : undefined
}

/** The first byte that is no blank, behind the mark that some systems begin a text with. */
function start(bytes: Buffer): number {
  return afterBlanks(bytes, bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK) ? 3 : 0)
}

function afterBlanks(bytes: Buffer, from: number): number {
  let at = from
  while (at < bytes.length && BLANKS.has(bytes[at] ?? 0)) at += 1
  return at
}

/** The end of the object that begins there; undefined where none does, or it has no end. */
function endOfObject(bytes: Buffer, from: number): number | undefined {
  if (bytes[from] !== OPEN_OBJECT) return undefined
  let [depth, isInText] = [0, false]
  for (let at = from; at < bytes.length; at += 1) {
    const byte = bytes[at]
    if (isInText) {
      if (byte === BACKSLASH) at += 1
      else if (byte === QUOTE) isInText = false
    } else if (byte === QUOTE) isInText = true
    else if (byte === OPEN_OBJECT) depth += 1
    else if (byte === CLOSE_OBJECT) {
      depth -= 1
      if (depth === 0) return at + 1
    }
  }
  return undefined
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const OPEN_LIST = 0x5b
const CLOSE_LIST = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const BLANKS: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d])
const BYTE_ORDER_MARK = Buffer.from('\ufeff')
const EXCERPT = 100

function noRecords(text: string): SourceFailure {
  return new SourceFailure(0, `no list of records: ${text.slice(0, EXCERPT)}`, { isOfSize: true })
}
