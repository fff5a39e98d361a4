// The HTTP server: Node's limits on connections, headers and time, and the settings of Fastify.
import fastify, { type FastifyInstance } from 'fastify'
import { answerClientError } from './pipeline/client-error.ts'
import { BODY_LIMIT_BYTES } from './pipeline/json-body.ts'
import { requestIdOf } from './pipeline/request-observation.ts'
import type { Pipeline } from './pipeline.ts'
import { ROUTER_OPTIONS } from './route/route-lookup.ts'

/** API clients send their headers at once; this frees the connection of a slow sender. */
const HEADERS_TIMEOUT_MS = 10_000
/** Long enough for the largest body at 2.5 Mbit/s. */
const REQUEST_TIMEOUT_MS = 120_000
const CONNECTIONS_CHECK_MS = 5_000
/** Above the usual 60 s of load balancers, so that the server never closes an idle connection first. */
const KEEP_ALIVE_TIMEOUT_MS = 72_000
/** Includes the request line. */
const MAX_HEADER_BYTES = 32 * 1024

export type Server = FastifyInstance

/** Creates a server with the steps of the pipeline that apply to every request, whether or not a route matches it. */
export async function createServer(pipeline: Pipeline): Promise<Server> {
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
      ...ROUTER_OPTIONS,
      // Parsed by parseQueryString where it is used; most requests have none.
      querystringParser: ((text: string) => text) as never,
    },
    genReqId: (request) => requestIdOf(request as never),
    clientErrorHandler: (error, socket) => answerClientError(error, socket, pipeline.tellUnread),
    frameworkErrors: (error, request, reply) => pipeline.rejectUnroutable(error, request, reply),
  })
  await pipeline.install(app)
  return app
}
