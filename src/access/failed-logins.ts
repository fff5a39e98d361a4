// Counts guessed secrets per client and address, across all processes on a store, to prevent brute-force attacks.
// Unknown client ids of an address are counted together.
import type { Clock } from '../base/clock.ts'
import { type SharedUsages, SlidingWindow } from '../base/concurrency/sliding-window.ts'
import { lastUsed } from '../base/last-used.ts'
import { getOrInsert } from '../base/memo.ts'
import { Problem } from '../errors/problem.ts'

/** A minute together with the current step. */
const WINDOW_MS = 55_000
const STEP_MS = 5_000
/** Each check takes some 50 ms, so there cannot be more attackers than this within a minute. */
const REMEMBERED = 20_000
const FORGET_MS = 60_000
/** Longer than any window of shared usage. */
const KEPT_MS = 10 * 60_000

export type FailedLogins = ReturnType<typeof failedLogins>

/** `most`: within a minute. */
export function failedLogins(
  shared: SharedUsages,
  kind: 'wrong-secrets' | 'patient-checks',
  most: number,
  clock: Clock,
) {
  const windows = lastUsed<string, SlidingWindow>(REMEMBERED)
  let forgottenAt = 0
  const nowMs = () => clock().getTime()
  const used = (guesser: string): number => windows.get(guesser)?.usedUntil(nowMs()) ?? 0

  /** Shares the counts. While the store is unavailable (503), each process has only its own. */
  const tell = async (guesser: string, window: SlidingWindow, amounts: ReadonlyMap<number, number>): Promise<void> => {
    const now = nowMs()
    const isForgetting = now - forgottenAt >= FORGET_MS
    if (isForgetting) forgottenAt = now
    try {
      window.merge(amounts, await shared.add({ clientId: guesser, kind, amounts }, window.since(now)))
      if (isForgetting) await shared.forget(now - KEPT_MS)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
    }
  }

  return {
    /** Whether there were so many within the minute, as far as this process knows, that no further one may begin. */
    isFull: (guesser: string): boolean => used(guesser) >= most,

    /** Whether there was one within the minute. */
    hasBegun: (guesser: string): boolean => used(guesser) > 0,

    /** Counts a secret before it is checked, as a wrong one. False: there were too many within the minute. */
    async begin(guesser: string): Promise<boolean> {
      if (used(guesser) >= most) return false
      const now = nowMs()
      const window = getOrInsert(windows, guesser, () => new SlidingWindow(WINDOW_MS, STEP_MS))
      window.add(1, now)
      await tell(guesser, window, new Map([[window.stepAt(now), 1]]))
      return used(guesser) <= most
    },

    /** Withdraws the counts, after the correct secret. */
    async forget(guesser: string): Promise<void> {
      const amounts = windows.get(guesser)?.all() ?? new Map<number, number>()
      const undone = new Map([...amounts].map(([start, amount]) => [start, -amount]))
      windows.delete(guesser)
      await tell(guesser, new SlidingWindow(WINDOW_MS, STEP_MS), undone)
    },

    /** Milliseconds until another one may begin, if none does meanwhile. */
    waitOf: (guesser: string): number => windows.get(guesser)?.waitUntil(nowMs(), most - 1) ?? 0,
  }
}
