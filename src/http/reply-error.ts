// The one place where something thrown becomes an answer. What is no Problem is a bug: 500 and nothing else about it.
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../access/caller.ts'
import { coded, internalError, malformed, noResource, tooLarge, unsupportedMediaType } from '../errors/catalogue.ts'
import { Problem } from '../errors/problem.ts'
import type { Observe } from '../observe/observation.ts'
import { BODY_LIMIT_BYTES } from './body.ts'
import { send } from './send.ts'

export type ReplyError = (error: unknown, request: FastifyRequest, reply: FastifyReply) => void

/** `isStopping` tells whether a connection should be given up after its answer. */
export function errorReplier(observe: Observe, isStopping: () => boolean): ReplyError {
  return (error, request, reply) => {
    const problem = isCutOff(error, request) ? CUT_OFF : problemOf(error, request)
    const body = JSON.stringify(problem.body)
    const noticed = { requestId: request.id, method: request.method, path: pathOf(request) }
    if (problem.status === 500) observe({ kind: 'request-failed', ...noticed, error })
    else observe({ kind: 'request-refused', ...noticed, status: problem.status, ...told(problem, body) })
    const { caller } = request as CalledRequest
    if (problem.refusesAccess && caller) observe({ kind: 'access-refused', ...noticed, ...known(caller) })
    const headers = isStopping() ? { ...problem.headers, connection: 'close' } : problem.headers
    if (!reply.sent) send(request, reply, { status: problem.status, body, headers })
  }
}

/** Of a caller who goes away within a body, which is nobody's fault. */
const CUT_OFF = malformed('The request was cut off.')

function isCutOff(error: unknown, { raw }: FastifyRequest): boolean {
  return raw.destroyed && !raw.complete && (error as { code?: string } | null)?.code === 'ECONNRESET'
}

type CalledRequest = FastifyRequest & { caller: Caller | undefined }

/** Of the company that was asked for nothing is told: it may be somebody else's. */
function known({ userId, clientId, defaultCompany }: Caller) {
  return { userId, clientId, companyId: defaultCompany }
}

/** The first code that the answer tells. Messages may repeat what the caller has sent; those of the world's faults do not. */
function told({ status, message }: Problem, body: string): { code: number; reason?: string } {
  const code = Number(/"code":(\d+)/.exec(body)?.[1] ?? 0)
  return status === 503 ? { code, reason: message } : { code }
}

/** The path without its query, in which values may stand that belong in no log. */
export function pathOf(request: FastifyRequest): string {
  const url = request.raw.url ?? ''
  const query = url.indexOf('?')
  return (query < 0 ? url : url.slice(0, query)).slice(0, 500)
}

function problemOf(error: unknown, request: FastifyRequest): Problem {
  if (error instanceof Problem) return error
  const code = (error as Partial<FastifyError> | null)?.code ?? ''
  // Of a method that the router does not even refuse, such as PRI.
  if (code === 'FST_ERR_NOT_FOUND') return noResource(pathOf(request))
  return refusedByFramework(code, error, request.routeOptions.bodyLimit) ?? internalError(request.id)
}

/** What Fastify refuses by itself, in the shapes of the contract. */
function refusedByFramework(code: string, error: unknown, bodyLimit: number | undefined): Problem | undefined {
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return tooLarge(bodyLimit ?? BODY_LIMIT_BYTES)
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
    case 'FST_ERR_CTP_EMPTY_TYPE':
      return unsupportedMediaType(
        'The request body has a media type that is not read here: records are application/json.',
      )
    case 'FST_ERR_BAD_URL':
      return malformed('The path is not percent-encoded UTF-8.')
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return coded(414, 1010, 'A value in the path is longer than 512 characters.')
    default:
      return isRefusedRequest(error)
        ? coded(error.statusCode, 1010, `The request cannot be read: ${error.message}.`)
        : undefined
  }
}

function isRefusedRequest(error: unknown): error is { statusCode: number; message: string; code: string } {
  const { statusCode, code } = (error ?? {}) as { statusCode?: number; code?: string }
  return typeof code === 'string' && code.startsWith('FST_ERR_CTP_') && statusCode !== undefined && statusCode < 500
}
