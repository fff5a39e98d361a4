// Answers repeated reads from the cache: plain ones before their route is looked up, the others before they are parsed.
// No check of the pipeline is skipped.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Caller } from '../access/caller.ts'
import type { PipelineParts } from './parts.ts'
import { callerOf, findKnownCaller } from './pipeline/authenticate.ts'
import { isConformant } from './pipeline/http-conformance.ts'
import { findMinChange, minChangeOf } from './pipeline/min-change.ts'
import type { RateLimiter } from './pipeline/rate-limiter.ts'
import { requestIdOf } from './pipeline/request-observation.ts'
import { RequestRecord, type RequestSinks, recordOf } from './pipeline/request-record.ts'
import type { PlainRead, PlainRequest } from './route/plain-request.ts'
import {
  type CachedReply,
  type CachedResponse,
  type CacheLookup,
  type ResponseCache,
  sendCached,
  type Variant,
  variantFor,
} from './route/response-cache.ts'

interface Hit {
  readonly caller: Caller
  readonly cached: CachedResponse
  readonly variant: Variant
  readonly minChange: number
  readonly startedAt: number
}

export interface CacheParts extends PipelineParts {
  readonly sinks: RequestSinks
}

/** Answers the request if it is a plain one whose cached response is current; otherwise `next` takes it. */
export function answerFromCache(
  parts: CacheParts,
  request: IncomingMessage,
  response: ServerResponse,
  next: (read?: PlainRead) => void,
): void {
  const read = plainReadOf(parts, request)
  const hit = read && findHit(parts, request, read)
  if (!hit) {
    next(read)
    return
  }
  const respond = (isCurrent: boolean) => {
    if (!isCurrent || !sendHit(parts, hit, request, response)) next(read)
  }
  const isCurrent = hit.cached.validity.isCurrent(hit.minChange)
  if (typeof isCurrent === 'boolean') respond(isCurrent)
  // If the database fails, the route asks it again and reports the error.
  else isCurrent.then(respond, () => next(read))
}

function plainReadOf(
  { identity, lifecycle, responseCache }: PipelineParts,
  request: IncomingMessage,
): PlainRead | undefined {
  const { method, headers } = request
  if ((method !== 'GET' && method !== 'HEAD') || lifecycle.state !== 'serving' || !isPlain(request)) return undefined
  const caller = findKnownCaller(identity, headers.authorization)
  return caller && { caller, key: responseCache.keyOf(request, caller) }
}

function findHit(
  { responseCache }: PipelineParts,
  { headers }: IncomingMessage,
  { caller, key }: PlainRead,
): Hit | undefined {
  const cached = responseCache.find(key)
  const variant = cached && variantFor(cached.variants, headers)
  const minChange = findMinChange(headers)
  if (!variant || !cached.variants[variant] || minChange === undefined) return undefined
  return { caller, cached, variant, minChange, startedAt: performance.now() }
}

/** Whether the request has no body, no `Expect`, and nothing that the pipeline would reject. */
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
 * Sends the cached response; false if the client is over its rate limit, which the pipeline then rejects. Admission
 * control is skipped: sending a cached response costs less than rejecting the request.
 */
function sendHit(
  { limiter, sinks, crossOrigin, responseCache: cache }: CacheParts,
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

/** False also where other processes must be asked, which the pipeline does. */
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

/** Makes and sends the response, which may then be cached for the lookup. */
type Handle = (lookup: CacheLookup) => Promise<void>

/** Answers a read in its route, as long as nothing that the cached response depends on has changed. */
export class CachedReads {
  readonly #cache: ResponseCache
  readonly #isStopping: () => boolean

  constructor(cache: ResponseCache, isStopping: () => boolean) {
    this.#cache = cache
    this.#isStopping = isStopping
  }

  answer(request: PlainRequest, handle: Handle): Promise<void> {
    const key = request.read?.key ?? this.#cache.keyOf(request.raw, callerOf(request))
    const cached = this.#cache.find(key)
    if (!cached) return handle(this.#cache.startLookup(key, recordOf(request.response)))
    return this.#answerCached(key, cached, request, handle)
  }

  async #answerCached(key: string, cached: CachedResponse, request: PlainRequest, handle: Handle): Promise<void> {
    const { response } = request
    const variant = variantFor(cached.variants, request.headers)
    const record = recordOf(response)
    const minChange = minChangeOf(request.headers)
    const found =
      variant && (await cached.validity.isCurrent(minChange)) ? await this.#replyFor(key, cached, variant) : undefined
    if (!found) return handle(this.#cache.startLookup(key, record))
    record.actsIn(cached.companyId)
    request.isAnswered = true
    if (this.#isStopping()) response.setHeader('connection', 'close')
    sendCached(found, cached.validity, response, request.id)
  }

  async #replyFor(key: string, cached: CachedResponse, variant: Variant): Promise<CachedReply | undefined> {
    if (variant === 'zipped') await this.#cache.compress(key, cached)
    return this.#cache.replyFor(cached, variant)
  }
}
