// Work that goes through much of a company in the serving process, such as pages of the change log: it is done in
// steps, few at a time, and companies and their clients take turns.
import { AdmissionQueue } from '../base/concurrency/admission-queue.ts'
import { Steps } from '../base/concurrency/steps.ts'
import { unavailable } from '../errors/catalogue.ts'
import type { QueryCaller } from '../store/store.ts'
import { queryAbandoned } from '../store/store-fault.ts'

/** Each has some megabytes in memory. */
const AT_ONCE = 4
/** Less than all, so that no company and no client locks out the others. */
const AT_ONCE_OF_COMPANY = 3
const AT_ONCE_OF_CLIENT = 2
/** As many as there may be connections. */
const MAX_WAITING = 2_000

export class LongWork {
  readonly queue = new AdmissionQueue({
    inFlight: AT_ONCE,
    maxPerGroup: AT_ONCE_OF_COMPANY,
    maxPerMember: AT_ONCE_OF_CLIENT,
    waiting: MAX_WAITING,
    refusal: () => unavailable('Too many requests read changes.', 5),
  })

  /** Runs work in its turn. Throws 503 when too many wait, and when the caller has gone. */
  async run<T>({ flow, onAbandoned }: QueryCaller, work: (steps: Steps) => Promise<T>): Promise<T> {
    const steps = new Steps(onAbandoned, queryAbandoned)
    return this.queue.run(flow, 1, () => work(steps), onAbandoned)
  }
}
