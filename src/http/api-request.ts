// Builds the ApiRequest that a route's handler gets from Fastify's request and reply.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../access/caller.ts'
import type { JsonValue } from '../base/strict-json.ts'
import { malformed, notAuthorised } from '../errors/catalogue.ts'
import { asError } from '../errors/thrown.ts'
import type { FileBody } from './body/upload.ts'
import type { CacheLookup, ResponseCache } from './cache/response-cache.ts'
import { authorise, requestedCompany } from './pipeline/authorise.ts'
import { fingerprintOf, idempotencyKeyOf, validateOnlyIn } from './pipeline/write-options.ts'
import { companyIn, parseQueryString } from './query-string.ts'
import { pathOf } from './reply/problem-reply.ts'
import type { ApiRequest, Route } from './router.ts'
import type { RequestWithCaller } from './server.ts'

/** Why the body is not read: there is no such resource, or the caller lacks the permission in every company. */
export function rejectionBeforeBody(
  { permit, deniedMessage, requireResource }: Route,
  request: RequestWithCaller,
): Error | null {
  const { caller, params } = request
  try {
    requireResource?.(params as Record<string, string>, pathOf(request))
    return caller?.mayAnywhere(permit) ? null : notAuthorised(deniedMessage)
  } catch (thrown) {
    return asError(thrown)
  }
}

export interface RequestParts {
  readonly route: Route
  readonly request: RequestWithCaller
  readonly reply: FastifyReply
  readonly received: ReceivedBody
  /** Set for GET and HEAD only. */
  readonly lookup: CacheLookup | undefined
  readonly responseCache: ResponseCache
}

/** The authenticated caller; throws on a public route, where there may be none. */
export function callerOf({ caller }: RequestWithCaller): Caller {
  if (!caller) throw new Error('a protected route was reached without a caller')
  return caller
}

/** Decodes the query, resolves the company and checks that the caller has the route's permission there. */
export function apiRequestOf({ route, request, reply, received, lookup, responseCache }: RequestParts): ApiRequest {
  const { body, content } = received
  const caller = callerOf(request)
  // PostgreSQL cannot store U+0000 in a text, so no key has it.
  if (request.raw.url?.includes('%00')) throw malformed('The URL holds a NUL character (%00).')
  const query = parseQueryString(request.query as string)
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  const companyInQuery = companyIn(query)
  const requested = request.method === 'POST' ? requestedCompany(companyInQuery, body) : companyInQuery
  return {
    caller,
    companyId: authorise(caller, route, requested),
    params: request.params as Record<string, string>,
    query,
    body,
    content,
    requestId: request.id,
    ifMatch: request.headers['if-match'],
    ifNoneMatch: request.headers['if-none-match'],
    isRepeatedRead: lookup?.isRepeatedRead ?? false,
    tagOf: (validity) => responseCache.tagOf(request.raw, caller, validity),
    accept: request.headers.accept,
    acceptLanguage: request.headers['accept-language'],
    idempotencyKey: isRead ? undefined : idempotencyKeyOf(request.headers['idempotency-key']),
    validateOnly: !isRead && validateOnlyIn(query),
    fingerprint: () => fingerprintOf(request.method, request.raw.url ?? '', body, content),
    range: request.headers.range,
    ifRange: request.headers['if-range'] as string | undefined,
    path: pathOf(request),
    asker: { flow: caller.flow, onAbandoned: (stop) => whenClosed(reply, stop) },
    onClosed: (listener) => whenClosed(reply, listener),
  }
}

/** Calls the listener at once if the connection is closed already: no `close` event would follow. */
export function whenClosed({ raw }: FastifyReply, listener: () => void): void {
  if (raw.closed) listener()
  else raw.once('close', listener)
}

export type ReceivedBody = Omit<FileBody, 'body'> & { readonly body: JsonValue | undefined }

/** The parsed body of the request, with the uploaded content where the route takes files. */
export function receivedBodyOf({ upload }: Route, { body }: FastifyRequest): ReceivedBody {
  if (upload && body !== undefined && body !== null) return body as FileBody
  return { body: body as JsonValue | undefined, content: 'none', release: () => {} }
}
