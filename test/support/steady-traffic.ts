// Clients that send without end, each its next request a moment after the answer to the last one. Nothing may be
// refused; each changes its connection often, so that all processes are asked.
import { setTimeout as sleep } from 'node:timers/promises'
import { KeepAliveClient, type SentRequest } from './keep-alive-client.ts'

const PAUSE_MS = 25
const REQUESTS_A_CONNECTION = 20

export interface TrafficRequest extends SentRequest {
  readonly authorization: string
}

/** The request that a client sends as its `at`-th. */
export type TrafficClient = (at: number) => TrafficRequest | Promise<TrafficRequest>

export class SteadyTraffic {
  readonly #address: string
  readonly #answered: number[]
  readonly #loops: Promise<void>[]
  #isOver = false
  /** What was refused or broke, with the time at which it was. */
  readonly failed: string[] = []
  /** Changes that were acknowledged. */
  writes = 0

  constructor(address: string, clients: readonly TrafficClient[]) {
    this.#address = address
    this.#answered = clients.map(() => 0)
    this.#loops = clients.map((client, at) => this.#go(client, at))
  }

  get requests(): number {
    return this.#answered.reduce((sum, count) => sum + count)
  }

  /** Resolves when each client has sent a request that it prepared after this call, and has its answer. */
  async turn(): Promise<void> {
    const before = [...this.#answered]
    while (this.#answered.some((count, client) => count < (before[client] ?? 0) + 2)) await sleep(PAUSE_MS)
  }

  async stop(): Promise<void> {
    this.#isOver = true
    await Promise.all(this.#loops)
  }

  async #go(client: TrafficClient, number: number): Promise<void> {
    for (let at = 0; !this.#isOver; ) {
      const connection = new KeepAliveClient(this.#address, '')
      for (const end = at + REQUESTS_A_CONNECTION; at < end && !this.#isOver; at++) {
        await this.#ask(connection, client, number, at)
        await sleep(PAUSE_MS)
      }
      connection.close()
    }
  }

  async #ask(connection: KeepAliveClient, client: TrafficClient, number: number, at: number): Promise<void> {
    const note = (what: string) => this.failed.push(`${new Date().toISOString()} client ${number}: ${what}`)
    try {
      const { authorization, ...request } = await client(at)
      const { status, text } = await connection.send({ ...request, headers: { ...request.headers, authorization } })
      if (status >= 400) note(`${request.method} ${request.path}: ${status} ${text}`)
      else if (request.method !== 'GET') this.writes += 1
    } catch (error) {
      note(String(error))
    }
    this.#answered[number] = (this.#answered[number] ?? 0) + 1
  }
}
