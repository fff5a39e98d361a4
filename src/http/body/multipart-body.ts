// Receives a form with a file (multipart/form-data, RFC 7578): the fields are the members of the record; the file is
// written to disk while it is received.
import { once } from 'node:events'
import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import { Dicer } from '@fastify/busboy'
import { Base64Decoder, Base64Error } from '../../base/base64.ts'
import { JsonError, type JsonValue, parseJson } from '../../base/strict-json.ts'
import { foldName, isStorable } from '../../base/text.ts'
import { malformed, tooLarge } from '../../errors/catalogue.ts'
import type { GivenContent, StagedFile } from '../../files/file-store.ts'
import type { Staging } from '../../files/staging.ts'
import { BODY_LIMIT_BYTES } from '../pipeline/json-body.ts'
import type { ReadBody, UploadFormat } from '../route/upload-format.ts'
import {
  boundaryIn,
  decodeText,
  type FormPart,
  formPartOf,
  MAX_BOUNDARY_LENGTH,
  type PartHeaders,
  UnreadableName,
} from './form-part.ts'

/** A record with a file has some twelve fields. */
const MAX_FIELDS = 50
const MAX_PARTS = MAX_FIELDS + 2
const MAX_HEADERS_PER_PART = 20
/** RFC 2045, 6.2: these change nothing. */
const IDENTITY = ['', '7bit', '8bit', 'binary']

/** A part with this type is a file; without it, and without a file name, the content member is base64. */
const BYTES_TYPE = 'application/octet-stream'

export async function readMultipart(
  body: AsyncIterable<Buffer>,
  headers: IncomingHttpHeaders,
  format: UploadFormat,
  staging: Staging,
): Promise<ReadBody> {
  const form = new FormReader(headers, format, staging)
  try {
    for await (const chunk of body) await form.write(chunk)
    return await form.end()
  } catch (error) {
    await form.abort()
    throw error
  }
}

class FormReader {
  readonly #parser: Dicer
  readonly #format: UploadFormat
  readonly #staging: Staging
  readonly #fields = new Map<string, string>()
  readonly #fieldsEnded: Promise<unknown>[] = []
  #parts = 0
  #fileName = ''
  #isInvalidBase64 = false
  #stream: Readable | undefined
  #receiving: Promise<StagedFile> | undefined
  #fieldBytes = 0
  readonly #failure = Promise.withResolvers<never>()
  readonly #failed = this.#failure.promise
  readonly #fail = this.#failure.reject
  /** The parser finishes at the closing boundary, which for an empty form is before the body has ended. */
  readonly #finished: Promise<void>

  constructor(headers: IncomingHttpHeaders, format: UploadFormat, staging: Staging) {
    this.#format = format
    this.#staging = staging
    this.#failed.catch(() => {})
    this.#parser = parserFor(headers)
    this.#finished = new Promise((resolve) => this.#parser.once('finish', resolve))
    this.#parser.on('part', (stream) => {
      // The parser reports a truncated form too, and an error event without a listener would end the process.
      stream.on('error', () => {})
      stream.on('header', (header) => this.#takePart(stream, header as PartHeaders))
    })
    this.#parser.on('error', (error) => this.#fail(malformed(`The form cannot be read: ${error.message}.`)))
  }

  async write(chunk: Buffer): Promise<void> {
    const isReady = this.#parser.write(chunk)
    await Promise.race([this.#failed, this.#finished, isReady ? undefined : once(this.#parser, 'drain')])
  }

  async end(): Promise<ReadBody> {
    this.#parser.end()
    await Promise.race([this.#failed, this.#finished])
    await Promise.race([this.#failed, Promise.all(this.#fieldsEnded)])
    const file = this.#receiving && (await this.#receiving)
    const content: GivenContent =
      file === undefined ? 'none' : this.#isInvalidBase64 ? 'not-base64' : file.size === 0 ? 'empty' : file
    if (file && content !== file) await this.#staging.discard(file)
    return { body: this.#record(), content }
  }

  /** Discards what was received of a rejected form. */
  async abort(): Promise<void> {
    this.#parser.destroy()
    // The staging would wait for its end forever.
    this.#stream?.destroy()
    const file = await this.#receiving?.catch(() => undefined)
    if (file) await this.#staging.discard(file)
  }

  #takePart(stream: Readable, headers: PartHeaders): void {
    try {
      const part = formPartOf(headers)
      if (++this.#parts > MAX_PARTS) throw malformed(`The form has more than ${MAX_FIELDS} fields.`)
      if (part === undefined) stream.resume()
      else if (part.transferEncoding !== 'base64' && !IDENTITY.includes(part.transferEncoding)) {
        throw malformed(
          `The transfer encoding ${part.transferEncoding} in the form is not base64, binary, 8bit or 7bit.`,
        )
      } else if (this.#isFile(part)) this.#takeFile(stream, part)
      else this.#readField(stream, part)
    } catch (error) {
      stream.resume()
      const isName = error instanceof UnreadableName
      this.#fail(isName ? malformed('The name of the file is not a text: it is no UTF-8.') : error)
    }
  }

  #isFile({ name, fileName, type }: FormPart): boolean {
    return fileName !== undefined || type === BYTES_TYPE || isNamed(name, this.#format.contentMember)
  }

  #readField(stream: Readable, part: FormPart): void {
    if (this.#fieldsEnded.length === MAX_FIELDS) throw malformed(`The form has more than ${MAX_FIELDS} fields.`)
    const chunks: Buffer[] = []
    stream.on('data', (chunk: Buffer) => {
      this.#fieldBytes += chunk.length
      if (this.#fieldBytes > BODY_LIMIT_BYTES) this.#fail(tooLarge(BODY_LIMIT_BYTES))
      else chunks.push(chunk)
    })
    const ended = once(stream, 'end').then(() => this.#takeField(part, Buffer.concat(chunks)))
    this.#fieldsEnded.push(ended.catch((error: unknown) => this.#fail(error)))
  }

  #takeField({ name, charset, transferEncoding }: FormPart, bytes: Buffer): void {
    if (name === '') throw malformed('A field of the form has no name.')
    if (this.#fields.has(name)) throw malformed(`The field ${name} is given twice.`)
    const value = fieldText(bytes, charset, transferEncoding)
    if (value === undefined || !isStorable(value)) {
      throw malformed(`The field ${name} is not a text: it is no UTF-8, or U+0000 is in it.`)
    }
    this.#fields.set(name, value)
  }

  #takeFile(stream: Readable, { fileName, type, transferEncoding }: FormPart): void {
    if (this.#receiving) throw malformed('The form has more than one file.')
    this.#stream = stream
    this.#fileName = fileName ?? ''
    const isBase64 = transferEncoding === 'base64' || (fileName === undefined && type !== BYTES_TYPE)
    this.#receiving = this.#staging.take(isBase64 ? this.#decoded(stream) : stream, this.#format.maxBytes)
    this.#receiving.catch((error: unknown) => this.#fail(error))
  }

  /** Consumes the stream to its end even if it is invalid base64, which is reported with the other findings. */
  async *#decoded(characters: AsyncIterable<Buffer>): AsyncGenerator<Uint8Array, void, void> {
    const decoder = new Base64Decoder()
    try {
      // Copied, because decoding overwrites the characters and their memory belongs to the parser.
      for await (const chunk of characters) if (!this.#isInvalidBase64) yield this.#decode(decoder, Buffer.from(chunk))
      if (!this.#isInvalidBase64) decoder.end()
    } catch (error) {
      this.#markInvalid(error)
    }
  }

  #decode(decoder: Base64Decoder, characters: Buffer): Buffer {
    try {
      return decoder.push(characters)
    } catch (error) {
      this.#markInvalid(error)
      return Buffer.alloc(0)
    }
  }

  #markInvalid(error: unknown): void {
    if (!(error instanceof Base64Error)) throw error
    this.#isInvalidBase64 = true
  }

  #record(): JsonValue {
    const { nameMember, jsonFields } = this.#format
    const members = [...this.#fields].map(([name, value]) => [name, memberOf(name, value, jsonFields)] as const)
    const hasName = members.some(([name]) => isNamed(name, nameMember))
    return Object.fromEntries(hasName ? members : [...members, [nameMember, this.#fileName]])
  }
}

function parserFor({ 'content-type': type = '' }: IncomingHttpHeaders): Dicer {
  const boundary = boundaryIn(type)
  if (boundary === undefined) {
    throw malformed(`The form cannot be read: its boundary must have 1 to ${MAX_BOUNDARY_LENGTH} letters.`)
  }
  return new Dicer({ boundary, maxHeaderPairs: MAX_HEADERS_PER_PART })
}

/** Undefined for bytes that are no text. */
function fieldText(bytes: Buffer, charset: string, transferEncoding: string): string | undefined {
  try {
    if (transferEncoding !== 'base64') return decodeText(bytes, charset)
    const decoder = new Base64Decoder()
    const decoded = decoder.push(bytes)
    decoder.end()
    return decodeText(decoded, charset)
  } catch (error) {
    if (error instanceof UnreadableName || error instanceof Base64Error) return undefined
    throw error
  }
}

function isNamed(name: string, member: string): boolean {
  return foldName(name) === foldName(member)
}

function memberOf(name: string, value: string, jsonFields: readonly string[]): JsonValue {
  if (value === '' || !jsonFields.some((field) => isNamed(name, field))) return value
  try {
    return parseJson(value)
  } catch (error) {
    if (!(error instanceof JsonError)) throw error
    throw malformed(`Malformed JSON in the field ${name} at position ${error.position}: ${error.message}`)
  }
}
