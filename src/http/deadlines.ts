// How long a request may take. One timer looks after all of them: one for each would cost more than a point read.
import type { FastifyReply } from 'fastify'
import { unavailable } from '../errors/catalogue.ts'

/** A query has its own deadline, before this one. */
const MOST_MS = 40_000
const CHECK_MS = 1_000

export class Deadlines {
  readonly #startedAt = new Map<FastifyReply, number>()
  readonly #timer: NodeJS.Timeout

  constructor() {
    this.#timer = setInterval(() => this.#giveUpLate(performance.now()), CHECK_MS)
    this.#timer.unref()
  }

  start(reply: FastifyReply): void {
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
      if (now - startedAt < MOST_MS) return
      this.#startedAt.delete(reply)
      reply.send(unavailable('The request took too long and was given up.'))
    }
  }
}
