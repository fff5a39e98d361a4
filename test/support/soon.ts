// Waits for conditions. How long it takes is nobody's claim: the limit only ends what hangs.
import { vi } from 'vitest'

const LIMITS = { timeout: 120_000, interval: 20 }

/** Until the check throws no more. */
export function soon<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, LIMITS)
}
