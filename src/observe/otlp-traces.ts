// Exports traces as OTLP over HTTP. Spans are named after routes and statements; they contain no key, no value and no
// client address. Loaded by traces.ts when tracing is on.
import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import { defaultTextMapGetter, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { ExportResultCode, W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { Observe, Traces } from './observation.ts'

const NAME = 'tabularium'
const SERVER_ERROR = 500
/** How long the shutdown waits for the last spans to be sent. */
const CLOSE_TIMEOUT_MS = 2_000
const REPORT_INTERVAL_MS = 60_000

export function otlpTraces(environment: NodeJS.ProcessEnv, observe: Observe): Traces {
  const exporter = reporting(new OTLPTraceExporter(), observe)
  const scheduledDelayMillis = Number(environment.OTEL_BSP_SCHEDULE_DELAY)
  const processor = new BatchSpanProcessor(scheduledDelayMillis > 0 ? { exporter, scheduledDelayMillis } : { exporter })
  const resource = defaultResource()
    .merge(resourceFromAttributes({ 'service.name': NAME }))
    .merge(detectResources({ detectors: [envDetector] }))
  const provider = new TracerProvider({ resource, sampler: samplerOf(environment), spanProcessors: [processor] })
  const tracer = provider.getTracer(NAME)
  const current = new AsyncLocalStorage<Span>()
  const propagator = new W3CTraceContextPropagator()
  return {
    startRequest({ method, route, requestId, headers }) {
      const attributes = {
        'http.request.method': method,
        ...(route === undefined ? {} : { 'http.route': route }),
        'tabularium.request_id': requestId,
      }
      const name = route === undefined ? method : `${method} ${route}`
      const parent = propagator.extract(ROOT_CONTEXT, headers, defaultTextMapGetter)
      const span = tracer.startSpan(name, { kind: SpanKind.SERVER, attributes }, parent)
      return {
        run: (work) => current.run(span, work),
        end: (status) => {
          if (status !== undefined) span.setAttribute('http.response.status_code', status)
          if (status === undefined || status >= SERVER_ERROR) span.setStatus({ code: SpanStatusCode.ERROR })
          span.end()
        },
      }
    },

    async span(name, work) {
      const parent = current.getStore()
      if (!parent) return work()
      const span = tracer.startSpan(name, {}, trace.setSpan(ROOT_CONTEXT, parent))
      try {
        return await current.run(span, work)
      } catch (error) {
        // The error itself is only logged: its message may repeat client input.
        span.setStatus({ code: SpanStatusCode.ERROR })
        throw error
      } finally {
        span.end()
      }
    },

    bound: AsyncLocalStorage.bind,

    async close() {
      await Promise.race([provider.shutdown().catch(() => {}), delay(CLOSE_TIMEOUT_MS, undefined, { ref: false })])
    },
  }
}

/** Reports spans that cannot be sent, at most once a minute: a collector that is down must not flood the log. */
function reporting(exporter: SpanExporter, observe: Observe): SpanExporter {
  let reportedAt = -REPORT_INTERVAL_MS
  let lost = 0
  const report = (spans: number): void => {
    lost += spans
    const now = performance.now()
    if (now - reportedAt < REPORT_INTERVAL_MS) return
    reportedAt = now
    observe({ kind: 'traces-not-sent', spans: lost })
    lost = 0
  }
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        if (result.code !== ExportResultCode.SUCCESS) report(spans.length)
        done(result)
      }),
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  }
}

/** The sampler that the variables name. Throws for an unsupported name or argument. */
function samplerOf({ OTEL_TRACES_SAMPLER, OTEL_TRACES_SAMPLER_ARG }: NodeJS.ProcessEnv): Sampler {
  const name = OTEL_TRACES_SAMPLER || 'parentbased_always_on'
  const ratio = Number(OTEL_TRACES_SAMPLER_ARG || 1)
  if (!(ratio >= 0 && ratio <= 1)) throw new Error('OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1')
  const samplers = new Map<string, Sampler>([
    ['always_on', new AlwaysOnSampler()],
    ['always_off', new AlwaysOffSampler()],
    ['traceidratio', new TraceIdRatioBasedSampler(ratio)],
  ])
  const root = samplers.get(name.replace(/^parentbased_/, ''))
  if (!root)
    throw new Error(
      `OTEL_TRACES_SAMPLER is ${name}: it must be ${[...samplers.keys()].join(', ')}, or one of them after parentbased_`,
    )
  return name.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root
}
