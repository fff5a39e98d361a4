// Tracing by OpenTelemetry, if its environment variables turn it on. Only then is the library loaded; the rest of the
// program uses this interface.
import type { IncomingHttpHeaders } from 'node:http'
import type { Observe } from './observation.ts'

export interface TracedRequest {
  readonly method: string
  /** As declared; undefined if no route matches the request. */
  readonly route: string | undefined
  readonly requestId: string
  /** They may name the client's own trace (W3C Trace Context). */
  readonly headers: IncomingHttpHeaders
}

export interface RequestSpan {
  /** Runs the work, and everything asynchronous that it starts, inside the span. */
  run<T>(work: () => T): T
  /** `status` is undefined if the client disconnected before the response was complete. */
  end(status: number | undefined): void
}

export interface Traces {
  startRequest(request: TracedRequest): RequestSpan
  /** Runs the work in a child span of the current request's, or without a span outside of a request. */
  span<T>(name: string, work: () => Promise<T>): Promise<T>
  /** The same function, tied to the current request whenever it is called. */
  bound<A extends unknown[], R>(work: (...args: A) => R): (...args: A) => R
  /** Sends the spans that are still buffered. */
  close(): Promise<void>
}

/** Undefined unless an endpoint for traces is set and tracing is not disabled. */
export async function openTraces(environment: NodeJS.ProcessEnv, observe: Observe): Promise<Traces | undefined> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT } = environment
  if (!OTEL_EXPORTER_OTLP_ENDPOINT && !OTEL_EXPORTER_OTLP_TRACES_ENDPOINT) return undefined
  if (environment.OTEL_SDK_DISABLED?.toLowerCase() === 'true' || environment.OTEL_TRACES_EXPORTER === 'none') {
    return undefined
  }
  const { OtlpTraces } = await import('./otlp-traces.ts')
  return new OtlpTraces(environment, observe)
}
