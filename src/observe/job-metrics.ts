// What is counted of batch operations. No label names one: the service answers for each how far it is.
import type { MetricRegistry } from './metric-registry.ts'

export class JobMetrics {
  readonly #ended
  readonly #rows
  /** Set by what does them. */
  running: () => number = () => 0

  constructor(registry: MetricRegistry, states: readonly string[]) {
    const help = 'Batch operations that have ended, by their status.'
    this.#ended = registry.counter('tabularium_batch_operations_total', help, ['status'])
    for (const status of states) this.#ended.inc({ status }, 0)
    this.#rows = registry.counter('tabularium_batch_rows_total', 'Rows that batch operations have stored or checked.')
    registry.gauge('tabularium_batch_operations_running', 'Batch operations under way.', () => this.running())
  }

  ended(status: string): void {
    this.#ended.inc({ status })
  }

  rows({ written, unchanged }: { readonly written: number; readonly unchanged: number }): void {
    this.#rows.inc(written + unchanged)
  }
}
