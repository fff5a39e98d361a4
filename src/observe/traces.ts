// Traces (OpenTelemetry), when the usual variables ask for them. Only then is anything of it loaded; the parts see these
// few functions and no library.
import type { Observe } from './observation.ts'

export interface TracedRequest {
  readonly method: string
  /** As declared; absent: no route takes the request. */
  readonly route: string | undefined
  readonly requestId: string
  /** Of the caller's own trace (W3C Trace Context). */
  readonly traceparent: string | undefined
  readonly tracestate: string | undefined
}

export interface RequestSpan {
  /** What is done in it, and all that follows from that, belongs to the request. */
  within<T>(work: () => T): T
  /** With the status of the answer; without one, the caller was gone before it was out. */
  end(status: number | undefined): void
}

export interface Traces {
  begin(request: TracedRequest): RequestSpan
  /** A part of the request that the work belongs to; just the work where there is none. */
  span<T>(name: string, work: () => Promise<T>): Promise<T>
  /** The same function, belonging to the request of now whenever it is called. */
  bound<A extends unknown[], R>(work: (...given: A) => R): (...given: A) => R
  /** Sends what has not been sent. */
  close(): Promise<void>
}

/** Nothing unless an address to send traces to is set, and they are not switched off. */
export async function openTraces(environment: NodeJS.ProcessEnv, observe: Observe): Promise<Traces | undefined> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT } = environment
  if (!OTEL_EXPORTER_OTLP_ENDPOINT && !OTEL_EXPORTER_OTLP_TRACES_ENDPOINT) return undefined
  if (environment.OTEL_SDK_DISABLED?.toLowerCase() === 'true' || environment.OTEL_TRACES_EXPORTER === 'none') {
    return undefined
  }
  const { OtlpTraces } = await import('./otlp-traces.ts')
  return new OtlpTraces(environment, observe)
}
