// JSON request bodies: their media types, size limit and syntax errors with the position.
import type { IncomingMessage } from 'node:http'
import { decodeUtf8, JsonError, type JsonLimits, type JsonValue, parseJson } from '../../base/strict-json.ts'
import { malformed, tooLarge, unsupportedMediaType } from '../../errors/catalogue.ts'
import type { PlainRequest } from '../route/plain-request.ts'

/** For records; routes that take files have a limit of their own. */
export const BODY_LIMIT_BYTES = 1024 * 1024

const JSON_TYPE = 'application/json'
const PATCH_TYPE = 'application/json-patch+json'

type ReadBody = (request: PlainRequest) => Promise<unknown> | undefined
/** How a route reads bodies, by their media type; `''` for those that name none. */
export type BodyReaders = ReadonlyMap<string, ReadBody>

/** A media type, with parameters or without (RFC 9110, 8.3.1). */
const MEDIA_TYPE = /^\s*([\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+)\s*(?:;|$)/

/**
 * The body by the reader of its media type; undefined if there is none. Throws 415 for any other type, and for none in
 * a page of another site: a browser lets it send such a body, with the credentials that it keeps, without asking.
 */
export function readBody(request: PlainRequest, readers: BodyReaders): Promise<unknown> | undefined {
  const { 'content-type': type, 'content-length': length = '0', 'transfer-encoding': coding, origin } = request.headers
  if (type === undefined && length === '0' && coding === undefined) return undefined
  const named = type === undefined ? '' : MEDIA_TYPE.exec(type)?.[1]?.toLowerCase()
  const read = named === undefined || (named === '' && origin !== undefined) ? undefined : readers.get(named)
  if (!read) throw notJson()
  return read(request)
}

export function notJson() {
  return unsupportedMediaType('The request body has a media type that is not read here: records are application/json.')
}

/** JSON is the only format of a body. */
export function jsonReaders(maxBytes = BODY_LIMIT_BYTES, limits?: JsonLimits): BodyReaders {
  const read: ReadBody = async (request) => {
    const bytes = await bodyBytes(request.raw, maxBytes)
    requireMediaType(request)
    return readJson(bytes, limits)
  }
  return new Map([JSON_TYPE, PATCH_TYPE, ''].map((type) => [type, read]))
}

/** The whole body. Throws 413 over the limit; the rest is then read and ignored. */
export function bodyBytes(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes)
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const chunks: Buffer[] = []
  let size = 0
  request.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size > maxBytes) reject(tooLarge(maxBytes))
    else chunks.push(chunk)
  })
  request.on('end', () => resolve(Buffer.concat(chunks)))
  request.on('error', reject)
  return promise
}

/** Throws 415 for a compressed body before it is read: it could have any size when decompressed. */
export function rejectEncodedBody({ headers }: Pick<PlainRequest, 'headers'>): void {
  const encoding = headers['content-encoding']
  if (encoding === undefined || encoding.toLowerCase() === 'identity') return
  const message = `A request body must not be compressed (Content-Encoding: ${encoding.slice(0, 80)}).`
  throw unsupportedMediaType(message, { 'accept-encoding': 'identity' })
}

/** Throws 415 for a charset other than UTF-8, and for a JSON Patch on a method other than PATCH. */
export function requireMediaType({ method, headers }: Pick<PlainRequest, 'method' | 'headers'>): void {
  const contentType = headers['content-type'] ?? ''
  const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(contentType)?.[1]
  if (charset && !/^utf-?8$/i.test(charset)) {
    throw unsupportedMediaType(`The charset '${charset.slice(0, 40)}' is not supported; JSON is sent as UTF-8.`)
  }
  const isPatchType = contentType.trimStart().toLowerCase().startsWith(PATCH_TYPE)
  if (isPatchType && method !== 'PATCH') {
    throw unsupportedMediaType(`${PATCH_TYPE} is for PATCH alone; send ${JSON_TYPE}.`)
  }
}

function readJson(bytes: Buffer, limits: JsonLimits | undefined): JsonValue {
  try {
    return parseJson(decodeUtf8(bytes), limits)
  } catch (error) {
    if (error instanceof JsonError) throw malformed(`Malformed JSON at position ${error.position}: ${error.message}`)
    throw error
  }
}
