// Says in the log when traces cannot be sent, now and then: a collector that is away must not fill it.
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace'
import type { Observe } from './observation.ts'

const QUIET_MS = 60_000

export class TellingExporter implements SpanExporter {
  readonly #exporter: SpanExporter
  readonly #observe: Observe
  #toldAt = -QUIET_MS
  #lost = 0

  constructor(exporter: SpanExporter, observe: Observe) {
    this.#exporter = exporter
    this.#observe = observe
  }

  export(spans: ReadableSpan[], done: Parameters<SpanExporter['export']>[1]): void {
    this.#exporter.export(spans, (result) => {
      if (result.code !== 0) this.#tell(spans.length)
      done(result)
    })
  }

  shutdown(): Promise<void> {
    return this.#exporter.shutdown()
  }

  async forceFlush(): Promise<void> {
    await this.#exporter.forceFlush?.()
  }

  #tell(spans: number): void {
    this.#lost += spans
    const now = performance.now()
    if (now - this.#toldAt < QUIET_MS) return
    this.#toldAt = now
    this.#observe({ kind: 'traces-not-sent', spans: this.#lost })
    this.#lost = 0
  }
}
