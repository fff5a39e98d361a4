// The compression of answers (RFC 9110, 8.4).
import type { IncomingHttpHeaders } from 'node:http'
import { promisify } from 'node:util'
import zlib from 'node:zlib'
import { preference, weightOf } from '../../base/preferences.ts'

/** Shorter bodies are not compressed. */
export const COMPRESSED_FROM_BYTES = 1_024

export type ContentCoding = 'gzip' | 'deflate'

const COMPRESSIBLE = /^text\/(?!event-stream)|[+/](?:json|xml)(?:;|$)/
const LEVEL = { level: 4 }
const zip = { gzip: promisify(zlib.gzip), deflate: promisify(zlib.deflate) }

/** How the client wants a body of the type; undefined: as it is. */
export function codingFor(asked: IncomingHttpHeaders, type: string): ContentCoding | undefined {
  const accepted = asked['accept-encoding']
  if (accepted === undefined || asked['x-no-compression'] !== undefined || !COMPRESSIBLE.test(type)) return undefined
  // `x-gzip` is the old name.
  const wishes = accepted.split(',').map(preference)
  const weights = new Map(wishes.map((wish) => [wish.name.replace('x-gzip', 'gzip'), weightOf(wish)]))
  const weightFor = (coding: string) => weights.get(coding) ?? weights.get('*') ?? 0
  const coding = weightFor('deflate') > weightFor('gzip') ? 'deflate' : 'gzip'
  // Without a weight of its own `identity` may be used, but is not asked for (RFC 9110, 12.5.3).
  return weightFor(coding) > 0 && weightFor(coding) >= weightFor('identity') ? coding : undefined
}

type Headers = Readonly<Record<string, string>>

export function encodedHeaders(headers: Headers | undefined, coding: ContentCoding): Headers {
  const { vary } = headers ?? {}
  const varies = vary?.includes('accept-encoding') ? [vary] : [vary ?? [], 'accept-encoding'].flat()
  return { ...headers, vary: varies.join(', '), 'content-encoding': coding }
}

export function compressed(body: string | Uint8Array, coding: ContentCoding): Promise<Buffer> {
  return zip[coding](body, LEVEL)
}

export function encoderOf(coding: ContentCoding): zlib.Gzip | zlib.Deflate {
  return coding === 'gzip' ? zlib.createGzip(LEVEL) : zlib.createDeflate(LEVEL)
}
