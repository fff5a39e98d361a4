// An open-loop load generator: requests are sent at times fixed in advance, whether earlier ones are answered or not,
// so a slow service does not slow down its load. Latency counts from the intended time.
import { Agent, request } from 'node:http'
import { credentials } from './process.ts'

/** The service accepts 320 connections from one address, and 2,000 together: when it is slow, all are in use. */
const SOCKETS_PER_ADDRESS = 300
const ADDRESSES = 6
const ANSWER_TIMEOUT_MS = 30_000

export interface LoadRequest {
  readonly method: 'GET' | 'POST'
  readonly path: string
  /** Sent as JSON. */
  readonly body?: unknown
  readonly authorization?: string
}

export interface LoadResponse {
  readonly ask: LoadRequest
  /** 0: no complete answer arrived. */
  readonly status: number
  readonly retryAfter: string | undefined
  readonly isLast: boolean
  /** From the intended time to the end of the answer. */
  readonly ms: number
  readonly fault: string
}

/** Many connections, from several loopback addresses; one that sends one request after the other needs one of each. */
export class LoadClient {
  readonly #agents: readonly Agent[]
  readonly #address: string
  #sent = 0

  constructor(address: string, addresses = ADDRESSES) {
    this.#address = address
    const settings = { keepAlive: true, maxSockets: SOCKETS_PER_ADDRESS }
    this.#agents = Array.from({ length: addresses }, () => new Agent(settings))
  }

  /** Sends one request; never rejects. */
  send(ask: LoadRequest, intended = performance.now()): Promise<LoadResponse> {
    const at = this.#sent++ % this.#agents.length
    const body = ask.body === undefined ? '' : JSON.stringify(ask.body)
    return new Promise((resolve) => {
      const end = (status: number, rest: Partial<LoadResponse>): void =>
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

  /** Opens all connections in advance: under load the event loop of a service accepts one of them per turn. */
  async open(): Promise<void> {
    const ask = { method: 'GET', path: '/health/live' } as const
    await Promise.all(Array.from({ length: this.#agents.length * SOCKETS_PER_ADDRESS }, () => this.send(ask)))
  }

  close(): void {
    for (const agent of this.#agents) agent.destroy()
  }
}

export interface Schedule {
  readonly perSecond: number
  readonly seconds: number
  readonly next: () => LoadRequest
}

/** Sends requests on schedule and waits for all answers. */
export async function openLoop(load: LoadClient, { perSecond, seconds, next }: Schedule): Promise<LoadResponse[]> {
  const begun = performance.now()
  const count = Math.ceil(perSecond * seconds)
  const responses: Promise<LoadResponse>[] = []
  while (responses.length < count) {
    const due = Math.min(Math.floor(((performance.now() - begun) / 1000) * perSecond) + 1, count)
    for (let at = responses.length; at < due; at++) responses.push(load.send(next(), begun + (at / perSecond) * 1000))
    await new Promise((resume) => setTimeout(resume, 1))
  }
  return Promise.all(responses)
}

/**
 * Each client sends its next request as soon as the last is answered; returns the answers and their rate per second.
 */
export async function closedLoop(load: LoadClient, clients: number, seconds: number, next: () => LoadRequest) {
  const begun = performance.now()
  const responses: LoadResponse[] = []
  const ask = async (): Promise<void> => {
    while (performance.now() - begun < seconds * 1000) responses.push(await load.send(next()))
  }
  await Promise.all(Array.from({ length: clients }, ask))
  return { responses, perSecond: responses.length / ((performance.now() - begun) / 1000) }
}

/** The latency percentile in milliseconds, of the answers with one of the statuses. */
export function percentile(responses: readonly LoadResponse[], share: number, statuses?: readonly number[]): number {
  const times = responses.filter(({ status }) => !statuses || statuses.includes(status)).map(({ ms }) => ms)
  times.sort((one, other) => one - other)
  return times[Math.min(Math.floor(times.length * share), times.length - 1)] ?? 0
}

/** How often each status was answered. */
export function statusesOf(responses: readonly LoadResponse[]): Record<number, number> {
  const counts: Record<number, number> = {}
  for (const { status } of responses) counts[status] = (counts[status] ?? 0) + 1
  return counts
}
