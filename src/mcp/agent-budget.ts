// How much the agents of a client may ask for: apart from the limits of its other requests, so that an agent that runs
// in a circle takes nothing from them.
import type { SharedUsages } from '../base/concurrency/sliding-window.ts'
import { RateLimiter, type RateLimits } from '../http/pipeline/rate-limiter.ts'

/**
 * A conversation calls a tool every few seconds: this serves some twenty of them at once. An answer has at most 32 kB,
 * and what a model reads in five minutes is far below these bytes; a program that wants whole collections has the
 * interface.
 */
export const AGENT_LIMITS: RateLimits = { requestsPerMinute: 120, bytesPerFiveMinutes: 8 * 1024 * 1024 }

/** Processes on a store share the counts, beside those of other requests. */
export function agentBudget(limits: RateLimits, shared: SharedUsages): RateLimiter {
  return new RateLimiter(limits, {
    add: ({ kind, ...usage }, since) => shared.add({ ...usage, kind: `agent-${kind}` }, since),
    forget: (before) => shared.forget(before),
  })
}
