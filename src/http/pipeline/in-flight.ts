// Limits the number of requests in flight and aborts those over the deadline. One timer serves all of them, because a
// timer for each would cost more than a point read.
import type { FastifyReply } from 'fastify'
import { type Flow, flowKey } from '../../base/concurrency/fair-queue.ts'
import { unavailable } from '../../errors/catalogue.ts'
import { overloaded } from './admission-queue.ts'

const CHECK_MS = 1_000
/** The last of these is answered within a second if each takes 4 ms. */
const MAX_IN_FLIGHT = 256
/** Less than all, so that no company and no client locks out the others. */
const MAX_PER_COMPANY = 240
const MAX_PER_CLIENT = 224

interface InFlight {
  readonly flow: Flow
  readonly startedAt: number
}

export class InFlightRequests {
  readonly #requests = new Map<FastifyReply, InFlight>()
  /** By company, and by client of a company. */
  readonly #counts = new Map<string, number>()
  readonly #timer: NodeJS.Timeout

  readonly #deadlineMs: number

  constructor(deadlineMs: number) {
    this.#deadlineMs = deadlineMs
    this.#timer = setInterval(() => this.#expire(performance.now()), CHECK_MS)
    this.#timer.unref()
  }

  /** Throws 503 if too many requests are in flight, in all or of this company or client. */
  start(reply: FastifyReply, flow: Flow): void {
    const ofCompany = this.#counts.get(flow.group) ?? 0
    const ofClient = this.#counts.get(flowKey(flow)) ?? 0
    if (this.#requests.size >= MAX_IN_FLIGHT || ofCompany >= MAX_PER_COMPANY || ofClient >= MAX_PER_CLIENT) {
      throw overloaded()
    }
    this.#requests.set(reply, { flow, startedAt: performance.now() })
    this.#count(flow, 1)
  }

  end(reply: FastifyReply): void {
    const request = this.#requests.get(reply)
    if (!request) return
    this.#requests.delete(reply)
    this.#count(request.flow, -1)
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  /** The map is in order of start, so the loop ends at the first request within the deadline. */
  #expire(now: number): void {
    for (const [reply, { startedAt }] of this.#requests) {
      if (now - startedAt < this.#deadlineMs) return
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
