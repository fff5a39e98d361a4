// How long a request may take, and how many are worked on at once. One timer looks after all of them: one for each would
// cost more than a point read.
import type { FastifyReply } from 'fastify'
import { type Flow, flowKey } from '../base/fair-queue.ts'
import { unavailable } from '../errors/catalogue.ts'
import { overloaded } from './pressure.ts'

const CHECK_MS = 1_000
/** The last of so many still gets its answer within a second where each takes 4 ms. */
const MOST_AT_ONCE = 256
/** Of them; the rest is for others. */
const MOST_OF_COMPANY = 240
const MOST_OF_CLIENT = 224

interface Begun {
  readonly flow: Flow
  readonly at: number
}

export class Deadlines {
  readonly #begun = new Map<FastifyReply, Begun>()
  /** By company, and by client of a company. */
  readonly #counts = new Map<string, number>()
  readonly #timer: NodeJS.Timeout

  readonly #mostMs: number

  constructor(mostMs: number) {
    this.#mostMs = mostMs
    this.#timer = setInterval(() => this.#giveUpLate(performance.now()), CHECK_MS)
    this.#timer.unref()
  }

  /** Throws 503 when too many have begun and not ended, of all or of this company or client. */
  start(reply: FastifyReply, flow: Flow): void {
    const ofCompany = this.#counts.get(flow.group) ?? 0
    const ofClient = this.#counts.get(flowKey(flow)) ?? 0
    if (this.#begun.size >= MOST_AT_ONCE || ofCompany >= MOST_OF_COMPANY || ofClient >= MOST_OF_CLIENT) {
      throw overloaded()
    }
    this.#begun.set(reply, { flow, at: performance.now() })
    this.#count(flow, 1)
  }

  end(reply: FastifyReply): void {
    const begun = this.#begun.get(reply)
    if (!begun) return
    this.#begun.delete(reply)
    this.#count(begun.flow, -1)
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  /** Requests are in the order in which they began, so the first one in time ends the look. */
  #giveUpLate(now: number): void {
    for (const [reply, { at }] of this.#begun) {
      if (now - at < this.#mostMs) return
      this.end(reply)
      reply.send(unavailable('The request took too long and was given up.'))
    }
  }

  #count(flow: Flow, change: 1 | -1): void {
    for (const key of [flow.group, flowKey(flow)]) {
      const count = (this.#counts.get(key) ?? 0) + change
      if (count > 0) this.#counts.set(key, count)
      else this.#counts.delete(key)
    }
  }
}
