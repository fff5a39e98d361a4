// Answers repeated reads from the cache. Plain ones are answered ahead of Fastify, whose share of a request costs more
// than sending a cached response; no work of its hooks is skipped. The others are answered before they are parsed.
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { FastifyReply } from 'fastify'
import type { Caller } from '../access/caller.ts'
import type { PipelineParts } from './parts.ts'
import { callerOf, findKnownCaller, type RequestWithCaller } from './pipeline/authenticate.ts'
import { isConformant } from './pipeline/http-conformance.ts'
import { findMinChange, minChangeOf } from './pipeline/min-change.ts'
import type { RateLimiter } from './pipeline/rate-limiter.ts'
import { requestIdOf } from './pipeline/request-observation.ts'
import { RequestRecord, type RequestSinks, recordOf } from './pipeline/request-record.ts'
import {
  type CachedReply,
  type CachedResponse,
  type CacheLookup,
  type ResponseCache,
  sendCached,
  type Variant,
  variantFor,
} from './route/response-cache.ts'

type Handler = (request: IncomingMessage, response: ServerResponse) => void

interface Hit {
  readonly caller: Caller
  readonly cached: CachedResponse
  readonly variant: Variant
  readonly minChange: number
  readonly startedAt: number
}

interface CacheParts extends PipelineParts {
  readonly sinks: RequestSinks
}

export function answerFromCache(server: Server, parts: CacheParts, cache: ResponseCache): void {
  const [framework] = server.listeners('request') as Handler[]
  if (!framework) throw new Error('the server has no handler')
  server.removeListener('request', framework)
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    const hit = findHit(parts, cache, request)
    if (!hit) {
      framework(request, response)
      return
    }
    const respond = (isCurrent: boolean) => {
      if (!isCurrent || !sendHit(parts, cache, hit, request, response)) framework(request, response)
    }
    const isCurrent = hit.cached.validity.isCurrent(hit.minChange)
    if (typeof isCurrent === 'boolean') respond(isCurrent)
    // If the database fails, Fastify's handler asks it again and reports the error.
    else isCurrent.then(respond, () => framework(request, response))
  })
}

function findHit(
  { identity, lifecycle }: PipelineParts,
  cache: ResponseCache,
  request: IncomingMessage,
): Hit | undefined {
  const { method, headers } = request
  if ((method !== 'GET' && method !== 'HEAD') || lifecycle.state !== 'serving' || !isPlain(request)) return undefined
  const caller = findKnownCaller(identity, headers.authorization)
  if (!caller) return undefined
  const key = cache.keyOf(request, caller)
  const cached = cache.find(key)
  if (!cached) rememberLookup(request, { caller, key })
  const variant = cached && variantFor(cached.variants, headers)
  const minChange = findMinChange(headers)
  if (!variant || !cached.variants[variant] || minChange === undefined) return undefined
  return { caller, cached, variant, minChange, startedAt: performance.now() }
}

/** Whether the request has no body, no `Expect`, and nothing that the hooks would reject. */
function isPlain(request: IncomingMessage): boolean {
  const { headers } = request
  return (
    headers['content-length'] === undefined &&
    headers['transfer-encoding'] === undefined &&
    headers['content-encoding'] === undefined &&
    headers.expect === undefined &&
    isConformant(request)
  )
}

/**
 * Sends the cached response; false if the client is over its rate limit, which Fastify's hooks then reject. Admission
 * control is skipped: sending a cached response costs less than rejecting the request.
 */
function sendHit(
  { limiter, sinks, crossOrigin }: CacheParts,
  cache: ResponseCache,
  { caller, cached, variant, startedAt }: Hit,
  request: IncomingMessage,
  response: ServerResponse,
): boolean {
  const reply = cache.replyFor(cached, variant)
  if (!reply || (limiter && !isWithinLimit(limiter, caller, request, response))) return false
  const requestId = requestIdOf(request)
  const record = RequestRecord.begin(sinks, request, response, { metrics: cached.metrics, requestId, startedAt })
  record.caller = caller
  record.actsIn(cached.companyId)
  crossOrigin?.open(request, response)
  sendCached(reply, cached.validity, response, requestId)
  return true
}

/** False also where other processes must be asked, which the framework's hooks do. */
function isWithinLimit(
  limiter: RateLimiter,
  caller: Caller,
  request: IncomingMessage,
  response: ServerResponse,
): boolean {
  if (!limiter.hasReserve(caller.clientId)) return false
  try {
    limiter.count(caller.clientId, request, response)
    return true
  } catch {
    return false
  }
}

/** Found ahead of Fastify and carried on the request, so that it is determined only once. */
interface EarlyLookup {
  readonly caller: Caller
  /** The cache key of its response. */
  readonly key: string
}

const LOOKUP = Symbol('early lookup')
type Request = IncomingMessage & { [LOOKUP]?: EarlyLookup }

function rememberLookup(request: IncomingMessage, lookup: EarlyLookup): void {
  ;(request as Request)[LOOKUP] = lookup
}

/** Undefined unless the request was a plain read by a known caller. */
export function earlyLookupOf(request: IncomingMessage): EarlyLookup | undefined {
  return (request as Request)[LOOKUP]
}

/** Makes and sends the response, which may then be cached for the lookup. */
type Handle = (lookup: CacheLookup) => Promise<FastifyReply>

/** Answers a read in its route, as long as nothing that the cached response depends on has changed. */
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
    if (!cached) return handle(this.#cache.startLookup(key, recordOf(reply.raw)))
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
    const record = recordOf(reply.raw)
    const minChange = minChangeOf(request.headers)
    const found =
      variant && (await cached.validity.isCurrent(minChange)) ? await this.#replyFor(key, cached, variant) : undefined
    if (!found) return handle(this.#cache.startLookup(key, record))
    record.actsIn(cached.companyId)
    reply.hijack()
    if (this.#isStopping()) reply.raw.setHeader('connection', 'close')
    sendCached(found, cached.validity, reply.raw, request.id)
    return reply
  }

  async #replyFor(key: string, cached: CachedResponse, variant: Variant): Promise<CachedReply | undefined> {
    if (variant === 'zipped') await this.#cache.compress(key, cached)
    return this.#cache.replyFor(cached, variant)
  }
}
