// How long a request may take. One timer looks after all of them: one for each would cost more than a point read.
import type { FastifyReply } from 'fastify'
import { unavailable } from '../errors/catalogue.ts'

const CHECK_MS = 1_000

export class Deadlines {
  readonly #startedAt = new Map<FastifyReply, number>()
  readonly #timer: NodeJS.Timeout

  readonly #mostMs: number

  constructor(mostMs: number) {
    this.#mostMs = mostMs
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
      if (now - startedAt < this.#mostMs) return
      this.#startedAt.delete(reply)
      reply.send(unavailable('The request took too long and was given up.'))
    }
  }
}
