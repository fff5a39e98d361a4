// Exports traces as OTLP over HTTP. Spans are named after routes and statements; they contain no key, no value and no
// client address. Loaded by traces.ts when tracing is on.
import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type Context,
  createTraceState,
  isSpanContextValid,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import type { Observe } from './observation.ts'
import { ReportingExporter } from './reporting-exporter.ts'
import { samplerOf } from './sampler.ts'
import type { RequestSpan, TracedRequest, Traces } from './traces.ts'

const NAME = 'tabularium'
const SERVER_ERROR = 500
/** How long the shutdown waits for the last spans to be sent. */
const CLOSE_TIMEOUT_MS = 2_000

export class OtlpTraces implements Traces {
  readonly #current = new AsyncLocalStorage<Span>()
  readonly #provider: TracerProvider
  readonly #tracer: Tracer

  constructor(environment: NodeJS.ProcessEnv, observe: Observe) {
    const exporter = new ReportingExporter(new OTLPTraceExporter(), observe)
    const delay = Number(environment.OTEL_BSP_SCHEDULE_DELAY)
    const processor = new BatchSpanProcessor({ exporter, ...(delay > 0 ? { scheduledDelayMillis: delay } : {}) })
    const resource = defaultResource()
      .merge(resourceFromAttributes({ 'service.name': NAME }))
      .merge(detectResources({ detectors: [envDetector] }))
    this.#provider = new TracerProvider({ resource, sampler: samplerOf(environment), spanProcessors: [processor] })
    this.#tracer = this.#provider.getTracer(NAME)
  }

  startRequest({ method, route, requestId, traceparent, tracestate }: TracedRequest): RequestSpan {
    const attributes = {
      'http.request.method': method,
      ...(route === undefined ? {} : { 'http.route': route }),
      'tabularium.request_id': requestId,
    }
    const name = route === undefined ? method : `${method} ${route}`
    const span = this.#tracer.startSpan(name, { kind: SpanKind.SERVER, attributes }, contextOf(traceparent, tracestate))
    return {
      run: (work) => this.#current.run(span, work),
      end: (status) => {
        if (status !== undefined) span.setAttribute('http.response.status_code', status)
        if (status === undefined || status >= SERVER_ERROR) span.setStatus({ code: SpanStatusCode.ERROR })
        span.end()
      },
    }
  }

  async span<T>(name: string, work: () => Promise<T>): Promise<T> {
    const parent = this.#current.getStore()
    if (!parent) return work()
    const span = this.#tracer.startSpan(name, {}, trace.setSpan(ROOT_CONTEXT, parent))
    try {
      return await this.#current.run(span, work)
    } catch (error) {
      // The error itself is only logged: its message may repeat client input.
      span.setStatus({ code: SpanStatusCode.ERROR })
      throw error
    } finally {
      span.end()
    }
  }

  bound<A extends unknown[], R>(work: (...args: A) => R): (...args: A) => R {
    return AsyncLocalStorage.bind(work)
  }

  async close(): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    const timeout = new Promise<void>((resolve) => (timer = setTimeout(resolve, CLOSE_TIMEOUT_MS)))
    await Promise.race([this.#provider.shutdown().catch(() => {}), timeout])
    clearTimeout(timer)
  }
}

/** The client's trace, if the request names one (W3C Trace Context, 3.2); an invalid header is ignored. */
function contextOf(traceparent: string | undefined, tracestate: string | undefined): Context {
  const [, version, traceId = '', spanId = '', flags = ''] =
    /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(?:-.*)?$/.exec(traceparent ?? '') ?? []
  if (version === undefined || version === 'ff') return ROOT_CONTEXT
  const parent = {
    traceId,
    spanId,
    traceFlags: Number.parseInt(flags, 16) & 1,
    isRemote: true,
    ...(tracestate === undefined ? {} : { traceState: createTraceState(tracestate) }),
  }
  return isSpanContextValid(parent) ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT
}
