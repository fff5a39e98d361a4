// Answers repeated reads ahead of Fastify, whose share of a request costs more than sending a cached response. The work
// of Fastify's hooks is not skipped: every request but a plain one with a cached response goes on to Fastify.
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Caller } from '../../access/caller.ts'
import { findKnownCaller } from '../pipeline/authenticate.ts'
import { isConformant } from '../pipeline/http-conformance.ts'
import type { RateLimiter } from '../pipeline/rate-limiter.ts'
import { requestIdOf } from '../pipeline/request-id.ts'
import { measureAs } from '../pipeline/request-metrics.ts'
import { countAgainst, MAX_HEADERS, type ServerParts } from '../server.ts'
import { rememberLookup } from './early-lookup.ts'
import type { CachedResponse, ResponseCache } from './response-cache.ts'
import { sendCached, type Variant, variantFor } from './send-cached.ts'

type Handler = (request: IncomingMessage, response: ServerResponse) => void

interface Hit {
  readonly caller: Caller
  readonly cached: CachedResponse
  readonly variant: Variant
  readonly startedAt: number
}

export function answerFromCache(server: Server, parts: ServerParts, cache: ResponseCache): void {
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
    const isCurrent = hit.cached.validity.isCurrent()
    if (typeof isCurrent === 'boolean') respond(isCurrent)
    // If the database fails, Fastify's handler asks it again and reports the error.
    else isCurrent.then(respond, () => framework(request, response))
  })
}

function findHit(
  { identity, lifecycle }: ServerParts,
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
  return variant && cached.variants[variant] ? { caller, cached, variant, startedAt: performance.now() } : undefined
}

/** Whether the request has no body, no `Expect`, and nothing that the hooks would reject. */
function isPlain(request: IncomingMessage): boolean {
  const { headers, rawHeaders } = request
  return (
    headers['content-length'] === undefined &&
    headers['transfer-encoding'] === undefined &&
    headers['content-encoding'] === undefined &&
    headers.expect === undefined &&
    rawHeaders.length <= MAX_HEADERS * 2 &&
    isConformant(request)
  )
}

/**
 * Sends the cached response; false if the client is over its rate limit, which Fastify's hooks then reject. Admission
 * control is skipped: sending a cached response costs less than rejecting the request.
 */
function sendHit(
  { limiter }: ServerParts,
  cache: ResponseCache,
  { caller, cached, variant, startedAt }: Hit,
  request: IncomingMessage,
  response: ServerResponse,
): boolean {
  const reply = cache.replyFor(cached, variant)
  if (!reply || (limiter && !isWithinLimit(limiter, caller, request, response))) return false
  measureAs(cached.metrics, response, startedAt)
  sendCached(reply, response, requestIdOf(request))
  return true
}

function isWithinLimit(
  limiter: RateLimiter,
  caller: Caller,
  request: IncomingMessage,
  response: ServerResponse,
): boolean {
  try {
    countAgainst(limiter, caller, request, response)
    return true
  } catch {
    return false
  }
}
