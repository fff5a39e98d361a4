// The only place that turns a thrown error into a response. Anything but a Problem is a bug: a bare 500.

import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { Caller } from '../../access/caller.ts'
import {
  coded,
  internalError,
  malformed,
  methodNotAllowed,
  noResource,
  tooLarge,
  unsupportedMediaType,
} from '../../errors/catalogue.ts'
import { Problem } from '../../errors/problem.ts'
import { reasonOf } from '../../errors/reason.ts'
import type { Observe } from '../../observe/observation.ts'
import type { ProblemForm, RouteDeclaration } from '../route/route.ts'
import { pathOf } from '../route/route.ts'
import { badPath, longPathValue, PathMethods } from '../route/route-lookup.ts'
import { send } from '../route/send.ts'
import { BODY_LIMIT_BYTES } from './json-body.ts'

export type ReplyError = (error: unknown, request: FastifyRequest, reply: FastifyReply) => void

export interface ErrorReplierParts {
  readonly observe: Observe
  /** Whether connections are closed after their response. */
  readonly isStopping: () => boolean
  /** How problems of a request that no route takes are answered; undefined: as all others. */
  readonly unroutedForm: (request: FastifyRequest) => ProblemForm | undefined
  /** The record of the request, begun if no hook has: Fastify's router knows some methods not at all. */
  readonly recordOf: (request: FastifyRequest, reply: FastifyReply) => { problem: Problem | undefined }
}

export function errorReplier({ observe, isStopping, unroutedForm, recordOf }: ErrorReplierParts): ReplyError {
  return (error, request, reply) => {
    const problem = isCutOff(error, request) ? CUT_OFF : problemOf(error, request)
    const { problemForm } = (request.routeOptions.config ?? {}) as RouteDeclaration
    const form = (problemForm ?? unroutedForm(request))?.(problem)
    const body = JSON.stringify(form?.body ?? problem.body)
    recordOf(request, reply).problem = problem
    const fields = { requestId: request.id, method: request.method, path: pathOf(request) }
    observeProblem(observe, fields, problem, { error, caller: (request as CalledRequest).caller })
    const given = { ...problem.headers, ...form?.headers }
    const headers = isStopping() ? { ...given, connection: 'close' } : given
    if (reply.sent) return
    // Fastify would close the connection after a body that cannot be parsed. A client that is still sending then gets
    // no response; the rest of the body is read and ignored instead.
    reply.removeHeader('connection')
    send(request, reply, { status: problem.status, body, headers })
  }
}

interface RequestFields {
  readonly requestId: string
  readonly method: string
  readonly path: string
}

/** Tells of a request that was refused, or has failed because of a bug: then `error` says which. */
export function observeProblem(
  observe: Observe,
  fields: RequestFields,
  problem: Problem,
  { error, caller }: { readonly error: unknown; readonly caller: Caller | undefined },
): void {
  if (problem.status === 500) observe({ kind: 'request-failed', ...fields, error })
  else {
    const { status, code = 0 } = problem
    observe({ kind: 'request-refused', ...fields, status, code, reason: reasonOf(problem) })
  }
  if (problem.isAccessDenied && caller) observe({ kind: 'access-refused', ...fields, ...identityOf(caller) })
}

/** For a client that disconnects while it sends the body; not logged as a failure. */
const CUT_OFF = malformed('The request was cut off.')

function isCutOff(error: unknown, { raw }: FastifyRequest): boolean {
  return raw.destroyed && !raw.complete && (error as { code?: string } | null)?.code === 'ECONNRESET'
}

type CalledRequest = FastifyRequest & { caller: Caller | undefined }

/** Leaves out the requested company, which may belong to another tenant. */
function identityOf({ actor: { userId, clientId }, actedAs, defaultCompany }: Caller) {
  return { userId, clientId, actedAs, companyId: defaultCompany }
}

function problemOf(error: unknown, request: FastifyRequest): Problem {
  if (error instanceof Problem) return error
  const code = (error as Partial<FastifyError> | null)?.code ?? ''
  // For methods that Fastify's router does not support, such as PRI.
  if (code === 'FST_ERR_NOT_FOUND') return noResource(pathOf(request))
  return frameworkProblem(code, error, request.routeOptions.bodyLimit) ?? internalError(request.id)
}

/** Translates the errors of Fastify itself into the error format of the interface. */
function frameworkProblem(code: string, error: unknown, bodyLimit: number | undefined): Problem | undefined {
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return tooLarge(bodyLimit ?? BODY_LIMIT_BYTES)
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
    case 'FST_ERR_CTP_EMPTY_TYPE':
      return notJson()
    case 'FST_ERR_BAD_URL':
      return badPath()
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return longPathValue()
    default:
      return isRequestError(error)
        ? coded(error.statusCode, 1010, `The request cannot be read: ${error.message}.`)
        : undefined
  }
}

export function notJson(): Problem {
  return unsupportedMediaType('The request body has a media type that is not read here: records are application/json.')
}

function isRequestError(error: unknown): error is { statusCode: number; message: string; code: string } {
  const { statusCode, code } = (error ?? {}) as { statusCode?: number; code?: string }
  return typeof code === 'string' && code.startsWith('FST_ERR_CTP_') && statusCode !== undefined && statusCode < 500
}

/** Requests that match no route. */
export interface UnroutedRequests {
  /** What answers such a request: 404 for an unknown path, 405 with `Allow` for another method. */
  problemOf(request: FastifyRequest): Problem
  /** How problems are answered at the path, whose routes take other methods or shorter values. */
  formOf(request: FastifyRequest): ProblemForm | undefined
}

/**
 * Answers requests that match no route. Must be called before the first route is declared, because it collects the
 * methods of each path.
 */
export function answerNotFound(app: FastifyInstance): UnroutedRequests {
  const methods = new PathMethods()
  app.addHook('onRoute', (route: RouteOptions) => {
    const config = (route.config ?? {}) as RouteDeclaration
    if (!config.isIncomplete && !config.isForBrowsers) methods.add(route.url, [route.method].flat(), config)
  })
  const problemOf = (request: FastifyRequest) => {
    const [path, allowed] = [pathOf(request), methods.of(request.raw.url ?? '')]
    return allowed.length === 0 ? noResource(path) : methodNotAllowed(request.method, path, allowed)
  }
  app.setNotFoundHandler((request) => {
    throw problemOf(request)
  })
  return { problemOf, formOf: (request) => methods.problemFormOf(request.raw.url ?? '') }
}
