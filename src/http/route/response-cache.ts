// The response cache. Whatever a response depends on is either in its key (rights, URL, the headers that select a
// representation) or watched by its validity; a new setup empties the cache.
import { isAscii } from 'node:buffer'
import { hash } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { LRUCache } from 'lru-cache'
import type { Caller } from '../../access/caller.ts'
import { Doorkeeper } from '../../base/doorkeeper.ts'
import { CHANGE_NUMBER, holdsTag } from '../../base/etag.ts'
import type { Validity } from '../../base/validity.ts'
import type { ResponseMetrics, RouteMetrics } from '../../observe/metrics.ts'
import { COMPRESSED_FROM_BYTES, compressed } from './compression.ts'
import { addHeaders, type Reply } from './send.ts'

/** In each process. */
const MAX_BYTES = 32 * 1024 * 1024
/** A longer response has only its entity tag cached: making the body costs little compared with sending it. */
const MAX_CACHED_BODY_BYTES = 256 * 1024
/** Approximate size of an entry without its key and bodies. */
const ENTRY_BYTES = 1_500

export interface CachedResponse {
  readonly validity: Validity
  readonly variants: CachedVariants
  /** The metrics of its route. */
  readonly metrics: RouteMetrics
  readonly companyId: string | undefined
}

/** A cache miss whose response is being made. */
export interface CacheLookup {
  readonly key: string
  /** The same request came recently, so its response is worth caching. */
  readonly isRepeatedRead: boolean
  readonly epoch: number
  /** The request whose response is being made. */
  readonly record: { readonly metrics: RouteMetrics; readonly companyId: string | undefined }
}

export class ResponseCache {
  readonly #entries = new LRUCache<string, CachedResponse>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ variants }, key) => ENTRY_BYTES + 2 * key.length + sizeOf(variants),
  })
  readonly #doorkeeper = new Doorkeeper()
  readonly #metrics: ResponseMetrics
  readonly #program: string
  /** Grows with every setup: a response started under an earlier one is not cached. */
  #epoch = 0
  #setup = 0

  /** `program` identifies the version of the service. */
  constructor(program: string, metrics: ResponseMetrics) {
    this.#program = program
    this.#metrics = metrics
    metrics.bytes = () => this.#entries.calculatedSize
  }

  /** Called when another setup comes into force. */
  invalidate(setup: number): void {
    this.#setup = setup
    this.#epoch += 1
    this.#entries.clear()
  }

  /** Callers with equal rights share responses: nothing else about a caller affects a response. */
  keyOf(request: IncomingMessage, caller: Caller): string {
    return `${request.method} ${request.url}\n${selectionOf(request, caller)}`
  }

  find(key: string): CachedResponse | undefined {
    return this.#entries.get(key)
  }

  startLookup(key: string, record: CacheLookup['record']): CacheLookup {
    const isRepeatedRead = this.#doorkeeper.hasSeen(key)
    return { key, isRepeatedRead, epoch: this.#epoch, record }
  }

  /** An entity tag that differs by state, rights, selecting headers, setup and version of the service. */
  tagOf(request: Pick<IncomingMessage, 'headers'>, caller: Caller, validity: Validity): string {
    const text = `${this.#program}\n${this.#setup}\n${selectionOf(request, caller)}\n${validity.tag}`
    return `W/"${hash('sha256', text, 'base64url').slice(0, 22)}"`
  }

  store({ key, epoch, isRepeatedRead, record }: CacheLookup, reply: Reply): void {
    const { validity, status } = reply
    if (!validity || epoch !== this.#epoch) return
    if (isRepeatedRead || status === 304) {
      const { metrics, companyId } = record
      this.#entries.set(key, { validity, variants: variantsOf(reply, MAX_CACHED_BODY_BYTES), metrics, companyId })
    }
  }

  /** The cached reply of a variant, counted as a hit; undefined if that variant is not cached. */
  replyFor({ variants }: CachedResponse, variant: Variant): CachedReply | undefined {
    const reply = variants[variant]
    if (reply) this.#metrics.hits[reply.status] += 1
    return reply
  }

  /** Makes the gzip variant if it is missing. */
  async compress(key: string, cached: CachedResponse): Promise<void> {
    const { variants } = cached
    if (!variants.plain || variants.zipped) return
    variants.zipped = await zippedOf(variants.plain)
    // Set again, because the cache determines an entry's size when it is set.
    if (this.#entries.peek(key) === cached) this.#entries.set(key, { ...cached })
  }
}

/** Whatever selects the response besides the URL: the caller's rights and the negotiation headers. */
function selectionOf({ headers }: Pick<IncomingMessage, 'headers'>, { rights }: Caller): string {
  const { accept = '', 'accept-language': language = '' } = headers
  return `${rights}\n${accept === '*/*' ? '' : accept}\n${language === '*' ? '' : language}`
}

/** Matches plain `gzip` without a quality value. Other preferences are left to compression.ts. */
export const ACCEPTS_GZIP = /(?:^|,)\s*gzip\s*(?:,|$)/i
/** Node sends a body given as a string in one packet with the headers. */
const SHORT_BYTES = 16 * 1024

/** A response that is ready to be sent. */
export interface CachedReply {
  readonly status: 200 | 304
  /** Names and values in turn, as Node writes them. The first is `x-request-id`, filled in for each request. */
  readonly headers: string[]
  /** Where the change number is among them; 0 where there is none. */
  readonly numberAt: number
  readonly body: Buffer
  /** The body as a string, if it is short and pure ASCII. */
  readonly text: string | undefined
}

type Content = Pick<Reply, 'body' | 'headers'>

/** One response in the variants in which it may be sent. */
interface CachedVariants {
  readonly etag: string | undefined
  /** The 304. */
  readonly unchanged: CachedReply | undefined
  readonly plain: CachedReply | undefined
  /** Made on the first request that accepts gzip. */
  zipped?: CachedReply
}

export type Variant = 'unchanged' | 'plain' | 'zipped'

/** The variant for a request; undefined if none fits. `zipped` may have to be made first. */
export function variantFor(
  { etag, unchanged, plain }: CachedVariants,
  headers: IncomingHttpHeaders,
): Variant | undefined {
  if (unchanged && etag !== undefined && holdsTag(headers['if-none-match'], etag)) return 'unchanged'
  if (!plain) return undefined
  const accepted = headers['accept-encoding']
  if (accepted === undefined || plain.body.length < COMPRESSED_FROM_BYTES) return 'plain'
  return ACCEPTS_GZIP.test(String(accepted)) ? 'zipped' : undefined
}

/** The variants of a reply, without the body if that is longer than `maxBytes` or streamed. */
function variantsOf(reply: Reply, maxBytes: number): CachedVariants {
  const { etag } = reply.headers ?? {}
  const unchanged = etag === undefined ? undefined : cachedReply(304, { headers: headersOfUnchanged(reply) })
  return { etag, unchanged, plain: reply.status === 200 ? plainOf(reply, maxBytes) : undefined }
}

const OF_UNCHANGED = ['etag', 'vary', CHANGE_NUMBER]

function headersOfUnchanged({ headers = {} }: Reply): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => OF_UNCHANGED.includes(name)))
}

function plainOf(reply: Reply, maxBytes: number): CachedReply | undefined {
  const { body = '' } = reply
  if (typeof body !== 'string' && !(body instanceof Uint8Array)) return undefined
  const bytes = Buffer.from(body)
  return bytes.length > maxBytes ? undefined : cachedReply(200, reply, bytes)
}

function cachedReply(status: 200 | 304, reply: Content, body = Buffer.alloc(0)): CachedReply {
  const headers = addHeaders(['x-request-id', ''], reply)
  // Last, as `send` has it, and none where HEAD counts: the headers do not tell whether a response comes from the
  // cache.
  if (status === 200 && reply.body !== undefined) headers.push('content-length', String(body.length))
  const text = body.length <= SHORT_BYTES && isAscii(body) ? body.toString('latin1') : undefined
  return { status, headers, numberAt: headers.indexOf(CHANGE_NUMBER) + 1, body, text }
}

async function zippedOf({ headers, numberAt, body }: CachedReply): Promise<CachedReply> {
  const zipped = await compressed(body, 'gzip')
  const others = headers.slice(0, headers.indexOf('content-length'))
  const last = ['content-encoding', 'gzip', 'content-length', String(zipped.length)]
  return { status: 200, headers: [...others, ...last], numberAt, body: zipped, text: undefined }
}

/**
 * Sends a cached reply whose validity was found to be current. Its change number is renewed: with an old one a reader
 * would be told again of changes that it has, or hear that they are no longer kept, however often it starts over.
 */
export function sendCached(
  { status, headers, numberAt, body, text }: CachedReply,
  { changeNumber }: Validity,
  response: ServerResponse,
  requestId: string,
): void {
  // The shared list may be changed: writeHead copies it before it returns.
  headers[1] = requestId
  if (numberAt > 0) headers[numberAt] = String(changeNumber)
  response.writeHead(status, headers)
  if (text !== undefined) response.end(text, 'latin1')
  else response.end(body)
}

function sizeOf({ unchanged, plain, zipped }: CachedVariants): number {
  let bytes = 0
  for (const reply of [unchanged, plain, zipped]) bytes += reply ? reply.body.length + (reply.text?.length ?? 0) : 0
  return bytes
}
