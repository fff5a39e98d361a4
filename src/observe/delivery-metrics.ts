// What is counted of webhooks. No label names a subscription: the service answers for each how far it is.
import type { MetricRegistry } from './metric-registry.ts'

/** How far the deliveries of a process are behind: of its subscriptions the one that is farthest. */
export interface DeliveryLag {
  readonly changes: number
  readonly seconds: number
}

export class DeliveryMetrics {
  readonly #attempts
  /** Set by what delivers. */
  lag: () => DeliveryLag = () => ({ changes: 0, seconds: 0 })

  constructor(registry: MetricRegistry, outcomes: readonly string[]) {
    const help = 'Attempts to deliver webhooks, by outcome.'
    this.#attempts = registry.counter('tabularium_webhook_attempts_total', help, ['outcome'])
    for (const outcome of outcomes) this.#attempts.inc({ outcome }, 0)
    const lagHelp = 'Changes that the subscription which is farthest behind has not handed over yet.'
    registry.gauge('tabularium_subscription_lag_changes', lagHelp, () => this.lag().changes, 'max')
    const oldestHelp = 'How long the oldest event that is not delivered has waited.'
    const seconds = () => this.lag().seconds
    registry.gauge('tabularium_subscription_oldest_undelivered_seconds', oldestHelp, seconds, 'max')
  }

  attempted(outcome: string): void {
    this.#attempts.inc({ outcome })
  }
}
