// A span for each request, when traces are wanted. Nothing of this is there when they are not.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { RequestSpan, Traces } from '../observe/traces.ts'

/** Must be called before other hooks: what they do belongs to the request. */
export function traceRequests(app: FastifyInstance, traces: Traces, basePath: string): void {
  const spans = new WeakMap<FastifyRequest, RequestSpan>()
  app.addHook('onRequest', (request, reply, done) => {
    const { traceparent, tracestate } = request.headers
    const { url, config } = request.routeOptions
    const span = traces.begin({
      method: request.method,
      route: (config as { isIncomplete?: boolean }).isIncomplete ? undefined : url?.slice(basePath.length),
      requestId: request.id,
      traceparent: traceparent as string | undefined,
      tracestate: tracestate as string | undefined,
    })
    spans.set(request, span)
    const { raw } = reply
    raw.once('close', () => span.end(raw.writableEnded ? raw.statusCode : undefined))
    span.within(done)
  })
  // Reading a body loses what it belongs to.
  app.addHook('preHandler', (request, _reply, done) => {
    const span = spans.get(request)
    if (span) span.within(done)
    else done()
  })
}
