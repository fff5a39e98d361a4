// Receives a form with a file (multipart/form-data, RFC 7578): the fields are the members of the record; the file is
// written to disk while it is received.
import { once } from 'node:events'
import type { IncomingHttpHeaders } from 'node:http'
import { Busboy, type BusboyFileStream, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy'
import { Base64Decoder, Base64Error, base64Length } from '../../base/base64.ts'
import { JsonError, type JsonValue, parseJson } from '../../base/strict-json.ts'
import { foldName, isStorable } from '../../base/text.ts'
import { malformed, tooLarge } from '../../errors/catalogue.ts'
import type { GivenContent, StagedFile } from '../../files/file-store.ts'
import type { Staging } from '../../files/staging.ts'
import { BODY_LIMIT_BYTES } from './json-body.ts'
import type { ReadBody, UploadFormat } from './upload-format.ts'

/** A record with a file has some twelve fields. */
const MAX_FIELDS = 50
const MAX_NAME_BYTES = 100
const MAX_HEADERS_PER_PART = 20

const LIMITS = {
  fieldNameSize: MAX_NAME_BYTES,
  // One byte more than is accepted: the parser cuts a longer field, which would go unnoticed otherwise.
  fieldSize: BODY_LIMIT_BYTES + 1,
  fields: MAX_FIELDS,
  parts: MAX_FIELDS + 2,
  headerPairs: MAX_HEADERS_PER_PART,
}

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
  readonly #parser: BusboyInstance
  readonly #format: UploadFormat
  readonly #staging: Staging
  readonly #fields = new Map<string, string>()
  #fileName = ''
  #isInvalidBase64 = false
  #stream: BusboyFileStream | undefined
  #receiving: Promise<StagedFile> | undefined
  #fieldBytes = 0
  #fail: (error: unknown) => void = () => {}
  readonly #failed: Promise<never>
  /** The parser finishes at the closing boundary, which for an empty form is before the body has ended. */
  readonly #finished: Promise<void>

  constructor(headers: IncomingHttpHeaders, format: UploadFormat, staging: Staging) {
    this.#format = format
    this.#staging = staging
    this.#failed = new Promise<never>((_resolve, reject) => (this.#fail = reject))
    this.#failed.catch(() => {})
    this.#parser = parserFor(headers, format)
    this.#finished = new Promise((resolve) => this.#parser.once('finish', resolve))
    this.#parser.on('field', (name: string | undefined, value) => this.#takeField(name ?? '', value))
    this.#parser.on('file', (_name, stream, fileName: string | undefined, _encoding, type) =>
      this.#takeFile(stream, fileName, type),
    )
    this.#parser.on('fieldsLimit', () => this.#fail(malformed(`The form has more than ${MAX_FIELDS} fields.`)))
    this.#parser.on('partsLimit', () => this.#fail(malformed(`The form has more than ${MAX_FIELDS} fields.`)))
    this.#parser.on('error', (error: unknown) => this.#fail(malformed(`The form cannot be read: ${textOf(error)}.`)))
  }

  async write(chunk: Buffer): Promise<void> {
    const isReady = this.#parser.write(chunk)
    await Promise.race([this.#failed, this.#finished, isReady ? undefined : once(this.#parser, 'drain')])
  }

  async end(): Promise<ReadBody> {
    this.#parser.end()
    await Promise.race([this.#failed, this.#finished])
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

  #takeField(name: string, value: string): void {
    this.#fieldBytes += Buffer.byteLength(value)
    if (this.#fieldBytes > BODY_LIMIT_BYTES) this.#fail(tooLarge(BODY_LIMIT_BYTES))
    else if (name === '') this.#fail(malformed('A field of the form has no name.'))
    else if (!isText(value))
      this.#fail(malformed(`The field ${name} is not a text: it is no UTF-8, or U+0000 is in it.`))
    else if (this.#fields.has(name)) this.#fail(malformed(`The field ${name} is given twice.`))
    else this.#fields.set(name, value)
  }

  #takeFile(stream: BusboyFileStream, fileName: string | undefined, type: string): void {
    // The parser reports a truncated form too, and an error event without a listener would end the process.
    stream.on('error', () => {})
    if (this.#receiving) {
      stream.resume()
      this.#fail(malformed('The form has more than one file.'))
      return
    }
    if (!isText(fileName ?? '')) this.#fail(malformed('The name of the file is not a text: it is no UTF-8.'))
    this.#stream = stream
    this.#fileName = fileName ?? ''
    const isBase64 = fileName === undefined && type !== BYTES_TYPE
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

function parserFor(headers: IncomingHttpHeaders, { contentMember, maxBytes }: UploadFormat): BusboyInstance {
  // The staging enforces the exact limit, on the decoded bytes.
  const limits = { ...LIMITS, fileSize: base64Length(maxBytes + 1) }
  const isPartAFile = (name: string | undefined, type: string | undefined, fileName: string | undefined) =>
    fileName !== undefined || type === BYTES_TYPE || isNamed(name ?? '', contentMember)
  try {
    return new Busboy({ headers: headers as BusboyHeaders, limits, isPartAFile })
  } catch (error) {
    throw malformed(`The form cannot be read: ${textOf(error)}.`)
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

/** The parser has replaced invalid UTF-8 with U+FFFD. */
function isText(value: string): boolean {
  return isStorable(value) && !value.includes('\ufffd')
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
