// The response cache. Whatever a response depends on is either in its key (rights, URL, the headers that select a
// representation) or watched by its validity; a new setup empties the cache.
import { hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { LRUCache } from 'lru-cache'
import type { Caller } from '../../access/caller.ts'
import { Doorkeeper } from '../../base/doorkeeper.ts'
import type { Validity } from '../../base/validity.ts'
import type { ResponseMetrics, RouteMetrics } from '../../observe/metrics.ts'
import type { Reply } from '../reply/send.ts'
import { type CachedReply, type CachedVariants, sizeOf, type Variant, variantsOf, zippedOf } from './send-cached.ts'

/** Of a longer response only the entity tag is cached: making the body costs little compared with sending it. */
const MAX_CACHED_BODY_BYTES = 256 * 1024
/** Approximate size of an entry without its key and bodies. */
const ENTRY_BYTES = 1_500

export interface CachedResponse {
  readonly validity: Validity
  readonly variants: CachedVariants
  /** The metrics of its route. */
  readonly metrics: RouteMetrics
}

/** A cache miss whose response is being made. */
export interface CacheLookup {
  readonly key: string
  /** The same request came recently, so its response is worth caching. */
  readonly isRepeatedRead: boolean
  readonly epoch: number
  readonly metrics: RouteMetrics
}

export class ResponseCache {
  /** Undefined if caching is off. */
  readonly #entries: LRUCache<string, CachedResponse> | undefined
  readonly #doorkeeper = new Doorkeeper()
  readonly #metrics: ResponseMetrics
  readonly #program: string
  /** Grows with every setup: a response started under an earlier one is not cached. */
  #epoch = 0
  #setup = 0

  /** `maxBytes` 0 turns caching off; `program` identifies the version of the service. */
  constructor(maxBytes: number, program: string, metrics: ResponseMetrics) {
    this.#program = program
    this.#metrics = metrics
    if (maxBytes === 0) return
    const entries = new LRUCache<string, CachedResponse>({
      maxSize: maxBytes,
      sizeCalculation: ({ variants }, key) => ENTRY_BYTES + 2 * key.length + sizeOf(variants),
    })
    this.#entries = entries
    metrics.bytes = () => entries.calculatedSize
  }

  /** Called when another setup comes into force. */
  invalidate(setup: number): void {
    this.#setup = setup
    this.#epoch += 1
    this.#entries?.clear()
  }

  /** Callers with equal rights share responses: nothing else about a caller affects a response. */
  keyOf(request: IncomingMessage, caller: Caller): string {
    return `${request.method} ${request.url}\n${selectionOf(request, caller)}`
  }

  find(key: string): CachedResponse | undefined {
    return this.#entries?.get(key)
  }

  startLookup(key: string, metrics: RouteMetrics): CacheLookup {
    const isRepeatedRead = this.#entries !== undefined && this.#doorkeeper.hasSeen(key)
    return { key, isRepeatedRead, epoch: this.#epoch, metrics }
  }

  /** An entity tag that differs by state, rights, selecting headers, setup and version of the service. */
  tagOf(request: IncomingMessage, caller: Caller, validity: Validity): string {
    const text = `${this.#program}\n${this.#setup}\n${selectionOf(request, caller)}\n${validity.tag}`
    return `W/"${hash('sha256', text, 'base64url').slice(0, 22)}"`
  }

  store({ key, epoch, isRepeatedRead, metrics }: CacheLookup, reply: Reply): void {
    const { validity, status } = reply
    if (!this.#entries || !validity || epoch !== this.#epoch) return
    if (isRepeatedRead || status === 304) {
      this.#entries.set(key, { validity, variants: variantsOf(reply, MAX_CACHED_BODY_BYTES), metrics })
    }
  }

  /** The cached reply of a variant, counted as a hit; undefined if that variant is not cached. */
  replyFor({ variants }: CachedResponse, variant: Variant): CachedReply | undefined {
    const reply = variants[variant]
    if (reply) this.#metrics.hits.inc({ status: reply.status })
    return reply
  }

  /** Makes the gzip variant if it is missing. */
  async compress(key: string, cached: CachedResponse): Promise<void> {
    const { variants } = cached
    if (!variants.plain || variants.zipped) return
    variants.zipped = await zippedOf(variants.plain)
    // Set again, because the cache determines an entry's size when it is set.
    if (this.#entries?.peek(key) === cached) this.#entries.set(key, { ...cached })
  }
}

/** Whatever selects the response besides the URL: the caller's rights and the negotiation headers. */
function selectionOf({ headers }: IncomingMessage, { rights }: Caller): string {
  const { accept = '', 'accept-language': language = '' } = headers
  return `${rights}\n${accept === '*/*' ? '' : accept}\n${language === '*' ? '' : language}`
}
