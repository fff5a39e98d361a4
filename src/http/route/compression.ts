// The compression of answers (RFC 9110, 8.4).
import type { IncomingHttpHeaders } from 'node:http'
import { promisify } from 'node:util'
import zlib from 'node:zlib'
import { negotiate } from '@fastify/accept-negotiator'

/** Shorter bodies are not compressed. */
export const COMPRESSED_FROM_BYTES = 1_024

export type ContentCoding = 'gzip' | 'deflate'

/** The one that is preferred comes first. */
const CODINGS: ContentCoding[] = ['gzip', 'deflate']
const COMPRESSIBLE = /^text\/(?!event-stream)|[+/](?:json|xml)(?:;|$)/
const LEVEL = { level: 4 }
const zip = { gzip: promisify(zlib.gzip), deflate: promisify(zlib.deflate) }

/** How the client wants a body of the type; undefined: as it is. */
export function codingFor(asked: IncomingHttpHeaders, type: string): ContentCoding | undefined {
  const accepted = asked['accept-encoding']
  if (accepted === undefined || asked['x-no-compression'] !== undefined || !COMPRESSIBLE.test(type)) return undefined
  // `*` and the old name of it mean gzip.
  const coding = negotiate(accepted.toLowerCase().replace(/\*|x-gzip/g, 'gzip'), CODINGS)
  return coding ?? undefined
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
