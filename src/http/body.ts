// Request bodies: which media types are read, how large they may be, and JSON refused with the position.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { decodeUtf8, JsonError, type JsonValue, parseJson } from '../base/strict-json.ts'
import { malformed, unsupportedMediaType } from '../errors/catalogue.ts'
import { asError } from '../errors/thrown.ts'

/** Records are small; only file content is larger, and its routes say so. */
export const BODY_LIMIT_BYTES = 1024 * 1024

const JSON_TYPE = 'application/json'
const PATCH_TYPE = 'application/json-patch+json'

/** Teaches the server JSON bodies, and nothing else. */
export function acceptJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser([JSON_TYPE, PATCH_TYPE], { parseAs: 'buffer' }, (request, body, done) => {
    try {
      // Clients send the header with every request; a DELETE has nothing to say in a body.
      if (request.method === 'DELETE') {
        done(null, undefined)
        return
      }
      requireMediaType(request)
      done(null, readJson(body as Buffer))
    } catch (error) {
      done(asError(error))
    }
  })
}

/** A compressed body could be any size once unpacked: refused before it is read. */
export function refuseEncodedBody(request: FastifyRequest): void {
  const encoding = request.headers['content-encoding']
  if (encoding === undefined || encoding.toLowerCase() === 'identity') return
  throw unsupportedMediaType(`A request body must not be compressed (Content-Encoding: ${encoding.slice(0, 80)}).`)
}

/** Throws 415 for a charset that is not UTF-8, and for patches elsewhere than on PATCH. */
export function requireMediaType(request: FastifyRequest): void {
  const given = request.headers['content-type'] ?? ''
  const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(given)?.[1]
  if (charset && !/^utf-?8$/i.test(charset)) {
    throw unsupportedMediaType(`The charset '${charset.slice(0, 40)}' is not supported; JSON is sent as UTF-8.`)
  }
  const isPatchType = given.trimStart().toLowerCase().startsWith(PATCH_TYPE)
  if (isPatchType && request.method !== 'PATCH') {
    throw unsupportedMediaType(`${PATCH_TYPE} is for PATCH alone; send ${JSON_TYPE}.`)
  }
}

function readJson(bytes: Buffer): JsonValue {
  try {
    return parseJson(decodeUtf8(bytes))
  } catch (error) {
    if (error instanceof JsonError) throw malformed(`Malformed JSON at position ${error.position}: ${error.message}`)
    throw error
  }
}
