// Observes requests: their ids, records and spans.
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { RequestMetrics } from '../../observe/metrics.ts'
import type { RequestSpan, Traces } from '../../observe/observation.ts'
import type { PlainRequest } from '../route/plain-request.ts'
import { RequestRecord, type RequestSinks } from './request-record.ts'

/** A client's own id is used if it is harmless in a header and a log line. */
const SAFE_ID = /^[\w.:-]{1,128}$/

export function requestIdOf(request: IncomingMessage): string {
  const requested = request.headers['x-request-id']
  return typeof requested === 'string' && SAFE_ID.test(requested) ? requested : randomUUID()
}

/** Begins the record of a request, which is told when its response is sent or its client has disconnected. */
export function measure(
  sinks: RequestSinks,
  requests: RequestMetrics,
  { raw, response, method, id: requestId, route }: PlainRequest,
): RequestRecord {
  const metrics = route.metrics[method] ?? requests.of(method)
  return RequestRecord.begin(sinks, raw, response, { metrics, requestId, startedAt: performance.now() })
}

/** Begins the span of a request, which ends with its response. */
export function startSpan(
  traces: Traces,
  { method, route, id: requestId, headers, response }: PlainRequest,
): RequestSpan {
  const span = traces.startRequest({ method, route: route.path, requestId, headers })
  response.once('close', () => span.end(response.writableEnded ? response.statusCode : undefined))
  return span
}
