// The HTTP server with its limits and hooks, which apply to every request, whether or not a route matches it.
import type { IncomingMessage, ServerResponse } from 'node:http'
import compress from '@fastify/compress'
import fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Caller } from '../access/caller.ts'
import { coded, unavailable } from '../errors/catalogue.ts'
import { asError } from '../errors/thrown.ts'
import type { RequestMetrics } from '../observe/metrics.ts'
import type { Observe } from '../observe/observation.ts'
import type { Traces } from '../observe/traces.ts'
import { acceptJsonBodies, BODY_LIMIT_BYTES, rejectEncodedBody } from './body/json-body.ts'
import { answerFromCache } from './cache/answer-from-cache.ts'
import { earlyLookupOf } from './cache/early-lookup.ts'
import type { ResponseCache } from './cache/response-cache.ts'
import type { Connections } from './connections.ts'
import type { AdmissionQueue } from './pipeline/admission-queue.ts'
import { admitAnonymous, authenticate, credentialsOf, findKnownCaller, type Identity } from './pipeline/authenticate.ts'
import { rejectSmuggling } from './pipeline/http-conformance.ts'
import type { RateLimiter } from './pipeline/rate-limiter.ts'
import { requestIdOf } from './pipeline/request-id.ts'
import { type MeasuredConfig, measure, measureRoutes } from './pipeline/request-metrics.ts'
import { type RouteDeclaration, requirePermissions } from './pipeline/require-permission.ts'
import { traceRequests } from './pipeline/trace-requests.ts'
import { answerClientError, onClientError } from './reply/client-error.ts'
import { errorReplier } from './reply/problem-reply.ts'
import { COMPRESSED_FROM_BYTES, GZIP_LEVEL } from './reply/send.ts'
import { recogniseBrowsers } from './system/for-browsers.ts'

/** API clients send their headers at once; this frees the connection of a slow sender. */
const HEADERS_TIMEOUT_MS = 10_000
/** Long enough for the largest body at 2.5 Mbit/s. */
const REQUEST_TIMEOUT_MS = 120_000
const CONNECTIONS_CHECK_MS = 5_000
/** Above the usual 60 s of load balancers, so that the server never closes an idle connection first. */
const KEEP_ALIVE_TIMEOUT_MS = 72_000
/** Includes the request line. */
const MAX_HEADER_BYTES = 32 * 1024
export const MAX_HEADERS = 100
/** Long enough for a filter of 8,000 characters, partly percent-encoded. */
const MAX_URL_BYTES = 16 * 1024
/** In characters. */
const MAX_PATH_VALUE = 512

/** `draining`: still serves, but closes each connection after its response; `closing`: rejects requests with 503. */
export interface Lifecycle {
  state: 'serving' | 'draining' | 'closing'
}

export interface ServerParts {
  readonly identity: Identity
  readonly lifecycle: Lifecycle
  readonly observe: Observe
  readonly basePath: string
  readonly metrics: RequestMetrics
  readonly connections: Connections
  readonly traces: Traces | undefined
  /** Absent: no limit. */
  readonly limiter?: RateLimiter | undefined
  readonly admission?: AdmissionQueue | undefined
  /** Absent: cached responses are served by the routes only. */
  readonly responseCache?: ResponseCache | undefined
}

export type RequestWithCaller = FastifyRequest & { caller: Caller | undefined }

export type Server = FastifyInstance

export async function createServer(parts: ServerParts): Promise<Server> {
  const replyError = errorReplier(parts.observe, () => parts.lifecycle.state !== 'serving')
  const app = fastify({
    bodyLimit: BODY_LIMIT_BYTES,
    exposeHeadRoutes: false,
    return503OnClosing: false,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    http: {
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: CONNECTIONS_CHECK_MS,
      maxHeaderSize: MAX_HEADER_BYTES,
      // A proxy may read one of two equal headers and this server the other; joined, they are rejected.
      joinDuplicateHeaders: true,
      // rejectSmuggling checks it: Node's own rejection has no body.
      requireHostHeader: false,
    },
    routerOptions: {
      ignoreTrailingSlash: true,
      maxParamLength: MAX_PATH_VALUE,
      // Parsed by parseQueryString where it is used; most requests have none.
      querystringParser: ((text: string) => text) as never,
    },
    genReqId: (request) => requestIdOf(request as never),
    clientErrorHandler: answerClientError,
    // For paths that cannot be routed; a bad token is 401 before anything else (decision 0).
    frameworkErrors: (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
      measure(parts.metrics, {}, request, reply)
      const smuggling = rejectSmuggling(request.raw)
      if (smuggling) {
        replyError(smuggling, request, reply)
        return
      }
      authenticate(parts.identity, credentialsOf(request)).then(
        () => replyError(error, request, reply),
        (rejection: unknown) => replyError(rejection, request, reply),
      )
    },
  })
  requirePermissions(app)
  recogniseBrowsers(app)
  measureRoutes(app, parts.metrics, parts.basePath)
  if (parts.traces) traceRequests(app, parts.traces, parts.basePath)
  app.setErrorHandler(replyError)
  app.decorateRequest('caller')
  app.addHook('onRequest', (request, reply, done) => {
    let rejection: Rejection | Promise<Rejection>
    try {
      rejection = checkRequest(parts, request as RequestWithCaller, reply)
    } catch (thrown) {
      rejection = asError(thrown)
    }
    if (rejection instanceof Promise) rejection.then(done, (thrown: unknown) => done(asError(thrown)))
    else done(rejection)
  })
  const { admission } = parts
  if (admission) {
    app.addHook('onRequest', (request, _reply, done) => {
      // Requests for health and tokens are not queued.
      const { caller } = request as RequestWithCaller
      if (caller) admission.admit(caller.flow, done)
      else done()
    })
  }
  await app.register(compress, {
    globalDecompression: false,
    threshold: COMPRESSED_FROM_BYTES,
    encodings: ['gzip', 'deflate'],
    zlibOptions: { level: GZIP_LEVEL },
  })
  acceptJsonBodies(app)
  // Node silently drops headers beyond this, so it must exceed the limit for the check in checkLimits.
  app.server.maxHeadersCount = 2 * MAX_HEADERS
  parts.connections.guard(app.server)
  onClientError(app.server)
  // With traces on, every request goes through the framework, whose hooks make the spans.
  if (parts.responseCache && !parts.traces) answerFromCache(app.server, parts, parts.responseCache)
  return app
}

/** Why the request is rejected, if it is. */
type Rejection = Error | undefined

/** Runs for every request before its handler: authentication, then the limits that Node does not enforce. */
function checkRequest(
  parts: ServerParts,
  request: RequestWithCaller,
  reply: FastifyReply,
): Rejection | Promise<Rejection> {
  const knownCaller =
    earlyLookupOf(request.raw)?.caller ?? findKnownCaller(parts.identity, request.headers.authorization)
  const config = request.routeOptions.config as MeasuredConfig & RouteDeclaration
  measure(parts.metrics, config, request, reply)
  const unsound = rejectSmuggling(request.raw)
  if (unsound) return unsound
  if (knownCaller || config.isUnlimited) {
    request.caller = knownCaller
    return checkLimits(parts, request, reply)
  }
  const admit = config.isPublic ? admitAnonymous : authenticate
  return admit(parts.identity, credentialsOf(request)).then((caller) => {
    request.caller = caller
    return checkLimits(parts, request, reply)
  })
}

function checkLimits({ lifecycle, limiter }: ServerParts, request: RequestWithCaller, reply: FastifyReply): Rejection {
  if (lifecycle.state === 'closing') return unavailable('The service is stopping.')
  const { url = '', rawHeaders } = request.raw
  if (url.length > MAX_URL_BYTES) return coded(414, 1010, `The URL is longer than ${MAX_URL_BYTES} bytes.`)
  if (rawHeaders.length > MAX_HEADERS * 2) return coded(431, 1010, `The request has more than ${MAX_HEADERS} headers.`)
  rejectEncodedBody(request)
  if (request.caller && limiter) countAgainst(limiter, request.caller, request.raw, reply.raw)
  return undefined
}

/** Counts the request, and later its bytes, and sets the rate limit headers. Throws 429 over the limit. */
export function countAgainst(
  limiter: RateLimiter,
  { clientId }: Caller,
  { socket }: IncomingMessage,
  response: ServerResponse,
): void {
  for (const [name, value] of Object.entries(limiter.take(clientId))) response.setHeader(name, value)
  const before = socket.bytesRead + socket.bytesWritten
  response.once('close', () => limiter.addBytes(clientId, socket.bytesRead + socket.bytesWritten - before))
}
