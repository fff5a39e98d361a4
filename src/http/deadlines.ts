// How long a request may take, and how many are worked on at once. One timer looks after all of them: one for each would
// cost more than a point read.
import type { FastifyReply } from 'fastify'
import { unavailable } from '../errors/catalogue.ts'
import { overloaded } from './pressure.ts'

const CHECK_MS = 1_000
/** The last of so many still gets its answer within a second where each takes 4 ms. */
const MOST_AT_ONCE = 256

export class Deadlines {
  readonly #startedAt = new Map<FastifyReply, number>()
  readonly #timer: NodeJS.Timeout

  readonly #mostMs: number

  constructor(mostMs: number) {
    this.#mostMs = mostMs
    this.#timer = setInterval(() => this.#giveUpLate(performance.now()), CHECK_MS)
    this.#timer.unref()
  }

  /** Throws 503 when too many have begun and not ended. */
  start(reply: FastifyReply): void {
    if (this.#startedAt.size >= MOST_AT_ONCE) throw overloaded()
    this.#startedAt.set(reply, performance.now())
  }

  end(reply: FastifyReply): void {
    this.#startedAt.delete(reply)
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  /** Requests are in the order in which they began, so the first one in time ends the look. */
  #giveUpLate(now: number): void {
    for (const [reply, startedAt] of this.#startedAt) {
      if (now - startedAt < this.#mostMs) return
      this.#startedAt.delete(reply)
      reply.send(unavailable('The request took too long and was given up.'))
    }
  }
}
