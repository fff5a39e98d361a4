// The typed call of a request: what a use case is given of it.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../access/caller.ts'
import type { JsonValue } from '../base/strict-json.ts'
import { malformed, notAuthorised } from '../errors/catalogue.ts'
import { asError } from '../errors/thrown.ts'
import type { AnswerCache, Question } from './answer-cache.ts'
import { authorise, companyAskedFor } from './authorise.ts'
import type { Call, Route } from './edge.ts'
import type { FileBody } from './file-body/received.ts'
import { companyIn, parseQueryString } from './query-string.ts'
import { pathOf } from './reply-error.ts'
import type { RequestWithCaller } from './server.ts'
import { fingerprintOf, isTrialIn, repeatKeyOf } from './write-wishes.ts'

/** The body of a caller who may do this nowhere is not even read. */
export function whyNotRead({ permit, requireResource }: Route, request: RequestWithCaller): Error | null {
  const { caller, params } = request
  try {
    requireResource?.(params as Record<string, string>, pathOf(request))
    return caller?.mayAnywhere(permit) ? null : notAuthorised(permit)
  } catch (thrown) {
    return asError(thrown)
  }
}

export interface CallParts {
  readonly route: Route
  readonly request: RequestWithCaller
  readonly reply: FastifyReply
  readonly given: Given
  /** Of a read. */
  readonly question: Question | undefined
  readonly answers: AnswerCache
}

/** The caller of a protected route. */
export function callerOf({ caller }: RequestWithCaller): Caller {
  if (!caller) throw new Error('a protected route was reached without a caller')
  return caller
}

/** The typed call of a request: its query decoded, its company decided, the caller allowed to act there. */
export function callOf({ route, request, reply, given, question, answers }: CallParts): Call {
  const { body, content } = given
  const caller = callerOf(request)
  // No store can keep it, and no record can have it in its key.
  if (request.raw.url?.includes('%00')) throw malformed('The URL holds a NUL character (%00).')
  const query = parseQueryString(request.query as string)
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  const inQuery = companyIn(query)
  const asked = request.method === 'POST' ? companyAskedFor(inQuery, body) : inQuery
  return {
    caller,
    companyId: authorise(caller, route.permit, asked, request.method),
    params: request.params as Record<string, string>,
    query,
    body,
    content,
    requestId: request.id,
    ifMatch: request.headers['if-match'],
    ifNoneMatch: request.headers['if-none-match'],
    isAskedAgain: question?.isAskedAgain ?? false,
    tagOf: (validity) => answers.tagOf(request.raw, caller, validity),
    accept: request.headers.accept,
    acceptLanguage: request.headers['accept-language'],
    repeatKey: isRead ? undefined : repeatKeyOf(request.headers['idempotency-key']),
    isTrial: !isRead && isTrialIn(query),
    fingerprint: () => fingerprintOf(request.method, request.raw.url ?? '', body, content),
    range: request.headers.range,
    ifRange: request.headers['if-range'] as string | undefined,
    path: pathOf(request),
    asker: { flow: caller.flow, onAbandoned: (stop) => whenClosed(reply, stop) },
    onClosed: (listener) => whenClosed(reply, listener),
  }
}

/** A caller may be gone by now: then nothing is told any more, and the listener is called at once. */
export function whenClosed({ raw }: FastifyReply, listener: () => void): void {
  if (raw.closed) listener()
  else raw.once('close', listener)
}

export type Given = Omit<FileBody, 'body'> & { readonly body: JsonValue | undefined }

/** What was read of the request's body; a POST without one has neither. */
export function givenIn({ fileForm }: Route, { body }: FastifyRequest): Given {
  if (fileForm && body !== undefined && body !== null) return body as FileBody
  return { body: body as JsonValue | undefined, content: 'none', release: () => {} }
}
