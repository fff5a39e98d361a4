// The world's faults (busy, unreachable, disk full) become one of these few answers at the door of the store.
import { unavailable } from '../errors/catalogue.ts'
import type { Problem } from '../errors/problem.ts'

/** Nothing was written, and the same request may succeed later. */
export function storeUnavailable(reason: string, cause: unknown): Problem {
  return unavailable(`The store cannot be used now: ${reason}. Nothing was written; try again.`, 2, cause)
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

/** A query was stopped at its time limit. */
export function queryTooLong(limitMs: number, cause?: unknown): Problem {
  return unavailable(
    `The query took longer than ${limitMs / 1000} s and was stopped: narrow the filter, ask for fewer properties or a smaller limit.`,
    30,
    cause,
  )
}
