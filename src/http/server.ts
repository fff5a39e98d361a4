// The HTTP server with its bounds: everything here holds for every endpoint, known or unknown.
import type { IncomingMessage, ServerResponse } from 'node:http'
import compress from '@fastify/compress'
import fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Caller } from '../access/caller.ts'
import { coded, unavailable } from '../errors/catalogue.ts'
import { asError } from '../errors/thrown.ts'
import type { Observe } from '../observe/observation.ts'
import type { RequestFigures } from '../observe/request-figures.ts'
import type { Traces } from '../observe/traces.ts'
import type { AnswerCache } from './answer-cache.ts'
import { admitStranger, authenticate, credentialsOf, findKnownCaller, type Identity } from './authenticate.ts'
import { acceptJsonBodies, BODY_LIMIT_BYTES, refuseEncodedBody } from './body.ts'
import { answerClientError, refuseInShape } from './client-error.ts'
import type { Connections } from './connections.ts'
import { type Declaration, requireDeclarations } from './declared-routes.ts'
import { knowPeople } from './for-people.ts'
import { foundInFront } from './found-in-front.ts'
import { answerInFront } from './front.ts'
import { type MeasuredConfig, measure, measureRoutes } from './measure.ts'
import type { Pressure } from './pressure.ts'
import type { RateLimiter } from './rate-limiter.ts'
import { errorReplier } from './reply-error.ts'
import { requestIdOf } from './request-id.ts'
import { COMPRESSED_FROM_BYTES, GZIP_LEVEL } from './send.ts'
import { distrust } from './sound-message.ts'
import { traceRequests } from './trace-requests.ts'

/** Clients of an API send their headers at once; a slow sender holds a socket no longer than this. */
const HEADERS_TIMEOUT_MS = 10_000
/** The largest body at 2.5 Mbit/s fits. */
const REQUEST_TIMEOUT_MS = 120_000
const CONNECTIONS_CHECK_MS = 5_000
/** Above the usual 60 s of load balancers, so that we are never the first to close. */
const KEEP_ALIVE_TIMEOUT_MS = 72_000
/** The request line counts. */
const MAX_HEADER_BYTES = 32 * 1024
export const MAX_HEADERS = 100
/** A filter of 8,000 characters, partly percent-encoded, fits. */
const MAX_URL_BYTES = 16 * 1024
const MAX_PATH_VALUE = 512

/** Whether the service takes requests; a stopping one still ends what it has begun. */
export interface Lifecycle {
  state: 'serving' | 'draining' | 'closing'
}

export interface ServerParts {
  readonly identity: Identity
  readonly lifecycle: Lifecycle
  readonly observe: Observe
  readonly basePath: string
  readonly figures: RequestFigures
  readonly connections: Connections
  readonly traces: Traces | undefined
  /** What a client may have in a while; absent: as much as it likes. */
  readonly limiter?: RateLimiter | undefined
  readonly pressure?: Pressure | undefined
  /** Answers that may be given again before a route is looked for. */
  readonly answers?: AnswerCache | undefined
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
      // A proxy may look at the one and we at the other: together they are neither.
      joinDuplicateHeaders: true,
      // Node's own refusal has no body.
      requireHostHeader: false,
    },
    routerOptions: {
      ignoreTrailingSlash: true,
      maxParamLength: MAX_PATH_VALUE,
      // Read where it is used; most requests have none.
      querystringParser: ((text: string) => text) as never,
    },
    genReqId: (request) => requestIdOf(request as never),
    clientErrorHandler: answerClientError,
    // A path that cannot be routed: a bad token is still 401 before anything else (decision 0).
    frameworkErrors: (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
      measure(parts.figures, {}, request, reply)
      const unsound = distrust(request.raw)
      if (unsound) {
        replyError(unsound, request, reply)
        return
      }
      authenticate(parts.identity, credentialsOf(request)).then(
        () => replyError(error, request, reply),
        (refusal: unknown) => replyError(refusal, request, reply),
      )
    },
  })
  requireDeclarations(app)
  knowPeople(app)
  measureRoutes(app, parts.figures, parts.basePath)
  if (parts.traces) traceRequests(app, parts.traces, parts.basePath)
  app.setErrorHandler(replyError)
  app.decorateRequest('caller')
  app.addHook('onRequest', (request, reply, done) => {
    let refusal: Received | Promise<Received>
    try {
      refusal = receive(parts, request as RequestWithCaller, reply)
    } catch (thrown) {
      refusal = asError(thrown)
    }
    if (refusal instanceof Promise) refusal.then(done, (thrown: unknown) => done(asError(thrown)))
    else done(refusal)
  })
  const { pressure } = parts
  if (pressure) {
    app.addHook('onRequest', (request, _reply, done) => {
      // Health and tokens are answered whatever the load.
      const { caller } = request as RequestWithCaller
      if (caller) pressure.admit(caller.flow, done)
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
  // One more than is accepted: what the parser drops could not be refused.
  app.server.maxHeadersCount = 2 * MAX_HEADERS
  parts.connections.guard(app.server)
  refuseInShape(app.server)
  // A trace has spans of what the framework does.
  if (parts.answers && !parts.traces) answerInFront(app.server, parts, parts.answers)
  return app
}

/** Why the request goes no further, if it does not. */
type Received = Error | undefined

/** Every request, before its route is looked at: authenticate, then the bounds that the server itself does not hold. */
function receive(parts: ServerParts, request: RequestWithCaller, reply: FastifyReply): Received | Promise<Received> {
  const known = foundInFront(request.raw)?.caller ?? findKnownCaller(parts.identity, request.headers.authorization)
  const config = request.routeOptions.config as MeasuredConfig & Declaration
  measure(parts.figures, config, request, reply)
  const unsound = distrust(request.raw)
  if (unsound) return unsound
  if (known || config.isUnlimited) {
    request.caller = known
    return refuseBeforeRouting(parts, request, reply)
  }
  const admit = config.isPublic ? admitStranger : authenticate
  return admit(parts.identity, credentialsOf(request)).then((caller) => {
    request.caller = caller
    return refuseBeforeRouting(parts, request, reply)
  })
}

function refuseBeforeRouting(
  { lifecycle, limiter }: ServerParts,
  request: RequestWithCaller,
  reply: FastifyReply,
): Received {
  if (lifecycle.state === 'closing') return unavailable('The service is stopping.')
  const { url = '', rawHeaders } = request.raw
  if (url.length > MAX_URL_BYTES) return coded(414, 1010, `The URL is longer than ${MAX_URL_BYTES} bytes.`)
  if (rawHeaders.length > MAX_HEADERS * 2) return coded(431, 1010, `The request has more than ${MAX_HEADERS} headers.`)
  refuseEncodedBody(request)
  if (request.caller && limiter) countAgainst(limiter, request.caller, request.raw, reply.raw)
  return undefined
}

/** Throws 429 when the caller has had its share. */
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
