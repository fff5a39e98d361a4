// A JSON parser as strict as RFC 8259 allows: it rejects whatever two parsers could read differently. JSON.parse would
// accept duplicate names, unlimited nesting and lone surrogates; here it only decodes strings with escapes.
import { isUtf8 } from 'node:buffer'
import { LongNumber, roundTrips } from './long-number.ts'
import { shortened } from './text.ts'

/** A parsed JSON value. */
export type JsonValue = string | number | LongNumber | boolean | null | JsonValue[] | JsonObject
export interface JsonObject {
  [name: string]: JsonValue
}

/** For texts that the service has written: read without bounds. Undefined for what is no JSON. */
export function jsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Whether the value is a JSON object, not an array or null. */
export function isObject(json: unknown): json is JsonObject {
  return typeof json === 'object' && json !== null && !Array.isArray(json) && !(json instanceof LongNumber)
}

/** Limits on the complexity of one text. */
export interface JsonLimits {
  /** Nesting of objects and arrays. */
  readonly depth: number
  /** Members of all objects in total. */
  readonly keys: number
  /** Items of all arrays in total. */
  readonly items: number
}

/** Far above any legal body: the largest is a record with 1,000 lines. */
const LIMITS: JsonLimits = { depth: 32, keys: 50_000, items: 20_000 }

/** A syntax error. `position` counts from 0, in UTF-16 units, or in bytes if the text is not UTF-8. */
export class JsonError extends Error {
  readonly position: number

  constructor(position: number, message: string) {
    super(message)
    this.position = position
  }
}

/** Parses a JSON text. Throws a JsonError at the first syntax error or exceeded limit. */
export function parseJson(text: string, limits: JsonLimits = LIMITS): JsonValue {
  return new JsonReader(text, limits).document()
}

/** Decodes UTF-8. Throws a JsonError with the position of the first invalid byte. */
export function decodeUtf8(bytes: Buffer): string {
  const text = bytes.toString('utf8')
  if (isUtf8(bytes)) return text
  throw new JsonError(firstInvalidByte(bytes, text), 'the text is not valid UTF-8')
}

/** Decoding replaces invalid bytes with U+FFFD, so the first U+FFFD that is not in the bytes marks the position. */
function firstInvalidByte(bytes: Buffer, text: string): number {
  let position = 0
  for (let from = 0; ; ) {
    const found = text.indexOf('\ufffd', from)
    position += Buffer.byteLength(text.slice(from, found))
    if (!bytes.subarray(position, position + REPLACEMENT.length).equals(REPLACEMENT)) return position
    position += REPLACEMENT.length
    from = found + 1
  }
}

const REPLACEMENT = Buffer.from('\ufffd')

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_LIST = 0x5b
const CLOSE_LIST = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const BYTE_ORDER_MARK = 0xfeff

/** Beyond this length a string is scanned by a regular expression: slower to start, but several times as fast. */
const SHORT_STRING = 40

class JsonReader {
  readonly text: string
  readonly limits: JsonLimits
  at: number
  keys = 0
  items = 0
  readonly #number = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y
  readonly #stop = /["\\\u0000-\u001f]/g

  constructor(text: string, limits: JsonLimits) {
    this.text = text
    this.limits = limits
    this.at = text.charCodeAt(0) === BYTE_ORDER_MARK ? 1 : 0
  }

  document(): JsonValue {
    this.skipBlanks()
    const value = this.value(1)
    this.skipBlanks()
    if (this.at < this.text.length) throw this.expected('the end of the text')
    return value
  }

  value(depth: number): JsonValue {
    switch (this.text.charCodeAt(this.at)) {
      case QUOTE:
        return this.string()
      case OPEN_OBJECT:
        return this.object(depth)
      case OPEN_LIST:
        return this.list(depth)
      case 0x74:
        return this.literal('true', true)
      case 0x66:
        return this.literal('false', false)
      case 0x6e:
        return this.literal('null', null)
      default:
        return this.number()
    }
  }

  object(depth: number): JsonObject {
    const result: JsonObject = {}
    if (this.open(depth, CLOSE_OBJECT)) return result
    for (;;) {
      const name = this.name(result)
      this.skipBlanks()
      if (this.text.charCodeAt(this.at) !== COLON) throw this.expected("':' after the name")
      this.at++
      this.skipBlanks()
      result[name] = this.value(depth + 1)
      if (this.next(CLOSE_OBJECT, "',' or '}' after the value")) return result
    }
  }

  list(depth: number): JsonValue[] {
    const result: JsonValue[] = []
    if (this.open(depth, CLOSE_LIST)) return result
    for (;;) {
      if (++this.items > this.limits.items) throw this.error(`the text has more than ${this.limits.items} items`)
      result.push(this.value(depth + 1))
      if (this.next(CLOSE_LIST, "',' or ']' after the value")) return result
    }
  }

  /** Skips the opening bracket, and the closing one if it follows directly; true in that case. */
  open(depth: number, close: number): boolean {
    if (depth > this.limits.depth) throw this.error(`nesting is deeper than ${this.limits.depth} levels`)
    this.at++
    this.skipBlanks()
    if (this.text.charCodeAt(this.at) !== close) return false
    this.at++
    return true
  }

  /** Skips the comma or closing bracket after a value; true for the bracket. */
  next(close: number, expectation: string): boolean {
    this.skipBlanks()
    const character = this.text.charCodeAt(this.at)
    if (character !== COMMA && character !== close) throw this.expected(expectation)
    this.at++
    if (character === close) return true
    this.skipBlanks()
    return false
  }

  name(owner: JsonObject): string {
    const start = this.at
    if (this.text.charCodeAt(start) !== QUOTE) throw this.expected('a name in double quotes')
    const name = this.string()
    if (++this.keys > this.limits.keys) throw this.error(`the text has more than ${this.limits.keys} members`, start)
    if (Object.hasOwn(owner, name))
      throw this.error(`the name '${shortened(name, 40)}' stands twice in one object`, start)
    if (name === '__proto__') throw this.error("the name '__proto__' is not allowed", start)
    if (/[\u0000-\u001f]/.test(name)) throw this.error('a name has a control character in it', start)
    return name
  }

  string(): string {
    const { text } = this
    const start = this.at + 1
    const end = this.stopFrom(start)
    const character = text.charCodeAt(end)
    if (character !== QUOTE && character !== BACKSLASH) throw this.stringError(end)
    const value = character === QUOTE ? text.slice(start, end) : this.escaped(start - 1, end)
    if (character === QUOTE) this.at = end + 1
    if (!value.isWellFormed()) throw this.error('a string has half of a surrogate pair in it', start - 1)
    return value
  }

  /** The index of the next quote, backslash or control character, or the end of the text. */
  stopFrom(start: number): number {
    const { text } = this
    const near = Math.min(start + SHORT_STRING, text.length)
    for (let at = start; at < near; at++) {
      const code = text.charCodeAt(at)
      if (code === QUOTE || code === BACKSLASH || code < 0x20) return at
    }
    this.#stop.lastIndex = near
    return this.#stop.test(text) ? this.#stop.lastIndex - 1 : text.length
  }

  /** A string with escapes: finds its end and decodes it with JSON.parse, which accepts the same escapes. */
  escaped(start: number, firstEscape: number): string {
    const end = this.closingQuote(firstEscape)
    let value: string
    try {
      value = JSON.parse(this.text.slice(start, end + 1)) as string
    } catch {
      throw this.stringError(firstEscape)
    }
    if (value.includes('\u0000')) throw this.error('a string has the character U+0000 in it', start)
    this.at = end + 1
    return value
  }

  closingQuote(from: number): number {
    for (let quote = this.text.indexOf('"', from); quote >= 0; quote = this.text.indexOf('"', quote + 1)) {
      let before = quote
      while (this.text.charCodeAt(before - 1) === BACKSLASH) before--
      if ((quote - before) % 2 === 0) return quote
    }
    throw this.stringError(from)
  }

  /** Scans a string that is known to be invalid for the position of the error. */
  stringError(from: number): JsonError {
    const { text } = this
    for (let at = from; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (code < 0x20) return this.error('a control character in a string must be escaped', at)
      if (code !== BACKSLASH) continue
      if (!/^(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/.test(text.slice(at + 1, at + 6))) {
        return this.error('an escape in a string is none of JSON', at)
      }
      at++
    }
    return this.error("expected '\"' at the end of the string, found the end of the text", text.length)
  }

  number(): number | LongNumber {
    const start = this.at
    this.#number.lastIndex = start
    if (!this.#number.test(this.text)) throw this.expected('a value')
    this.at = this.#number.lastIndex
    const text = this.text.slice(start, this.at)
    const value = Number(text)
    if (!Number.isFinite(value)) throw this.error('the number is too large', start)
    return roundTrips(text, value) ? value : new LongNumber(text)
  }

  literal<Value>(word: string, value: Value): Value {
    if (!this.text.startsWith(word, this.at)) throw this.expected('a value')
    this.at += word.length
    return value
  }

  skipBlanks(): void {
    const { text } = this
    for (;;) {
      const code = text.charCodeAt(this.at)
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return
      this.at++
    }
  }

  expected(what: string): JsonError {
    return this.error(`expected ${what}, found ${this.found()}`)
  }

  found(): string {
    const code = this.text.codePointAt(this.at)
    if (code === undefined) return 'the end of the text'
    if (code > 0x20 && code < 0x7f) return `'${String.fromCodePoint(code)}'`
    return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
  }

  error(message: string, position = this.at): JsonError {
    return new JsonError(position, message)
  }
}

/** A deep copy of plain data: objects, arrays and scalars. Some ten times as fast as `structuredClone`. */
export function copyOf<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || value instanceof LongNumber) return value
  if (Array.isArray(value)) return value.map(copyOf) as Value
  const copy: Record<string, unknown> = {}
  for (const name of Object.keys(value)) copy[name] = copyOf((value as Record<string, unknown>)[name])
  return copy as Value
}
