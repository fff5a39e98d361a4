// What is counted of companies that are mirrors of an ERP system. No label names a company: `/v1/mirror` answers for
// each how fresh it is.
import type { MetricRegistry } from './metric-registry.ts'

/** A document of a company that this process fills. */
export interface MirroredFigures {
  readonly document: string
  readonly rows: number
  /** Undefined: nothing of it is known yet. */
  readonly ageSeconds: number | undefined
}

/**
 * `waiting`: the source asks to come back later; `refused`: it does not accept the credentials, or shows nothing to
 * them; `rejected`: it does not do what was asked for; `unreachable`: there was no answer, or it broke off.
 */
const OUTCOMES = ['answered', 'waiting', 'refused', 'rejected', 'failed', 'unreachable'] as const

export class MirrorMetrics {
  readonly #requests
  /** Set by what fills companies. */
  documents: () => Iterable<MirroredFigures> = () => []
  /** Shares of what may be used, of the company that has used most. */
  quotaUsed: () => Readonly<Record<'requests' | 'bytes', number>> = () => ({ requests: 0, bytes: 0 })

  constructor(registry: MetricRegistry) {
    const help = 'Requests to the sources of mirrors, by outcome.'
    this.#requests = registry.counter('tabularium_mirror_requests_total', help, ['outcome'])
    for (const outcome of OUTCOMES) this.#requests.inc({ outcome }, 0)
    const ageHelp = 'How old what a mirror has is; of several companies the oldest.'
    registry.gauges('tabularium_mirror_age_seconds', ageHelp, 'document', () => this.#ages(), 'max')
    registry.gauges('tabularium_mirror_rows', 'Records of mirrors.', 'document', () => this.#rows())
    const usedHelp = 'Share of what a mirror may use of the quotas of its source; of several companies the highest.'
    registry.gauges('tabularium_mirror_quota_used_ratio', usedHelp, 'quota', () => this.quotaUsed(), 'max')
  }

  /** Status 0: there was no answer. */
  answered(status: number): void {
    this.#requests.inc({ outcome: outcomeOf(status) })
  }

  #ages(): Readonly<Record<string, number>> {
    const ages: Record<string, number> = {}
    for (const { document, ageSeconds } of this.documents()) {
      if (ageSeconds !== undefined) ages[document] = Math.max(ages[document] ?? 0, ageSeconds)
    }
    return ages
  }

  #rows(): Readonly<Record<string, number>> {
    const sums: Record<string, number> = {}
    for (const { document, rows } of this.documents()) sums[document] = (sums[document] ?? 0) + rows
    return sums
  }
}

function outcomeOf(status: number): (typeof OUTCOMES)[number] {
  if (status === 0) return 'unreachable'
  if (status === 429 || status === 503) return 'waiting'
  if (status >= 500) return 'failed'
  if (status === 401 || status === 403) return 'refused'
  return status >= 400 ? 'rejected' : 'answered'
}

/** What is counted of batch operations. No label names one: the service answers for each how far it is. */
export class BatchOperationMetrics {
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

/** How far the deliveries of a process are behind: of its subscriptions the one that is farthest. */
export interface DeliveryLag {
  readonly changes: number
  readonly seconds: number
}

/** What is counted of webhooks. No label names a subscription: the service answers for each how far it is. */
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
