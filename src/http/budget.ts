// How much memory file contents on their way may take, whatever the number of callers: who comes when it is spent, or when his
// share of it is, waits for a while.
import { FairSemaphore } from '../base/fair-semaphore.ts'
import { unavailable } from '../errors/catalogue.ts'

const RETRY_AFTER_SECONDS = 2
const MOST_WAITING = 256
/** Less than an answer may take until it is begun. */
const PATIENCE_MS = 10_000

export type Budget = FairSemaphore

/** A client may have a quarter of it, and all clients of a company half. */
export function budgetOf(mostBytes: number): Budget {
  return new FairSemaphore({
    permits: mostBytes,
    mostOfGroup: mostBytes / 2,
    mostOfMember: mostBytes / 4,
    waiting: MOST_WAITING,
    patienceMs: PATIENCE_MS,
    refusal: () => unavailable('Too many files are on their way at once.', RETRY_AFTER_SECONDS),
  })
}
