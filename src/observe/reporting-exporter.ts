// Reports that traces cannot be sent, at most once a minute: a collector that is down must not flood the log.
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace'
import type { Observe } from './observation.ts'

const REPORT_INTERVAL_MS = 60_000

export class ReportingExporter implements SpanExporter {
  readonly #exporter: SpanExporter
  readonly #observe: Observe
  #reportedAt = -REPORT_INTERVAL_MS
  #lost = 0

  constructor(exporter: SpanExporter, observe: Observe) {
    this.#exporter = exporter
    this.#observe = observe
  }

  export(spans: ReadableSpan[], done: Parameters<SpanExporter['export']>[1]): void {
    this.#exporter.export(spans, (result) => {
      if (result.code !== 0) this.#report(spans.length)
      done(result)
    })
  }

  shutdown(): Promise<void> {
    return this.#exporter.shutdown()
  }

  async forceFlush(): Promise<void> {
    await this.#exporter.forceFlush?.()
  }

  #report(spans: number): void {
    this.#lost += spans
    const now = performance.now()
    if (now - this.#reportedAt < REPORT_INTERVAL_MS) return
    this.#reportedAt = now
    this.#observe({ kind: 'traces-not-sent', spans: this.#lost })
    this.#lost = 0
  }
}
