// Infrastructure errors (busy, unreachable, disk full) become one of these few problems at the boundary of the store.
import { setTimeout as wait } from 'node:timers/promises'
import { coded, unavailable } from '../errors/catalogue.ts'
import type { Problem } from '../errors/problem.ts'

/** The reason why the store is unavailable, for the message of a failed write. */
const reasons = new WeakMap<object, string>()

/** The same request may succeed later. */
export function storeUnavailable(reason: string, cause: unknown): Problem {
  const problem = unavailable(`The store cannot be used now: ${reason}. Try again.`, 2, cause)
  reasons.set(problem, reason)
  return problem
}

/** Until then whoever was in the way has got the locks, also where many processes wait for a processor. */
const AGAIN_AFTER_MS = 100

/** The problems of transactions that gave way to others: the database has ended them, and nothing of them is left. */
const givenWay = new WeakSet<object>()

/** The database has ended the transaction for another one, which has ended by now or soon. */
export function gaveWay(cause: unknown): Problem {
  const problem = storeUnavailable('another write was in the way', cause)
  givenWay.add(problem)
  return problem
}

/** Does work that has told nobody of its outcome once more if its transaction gave way to another one. */
export async function again<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Error && givenWay.has(error))) throw error
    await wait(AGAIN_AFTER_MS)
    return work()
  }
}

/** Rethrows the error of a write. For an infrastructure error the message adds that nothing was written. */
export function rethrowWriteError(error: unknown): never {
  const reason = error instanceof Error ? reasons.get(error) : undefined
  if (reason === undefined) throw error
  const { cause } = error as Error
  throw unavailable(`The store cannot be used now: ${reason}. Nothing was written; try again.`, 2, cause)
}

/** Whether the database could not be used; not of a query that it has stopped. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof Error && reasons.has(error)
}

/** Only an administrator can change this: an early retry would not help. */
export function storeReadOnly(cause: unknown): Problem {
  return unavailable('The store is read-only: it answers, and nothing can be written.', 60, cause)
}

/** The connection was lost during the commit, so its outcome is unknown. */
export function commitOutcomeUnknown(cause: unknown): Problem {
  return unavailable(
    'The store was lost while this was written: it may be there or not. Look, or send it again under its Idempotency-Key.',
    2,
    cause,
  )
}

/** The disk may have lost earlier writes: the process must not acknowledge anything any more. */
export class FatalStoreFault extends Error {
  override readonly name = 'FatalStoreFault'
}

/** The query was cancelled because its caller has disconnected; nobody receives this problem. */
export function queryAbandoned(cause?: unknown): Problem {
  return unavailable('Nobody waits for the answer.', undefined, cause)
}

/** A row of an answer, or an answer read at once, exceeds the size limit. */
export function answerTooLarge(cause?: unknown): Problem {
  return coded(400, 1020, 'The answer is too large to be made: ask for fewer properties or a smaller limit.', { cause })
}

/** The query was stopped at its timeout. */
export function queryTooLong(limitMs: number, cause?: unknown): Problem {
  return unavailable(
    `The query took longer than ${limitMs / 1000} s and was stopped: narrow the filter, ask for fewer properties or a smaller limit.`,
    30,
    cause,
  )
}
