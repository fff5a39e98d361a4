// Receives a JSON body with a file in base64: while the body is received, the base64 string of one member of the
// outermost object is decoded and written to disk, and the rest is buffered for the JSON parser.
import { Base64Error } from '../../base/base64.ts'
import { decodeUtf8, JsonError, type JsonValue, jsonOrUndefined, parseJson } from '../../base/strict-json.ts'
import { foldName } from '../../base/text.ts'
import { malformed, tooLarge } from '../../errors/catalogue.ts'
import type { GivenContent } from '../../files/file-store.ts'
import type { Staging } from '../../files/staging.ts'
import { BODY_LIMIT_BYTES } from '../pipeline/json-body.ts'
import type { ReadBody, UploadFormat } from '../route/upload-format.ts'
import { JsonBase64Decoder } from './json-base64.ts'

export async function readJsonWithFile(
  body: AsyncIterable<Buffer>,
  { contentMember, maxBytes }: UploadFormat,
  staging: Staging,
): Promise<ReadBody> {
  const splitter = new JsonSplitter(contentMember)
  const file = await staging.take(contentIn(body, splitter), maxBytes)
  const content: GivenContent = splitter.found === 'bytes' ? file : splitter.found
  try {
    if (content !== file) await staging.discard(file)
    return { body: parseRest(splitter), content }
  } catch (error) {
    await staging.discard(content)
    throw error
  }
}

async function* contentIn(body: AsyncIterable<Buffer>, splitter: JsonSplitter): AsyncGenerator<Uint8Array, void, void> {
  for await (const chunk of body) yield* splitter.push(chunk)
}

function parseRest(splitter: JsonSplitter): JsonValue {
  try {
    return parseJson(decodeUtf8(splitter.rest()))
  } catch (error) {
    if (!(error instanceof JsonError)) throw error
    throw malformed(`Malformed JSON at position ${splitter.positionInBody(error.position)}: ${error.message}`)
  }
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COLON = 0x3a
const COMMA = 0x2c
const OPEN_LIST = 0x5b
const CLOSE_LIST = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

/** What the next byte belongs to. */
type State = 'outside' | 'string' | 'content'

/** What the content member holds: it is absent, an empty string, decodable, or invalid base64. */
type ContentFound = 'none' | 'empty' | 'bytes' | 'not-base64'

/** Decodes the base64 string of one member of the outermost object and passes it on; buffers the rest. */
export class JsonSplitter {
  readonly #member: string
  readonly #rest: Buffer[] = []
  #restBytes = 0
  #state: State = 'outside'
  /** The next byte of the string is escaped, so a quote would not end it. */
  #isEscaped = false
  #depth = 0
  /** The next string is a member name of the outermost object. */
  #expectsName = false
  #isContentNext = false
  #name: number[] | undefined
  #decoder = new JsonBase64Decoder()
  #found: ContentFound = 'none'
  /** Length of the base64 text, and its offset in the rest. */
  #contentBytes = 0
  #contentAt = 0

  /** `member`: the name of the member with the content, in any letter case. */
  constructor(member: string) {
    this.#member = foldName(member)
  }

  /** Takes the next chunk of the body; returns the decoded content in it, whose memory is that of the chunk. */
  push(chunk: Buffer): Buffer[] {
    const content: Buffer[] = []
    let restStart = 0
    for (let index = 0; index < chunk.length; index++) {
      if (this.#state === 'content') {
        index = this.#passContent(chunk, index, content)
        restStart = index
      } else if (this.#passByte(chunk[index] as number)) {
        this.#addToRest(chunk.subarray(restStart, index + 1))
        restStart = index + 1
        this.#contentAt = this.#restBytes
      }
    }
    if (this.#state !== 'content') this.#addToRest(chunk.subarray(restStart))
    return content
  }

  get found(): ContentFound {
    return this.#found
  }

  /** The body with an empty string in place of the content. */
  rest(): Buffer {
    return Buffer.concat(this.#rest)
  }

  /** Converts a position in the text of the rest to one in the complete body. */
  positionInBody(position: number): number {
    const before = this.rest().subarray(0, this.#contentAt).toString().length
    return position < before ? position : position + this.#contentBytes
  }

  #addToRest(bytes: Buffer): void {
    this.#restBytes += bytes.length
    if (this.#restBytes > BODY_LIMIT_BYTES) throw tooLarge(BODY_LIMIT_BYTES)
    // Copied, so that a few bytes do not retain the memory of the chunk.
    if (bytes.length > 0) this.#rest.push(Buffer.from(bytes))
  }

  /** True for the opening quote of the content. */
  #passByte(byte: number): boolean {
    if (this.#state === 'string') {
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
      this.#state = 'content'
      this.#isContentNext = false
      this.#found = 'empty'
      return true
    }
    this.#state = 'string'
    if (this.#depth === 1 && this.#expectsName) this.#name = []
    return false
  }

  #passInString(byte: number): void {
    if (!this.#isEscaped && byte === QUOTE) {
      this.#state = 'outside'
      if (this.#name) this.#isContentNext = foldName(memberName(this.#name)) === this.#member
      this.#name = undefined
      return
    }
    this.#isEscaped = !this.#isEscaped && byte === BACKSLASH
    this.#name?.push(byte)
  }

  /** Decodes the content up to the next quote or the end of the chunk; returns that index. */
  #passContent(chunk: Buffer, from: number, content: Buffer[]): number {
    const quote = chunk.indexOf(QUOTE, from)
    const end = quote < 0 ? chunk.length : quote
    const characters = chunk.subarray(from, end)
    this.#contentBytes += characters.length
    this.#isEscaped = isEscapedAfter(characters, this.#isEscaped)
    this.#decode(characters, content)
    if (quote < 0) return chunk.length
    if (this.#isEscaped) this.#passQuote()
    else this.#endContent()
    return quote
  }

  /** Handles an escaped quote in the content, which makes it invalid base64. */
  #passQuote(): void {
    this.#isEscaped = false
    this.#contentBytes++
    this.#found = 'not-base64'
  }

  #decode(characters: Buffer, content: Buffer[]): void {
    if (characters.length === 0 || this.#found === 'not-base64') return
    try {
      const bytes = this.#decoder.push(characters)
      if (bytes.length === 0) return
      this.#found = 'bytes'
      content.push(bytes)
    } catch (error) {
      this.#markInvalid(error)
    }
  }

  #endContent(): void {
    this.#state = 'outside'
    try {
      if (this.#found !== 'not-base64') this.#decoder.end()
    } catch (error) {
      this.#markInvalid(error)
    }
    this.#decoder = new JsonBase64Decoder()
  }

  #markInvalid(error: unknown): void {
    if (!(error instanceof Base64Error)) throw error
    this.#found = 'not-base64'
  }
}

/** Decodes a member name, which may have escapes. */
function memberName(bytes: readonly number[]): string {
  const text = Buffer.from(bytes).toString()
  if (!text.includes('\\')) return text
  return (jsonOrUndefined(`"${text}"`) as string | undefined) ?? text
}

/** Whether the character after these is escaped. */
function isEscapedAfter(characters: Buffer, isFirstEscaped: boolean): boolean {
  let start = characters.length
  while (start > 0 && characters[start - 1] === BACKSLASH) start--
  const backslashes = characters.length - start + (start === 0 && isFirstEscaped ? 1 : 0)
  return backslashes % 2 === 1
}
