// When an event is sent again: ten attempts over three days, as Standard Webhooks advises.
import type { WebhookReply } from '../webhook-sender.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** How long each attempt comes after the end of the one before it. */
const RETRY_PLAN_MS: readonly number[] = [
  0,
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR),
]
/** A subscription that has failed for as long is paused. */
export const FAILING_MS = 72 * HOUR
/** What a receiver may ask for by `Retry-After`: one that asks for more would lose attempts of the plan. */
const MAX_RETRY_AFTER_MS = HOUR
const RETRY_LATER: ReadonlySet<number> = new Set([429, 503])

/** When the next attempt is due after so many that have failed; undefined when there is none. */
export function nextAttempt(failed: number, reply: WebhookReply, now: number): number | undefined {
  const planned = RETRY_PLAN_MS[failed]
  if (planned === undefined) return undefined
  const requested = RETRY_LATER.has(reply.status) ? Math.min(reply.retryAfterMs ?? 0, MAX_RETRY_AFTER_MS) : 0
  return now + Math.max(planned, requested)
}
