// Whether the process is so busy that who comes now would wait too long: then it is better told at once.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { unavailable } from '../errors/catalogue.ts'
import type { Problem } from '../errors/problem.ts'

const SAMPLE_MS = 1_000
const RESOLUTION_MS = 20
const RETRY_AFTER_SECONDS = [1, 5] as const

export class Pressure {
  readonly #mostDelayMs: number
  readonly #delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  readonly #timer: NodeJS.Timeout
  #isHigh = false

  /** `mostDelayMs`: what the event loop may be late on average of a second. */
  constructor(mostDelayMs: number) {
    this.#mostDelayMs = mostDelayMs
    this.#delay.enable()
    this.#timer = setInterval(() => this.#sample(), SAMPLE_MS).unref()
  }

  /** What a request is refused with now; nothing as long as there is time for it. */
  get refusal(): Problem | undefined {
    if (!this.#isHigh) return undefined
    const [least, most] = RETRY_AFTER_SECONDS
    // Not all at once again.
    const seconds = least + Math.floor(Math.random() * (most - least + 1))
    return unavailable('The service is overloaded.', seconds)
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#delay.disable()
  }

  #sample(): void {
    const lateMs = this.#delay.mean / 1e6 - RESOLUTION_MS
    this.#delay.reset()
    this.#isHigh = lateMs > this.#mostDelayMs
  }
}
