// Answers a repeated read from the cache before any of it is parsed, as long as nothing it depends on has changed.
import type { FastifyReply } from 'fastify'
import { callerOf } from '../api-request.ts'
import { metricsOf } from '../pipeline/request-metrics.ts'
import type { RequestWithCaller } from '../server.ts'
import { earlyLookupOf } from './early-lookup.ts'
import type { CachedResponse, CacheLookup, ResponseCache } from './response-cache.ts'
import { type CachedReply, sendCached, type Variant, variantFor } from './send-cached.ts'

/** Makes and sends the response, which may then be cached for the lookup. */
type Handle = (lookup: CacheLookup) => Promise<FastifyReply>

export class CachedReads {
  readonly #cache: ResponseCache
  readonly #isStopping: () => boolean

  constructor(cache: ResponseCache, isStopping: () => boolean) {
    this.#cache = cache
    this.#isStopping = isStopping
  }

  answer(request: RequestWithCaller, reply: FastifyReply, handle: Handle): Promise<FastifyReply> {
    const key = earlyLookupOf(request.raw)?.key ?? this.#cache.keyOf(request.raw, callerOf(request))
    const cached = this.#cache.find(key)
    if (!cached) return handle(this.#cache.startLookup(key, metricsOf(reply.raw)))
    return this.#answerCached(key, cached, request, reply, handle)
  }

  async #answerCached(
    key: string,
    cached: CachedResponse,
    request: RequestWithCaller,
    reply: FastifyReply,
    handle: Handle,
  ): Promise<FastifyReply> {
    const variant = variantFor(cached.variants, request.headers)
    const found =
      variant && (await cached.validity.isCurrent()) ? await this.#replyFor(key, cached, variant) : undefined
    if (!found) return handle(this.#cache.startLookup(key, metricsOf(reply.raw)))
    reply.hijack()
    if (this.#isStopping()) reply.raw.setHeader('connection', 'close')
    sendCached(found, reply.raw, request.id)
    return reply
  }

  async #replyFor(key: string, cached: CachedResponse, variant: Variant): Promise<CachedReply | undefined> {
    if (variant === 'zipped') await this.#cache.compress(key, cached)
    return this.#cache.replyFor(cached, variant)
  }
}
