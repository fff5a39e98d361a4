// How much was used within a window that moves along with time: the counts of two windows that stand still, the earlier
// one as far as it still reaches in. Off by little, and of two numbers a client.

export interface Counts {
  /** Of the window that began at `start`, and of the one before it. */
  readonly current: number
  readonly previous: number
}

/** When the standing window began in which an instant lies. */
export function startOf(nowMs: number, windowMs: number): number {
  return nowMs - (nowMs % windowMs)
}

/** What was used in the window that ends now. */
export function usedUntil(nowMs: number, windowMs: number, { current, previous }: Counts): number {
  const share = 1 - (nowMs % windowMs) / windowMs
  return current + previous * share
}

/** How long until no more than `most` counts as used, when nothing is added; at most two windows. */
export function waitUntil(nowMs: number, windowMs: number, { current, previous }: Counts, most: number): number {
  const gone = nowMs % windowMs
  if (current < most && previous > 0) return Math.max(windowMs * (1 - (most - current) / previous) - gone, 0)
  // The current one must become the earlier one first, and then pass by as far.
  return windowMs - gone + (current <= most ? 0 : windowMs * (1 - most / current))
}
