// JSON request bodies: their media types, size limit and syntax errors with the position.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { decodeUtf8, JsonError, type JsonLimits, type JsonValue, parseJson } from '../../base/strict-json.ts'
import { malformed, unsupportedMediaType } from '../../errors/catalogue.ts'
import { asError } from '../../errors/thrown.ts'
import type { RouteDeclaration } from '../route/route.ts'

/** For records; routes that take files have a limit of their own. */
export const BODY_LIMIT_BYTES = 1024 * 1024

const JSON_TYPE = 'application/json'
const PATCH_TYPE = 'application/json-patch+json'

/** Makes JSON the only body format of the server. */
export function acceptJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser([JSON_TYPE, PATCH_TYPE], { parseAs: 'buffer' }, (request, body, done) => {
    try {
      // Some clients send Content-Type with every request; the body of a DELETE is ignored.
      if (request.method === 'DELETE') {
        done(null, undefined)
        return
      }
      requireMediaType(request)
      const { jsonLimits } = request.routeOptions.config as RouteDeclaration
      done(null, readJson(body as Buffer, jsonLimits))
    } catch (error) {
      done(asError(error))
    }
  })
}

/** Throws 415 for a compressed body before it is read: it could have any size when decompressed. */
export function rejectEncodedBody(request: FastifyRequest): void {
  const encoding = request.headers['content-encoding']
  if (encoding === undefined || encoding.toLowerCase() === 'identity') return
  throw unsupportedMediaType(`A request body must not be compressed (Content-Encoding: ${encoding.slice(0, 80)}).`)
}

/** Throws 415 for a charset other than UTF-8, and for a JSON Patch on a method other than PATCH. */
export function requireMediaType({ method, headers }: Pick<FastifyRequest, 'method' | 'headers'>): void {
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
