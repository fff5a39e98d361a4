// Limits the number of requests in flight, and aborts those over the deadline. One timer serves all of them, because a
// timer for each would cost more than a point read.
import { AdmissionQueue } from '../../base/concurrency/admission-queue.ts'
import type { Flow } from '../../base/concurrency/fair-queue.ts'
import type { QueueFigures } from '../../base/concurrency/waiting-queue.ts'
import { unavailable } from '../../errors/catalogue.ts'
import type { Problem } from '../../errors/problem.ts'
import type { PlainRequest } from '../route/plain-request.ts'
import { overloaded } from './event-loop-queue.ts'

const CHECK_MS = 1_000
/** The last of these is answered within a second if each takes 2 ms. */
const MAX_IN_FLIGHT = 512
/** Less than all, so that no company and no client locks out the others. */
const MAX_PER_COMPANY = 480
const MAX_PER_CLIENT = 448

export class InFlightRequests {
  /** In no order. A map would do, but the tables that it leaves behind as it turns over keep what was in them. */
  readonly #requests: PlainRequest[] = []
  readonly #queue = new AdmissionQueue({
    inFlight: MAX_IN_FLIGHT,
    maxPerGroup: MAX_PER_COMPANY,
    maxPerMember: MAX_PER_CLIENT,
    waiting: 0,
    refusal: () => overloaded('in-flight'),
  })
  readonly #timer: NodeJS.Timeout
  readonly #deadlineMs: number
  #onEmpty: (() => void) | undefined
  readonly #refuse: (problem: Problem, request: PlainRequest) => void

  /** `refuse` answers a request that is over the deadline. */
  constructor(deadlineMs: number, refuse: (problem: Problem, request: PlainRequest) => void) {
    this.#deadlineMs = deadlineMs
    this.#refuse = refuse
    this.#timer = setInterval(() => this.#expire(performance.now()), CHECK_MS)
    this.#timer.unref()
  }

  get figures(): QueueFigures {
    return this.#queue.figures
  }

  /** Throws 503 if too many requests are in flight, in all or of this company or client. */
  start(request: PlainRequest, flow: Flow): void {
    const release = this.#queue.acquireNow(flow)
    const at = this.#requests.push(request) - 1
    request.inFlight = { release, startedAt: performance.now(), at }
  }

  end(request: PlainRequest): void {
    const { inFlight } = request
    if (!inFlight) return
    request.inFlight = undefined
    inFlight.release()
    const last = this.#requests.pop()
    if (last?.inFlight) {
      this.#requests[inFlight.at] = last
      last.inFlight.at = inFlight.at
    }
    if (this.#requests.length === 0) this.#onEmpty?.()
  }

  /** Resolves when none is in flight any more. A request whose client has gone outlasts its connection. */
  async stop(): Promise<void> {
    if (this.#requests.length > 0) {
      await new Promise<void>((resolve) => {
        this.#onEmpty = resolve
      })
    }
    clearInterval(this.#timer)
  }

  #expire(now: number): void {
    for (const request of [...this.#requests]) {
      if (!request.inFlight || now - request.inFlight.startedAt < this.#deadlineMs) continue
      this.end(request)
      this.#refuse(unavailable('The request took too long and was given up.'), request)
    }
  }
}
