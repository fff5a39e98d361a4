// Requests at times fixed in advance, whether those before them are answered or not: a service that is late does not slow
// down who asks it. Latency counts from the intended time.
import { Agent, request } from 'node:http'
import { credentials } from './process.ts'

/** The service takes 200 connections from one address. */
const SOCKETS_PER_ADDRESS = 190
const ADDRESSES = 10
const ANSWER_TIMEOUT_MS = 30_000

export interface Ask {
  readonly method: 'GET' | 'POST'
  readonly path: string
  /** Sent as JSON. */
  readonly body?: unknown
  readonly authorization?: string
}

export interface Told {
  readonly ask: Ask
  /** 0: no whole answer came. */
  readonly status: number
  readonly retryAfter: string | undefined
  readonly isLast: boolean
  /** From the intended time to the end of the answer. */
  readonly ms: number
  readonly fault: string
}

/** Many connections, from several addresses of the loopback. */
export class Crowd {
  readonly #agents = Array.from(
    { length: ADDRESSES },
    () => new Agent({ keepAlive: true, maxSockets: SOCKETS_PER_ADDRESS }),
  )
  readonly #address: string
  #sent = 0

  constructor(address: string) {
    this.#address = address
  }

  /** One request; never rejects. */
  send(ask: Ask, intended = performance.now()): Promise<Told> {
    const at = this.#sent++ % ADDRESSES
    const body = ask.body === undefined ? '' : JSON.stringify(ask.body)
    return new Promise((resolve) => {
      const end = (status: number, rest: Partial<Told>): void =>
        resolve({
          ask,
          status,
          retryAfter: undefined,
          isLast: false,
          fault: '',
          ms: performance.now() - intended,
          ...rest,
        })
      const sending = request(this.#address + ask.path, {
        method: ask.method,
        agent: this.#agents[at],
        localAddress: `127.0.0.${at + 2}`,
        timeout: ANSWER_TIMEOUT_MS,
        headers: {
          authorization: ask.authorization ?? credentials,
          ...(body === '' ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
        },
      })
      sending.on('response', (answer) => {
        const { statusCode = 0, headers } = answer
        const { 'retry-after': retryAfter, connection } = headers
        answer.resume()
        answer.on('end', () => end(statusCode, { retryAfter, isLast: connection === 'close' }))
        answer.on('error', (error) => end(0, { fault: String(error) }))
      })
      sending.on('timeout', () => sending.destroy(new Error('no answer in time')))
      sending.on('error', (error) => end(0, { fault: String(error) }))
      sending.end(body)
    })
  }

  /** Opens all connections: under load the event loop of a service takes on one of them a turn. */
  async open(): Promise<void> {
    const ask = { method: 'GET', path: '/health/live' } as const
    await Promise.all(Array.from({ length: ADDRESSES * SOCKETS_PER_ADDRESS }, () => this.send(ask)))
  }

  close(): void {
    for (const agent of this.#agents) agent.destroy()
  }
}

export interface Schedule {
  readonly perSecond: number
  readonly seconds: number
  readonly next: () => Ask
}

/** Sends to a schedule and waits for all answers. */
export async function openLoop(crowd: Crowd, { perSecond, seconds, next }: Schedule): Promise<Told[]> {
  const begun = performance.now()
  const count = Math.ceil(perSecond * seconds)
  const told: Promise<Told>[] = []
  while (told.length < count) {
    const due = Math.min(Math.floor(((performance.now() - begun) / 1000) * perSecond) + 1, count)
    for (let at = told.length; at < due; at++) told.push(crowd.send(next(), begun + (at / perSecond) * 1000))
    await new Promise((resume) => setTimeout(resume, 1))
  }
  return Promise.all(told)
}

/** So many ask again as soon as they are answered; gives the answers and how many there were a second. */
export async function closedLoop(crowd: Crowd, clients: number, seconds: number, next: () => Ask) {
  const begun = performance.now()
  const told: Told[] = []
  const ask = async (): Promise<void> => {
    while (performance.now() - begun < seconds * 1000) told.push(await crowd.send(next()))
  }
  await Promise.all(Array.from({ length: clients }, ask))
  return { told, perSecond: told.length / ((performance.now() - begun) / 1000) }
}

/** In milliseconds, of those with one of the statuses. */
export function percentile(told: readonly Told[], share: number, statuses?: readonly number[]): number {
  const times = told.filter(({ status }) => !statuses || statuses.includes(status)).map(({ ms }) => ms)
  times.sort((one, other) => one - other)
  return times[Math.min(Math.floor(times.length * share), times.length - 1)] ?? 0
}

/** How often each status was answered. */
export function statusesOf(told: readonly Told[]): Record<number, number> {
  const counts: Record<number, number> = {}
  for (const { status } of told) counts[status] = (counts[status] ?? 0) + 1
  return counts
}
