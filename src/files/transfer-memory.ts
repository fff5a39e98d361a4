// Limits the memory of the file transfers of all clients together. A transfer beyond the limit, or beyond its client's
// share, waits in a queue for a while.
import { AdmissionQueue } from '../base/concurrency/admission-queue.ts'
import { unavailable } from '../errors/catalogue.ts'

const RETRY_AFTER_SECONDS = 2
const MAX_WAITING = 256
/** Shorter than the deadline of a request. */
const PATIENCE_MS = 10_000

/** A client may use a quarter of the memory, and all clients of a company together half. */
export function transferMemory(maxBytes: number): AdmissionQueue {
  return new AdmissionQueue({
    inFlight: maxBytes,
    maxPerGroup: maxBytes / 2,
    maxPerMember: maxBytes / 4,
    waiting: MAX_WAITING,
    maxWaitMs: PATIENCE_MS,
    refusal: () => unavailable('Too many files are on their way at once.', RETRY_AFTER_SECONDS),
  })
}
