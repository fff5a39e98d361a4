// Takes the one large string out of a JSON body while the body comes in: the base64 text of the member `fileContent` of
// the outermost object is decoded and given on, all the rest is gathered to be read as ever.
import { Base64Error } from '../../base/base64.ts'
import { foldName } from '../../base/text.ts'
import { JsonBase64Decoder } from './json-base64.ts'

const FILE_CONTENT = 'filecontent'

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COLON = 0x3a
const COMMA = 0x2c
const OPEN_LIST = 0x5b
const CLOSE_LIST = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

/** Where in the text the next byte stands. */
type Place = 'outside' | 'string' | 'content'

/** What was found in place of the content: nothing, an empty text, bytes, or what is no base64. */
export type ContentFound = 'none' | 'empty' | 'bytes' | 'not-base64'

export class JsonSplitter {
  readonly #limitBytes: number
  readonly #onTooLong: () => Error
  readonly #rest: Buffer[] = []
  #restBytes = 0
  #place: Place = 'outside'
  /** The next byte of a string stands for no end of it. */
  #isEscaped = false
  #depth = 0
  /** In the outermost object, before a colon. */
  #expectsName = false
  #isContentNext = false
  #name: number[] | undefined
  #decoder = new JsonBase64Decoder()
  #found: ContentFound = 'none'
  /** Bytes that were taken out, and where in the rest they stood. */
  #takenBytes = 0
  #takenAt = 0

  /** `limitBytes` is for the rest; `onTooLong` makes what is thrown when it is longer. */
  constructor(limitBytes: number, onTooLong: () => Error) {
    this.#limitBytes = limitBytes
    this.#onTooLong = onTooLong
  }

  /** Takes the next bytes of the body; gives those of the content that they hold, decoded. */
  push(chunk: Buffer): Buffer[] {
    const content: Buffer[] = []
    let from = 0
    for (let at = 0; at < chunk.length; at++) {
      if (this.#place === 'content') {
        at = this.#passContent(chunk, at, content)
        from = at
      } else if (this.#passByte(chunk[at] as number)) {
        this.#keep(chunk.subarray(from, at + 1))
        from = at + 1
        this.#takenAt = this.#restBytes
      }
    }
    if (this.#place !== 'content') this.#keep(chunk.subarray(from))
    return content
  }

  get found(): ContentFound {
    return this.#found
  }

  /** The body with an empty text for the content. */
  rest(): Buffer {
    return Buffer.concat(this.#rest)
  }

  /** A position in the text of the rest as one in the whole body. */
  positionInBody(position: number): number {
    const before = this.rest().subarray(0, this.#takenAt).toString().length
    return position < before ? position : position + this.#takenBytes
  }

  #keep(bytes: Buffer): void {
    this.#restBytes += bytes.length
    if (this.#restBytes > this.#limitBytes) throw this.#onTooLong()
    // A copy: a few bytes must not hold the whole chunk.
    if (bytes.length > 0) this.#rest.push(Buffer.from(bytes))
  }

  /** True at the quote with which the content begins. */
  #passByte(byte: number): boolean {
    if (this.#place === 'string') {
      this.#passInString(byte)
      return false
    }
    switch (byte) {
      case QUOTE:
        return this.#beginString()
      case OPEN_OBJECT:
      case OPEN_LIST:
        this.#depth++
        this.#expectsName = this.#depth === 1 && byte === OPEN_OBJECT
        this.#isContentNext = false
        break
      case CLOSE_OBJECT:
      case CLOSE_LIST:
        this.#depth--
        break
      case COLON:
        this.#expectsName = false
        break
      case COMMA:
        this.#expectsName = this.#depth === 1
        this.#isContentNext = false
        break
    }
    return false
  }

  #beginString(): boolean {
    if (this.#isContentNext && !this.#expectsName) {
      this.#place = 'content'
      this.#isContentNext = false
      this.#found = 'empty'
      return true
    }
    this.#place = 'string'
    if (this.#depth === 1 && this.#expectsName) this.#name = []
    return false
  }

  #passInString(byte: number): void {
    if (!this.#isEscaped && byte === QUOTE) {
      this.#place = 'outside'
      if (this.#name) this.#isContentNext = foldName(nameOf(this.#name)) === FILE_CONTENT
      this.#name = undefined
      return
    }
    this.#isEscaped = !this.#isEscaped && byte === BACKSLASH
    this.#name?.push(byte)
  }

  /** Passes over the content as far as the chunk has it; gives the place of the next quote, or of the chunk's end. */
  #passContent(chunk: Buffer, from: number, content: Buffer[]): number {
    const quote = chunk.indexOf(QUOTE, from)
    const end = quote < 0 ? chunk.length : quote
    const characters = chunk.subarray(from, end)
    this.#takenBytes += characters.length
    this.#isEscaped = isEscapedAfter(characters, this.#isEscaped)
    this.#decode(characters, content)
    if (quote < 0) return chunk.length
    if (this.#isEscaped) this.#passQuote()
    else this.#endContent()
    return quote
  }

  /** A quote within the content: base64 has none. */
  #passQuote(): void {
    this.#isEscaped = false
    this.#takenBytes++
    this.#found = 'not-base64'
  }

  #decode(characters: Buffer, content: Buffer[]): void {
    if (characters.length === 0 || this.#found === 'not-base64') return
    try {
      const bytes = this.#decoder.push(characters)
      this.#found = 'bytes'
      if (bytes.length > 0) content.push(bytes)
    } catch (error) {
      this.#refuse(error)
    }
  }

  #endContent(): void {
    this.#place = 'outside'
    try {
      if (this.#found === 'bytes') this.#decoder.end()
    } catch (error) {
      this.#refuse(error)
    }
    this.#decoder = new JsonBase64Decoder()
  }

  #refuse(error: unknown): void {
    if (!(error instanceof Base64Error)) throw error
    this.#found = 'not-base64'
  }
}

/** A name as it is written in the text, which may have escapes in it. */
function nameOf(bytes: readonly number[]): string {
  const text = Buffer.from(bytes).toString()
  if (!text.includes('\\')) return text
  try {
    return JSON.parse(`"${text}"`) as string
  } catch {
    return text
  }
}

/** Whether the character behind these is escaped. */
function isEscapedAfter(characters: Buffer, isFirstEscaped: boolean): boolean {
  let at = characters.length
  while (at > 0 && characters[at - 1] === BACKSLASH) at--
  const backslashes = characters.length - at + (at === 0 && isFirstEscaped ? 1 : 0)
  return backslashes % 2 === 1
}
