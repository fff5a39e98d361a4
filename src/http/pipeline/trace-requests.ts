// Makes a span for each request. Only used when tracing is on.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { RequestSpan, Traces } from '../../observe/traces.ts'

/** Must be called before other hooks are added, so that their work is inside the span. */
export function traceRequests(app: FastifyInstance, traces: Traces, basePath: string): void {
  const spans = new WeakMap<FastifyRequest, RequestSpan>()
  app.addHook('onRequest', (request, reply, done) => {
    const { url, config } = request.routeOptions
    const span = traces.startRequest({
      method: request.method,
      route: (config as { isIncomplete?: boolean }).isIncomplete ? undefined : url?.slice(basePath.length),
      requestId: request.id,
      headers: request.headers,
    })
    spans.set(request, span)
    const { raw } = reply
    raw.once('close', () => span.end(raw.writableEnded ? raw.statusCode : undefined))
    span.run(done)
  })
  // Reading the body loses the async context.
  app.addHook('preHandler', (request, _reply, done) => {
    const span = spans.get(request)
    if (span) span.run(done)
    else done()
  })
}
