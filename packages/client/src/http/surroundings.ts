// What a client takes from where it runs. Tests give their own.

import { LONGEST_TIMER_MS } from './deadline.ts'

/** Time in milliseconds, waiting, chance, and the network. */
export interface Surroundings {
  readonly fetch: typeof fetch
  readonly now: () => number
  /** Ends early, with the reason of the signal, when that is aborted. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
  /** From 0 to less than 1. */
  readonly random: () => number
  /** A new idempotency key. */
  readonly newKey: () => string
}

export const SURROUNDINGS: Surroundings = {
  // Looked up for each request, so that a program may replace it; browsers want it called on their own object.
  fetch: (...request) => globalThis.fetch(...request),
  now: Date.now,
  sleep,
  random: Math.random,
  newKey,
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    const onAbort = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(
      () => {
        signal.removeEventListener('abort', onAbort)
        resolve()
      },
      Math.min(ms, LONGEST_TIMER_MS),
    )
    signal.addEventListener('abort', onAbort, { once: true })
  })
}

/** 128 random bits in hex. `crypto.randomUUID` is absent from pages without TLS. */
function newKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
