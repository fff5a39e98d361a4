// Tracing by OpenTelemetry, if its environment variables turn it on. Only then is the library loaded; the rest of the
// program uses this interface.
import type { Observe, Traces } from './observation.ts'

/** Undefined unless an endpoint for traces is set and tracing is not disabled. */
export async function openTraces(environment: NodeJS.ProcessEnv, observe: Observe): Promise<Traces | undefined> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT } = environment
  if (!OTEL_EXPORTER_OTLP_ENDPOINT && !OTEL_EXPORTER_OTLP_TRACES_ENDPOINT) return undefined
  if (environment.OTEL_SDK_DISABLED?.toLowerCase() === 'true' || environment.OTEL_TRACES_EXPORTER === 'none') {
    return undefined
  }
  const { otlpTraces } = await import('./otlp-traces.ts')
  return otlpTraces(environment, observe)
}
