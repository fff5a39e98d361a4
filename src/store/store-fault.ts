// The world's faults (busy, unreachable, disk full) become one of these few answers at the door of the store.
import { coded, unavailable } from '../errors/catalogue.ts'
import type { Problem } from '../errors/problem.ts'

/** Why the store could not be used, for those who would write. */
const reasons = new WeakMap<object, string>()

/** The same request may succeed later. */
export function storeUnavailable(reason: string, cause: unknown): Problem {
  const problem = unavailable(`The store cannot be used now: ${reason}. Try again.`, 2, cause)
  reasons.set(problem, reason)
  return problem
}

/**
 * Throws on what a write of the store was refused with: where that is such a fault, it is told that nothing was
 * written.
 */
export function refuseWrite(error: unknown): never {
  const reason = error instanceof Error ? reasons.get(error) : undefined
  if (reason === undefined) throw error
  const { cause } = error as Error
  throw unavailable(`The store cannot be used now: ${reason}. Nothing was written; try again.`, 2, cause)
}

/** An administrator must change that: to try again soon would not help. */
export function storeReadOnly(cause: unknown): Problem {
  return unavailable('The store is read-only: it answers, and nothing can be written.', 60, cause)
}

/** The database was lost while it committed: nobody can tell yet whether it has. */
export function storeUnsettled(cause: unknown): Problem {
  return unavailable(
    'The store was lost while this was written: it may be there or not. Look, or send it again under its Idempotency-Key.',
    2,
    cause,
  )
}

/** The disk may have lost what was written before: the process must not acknowledge anything any more. */
export class FatalStoreFault extends Error {
  override readonly name = 'FatalStoreFault'
}

/** A query was ended because its caller has gone: nobody is told. */
export function abandoned(cause?: unknown): Problem {
  return unavailable('Nobody waits for the answer.', undefined, cause)
}

/** A row of an answer, or what was to be read at once, is longer than may be kept. */
export function answerTooLarge(cause?: unknown): Problem {
  return coded(400, 1020, 'The answer is too large to be made: ask for fewer properties or a smaller limit.', { cause })
}

/** A query was stopped at its time limit. */
export function queryTooLong(limitMs: number, cause?: unknown): Problem {
  return unavailable(
    `The query took longer than ${limitMs / 1000} s and was stopped: narrow the filter, ask for fewer properties or a smaller limit.`,
    30,
    cause,
  )
}
