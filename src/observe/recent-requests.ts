// The last requests of each client in this process, for people who look after clients. What was asked for is named by
// its route and what it was told: nothing of a record is kept.
import { LRUCache } from 'lru-cache'
import type { EndedRequest } from './observation.ts'

export interface RecentRequest {
  readonly request: EndedRequest
  readonly at: Date
  /** What the caller was told, of a request that was refused. */
  readonly message: string | undefined
}

const REFUSED_FROM = 400
const KEPT_OF_A_CLIENT = 50
/** Those that asked last. */
const MOST_CLIENTS = 200

export class RecentRequests {
  readonly #byClient = new LRUCache<string, RecentRequest[]>({ max: MOST_CLIENTS })

  add(request: EndedRequest, at: Date, told?: () => string | undefined): void {
    const { client } = request
    if (client === undefined) return
    const kept = this.#byClient.get(client)
    const recent = { request, at, message: told?.() }
    if (!kept) this.#byClient.set(client, [recent])
    else if (kept.push(recent) > KEPT_OF_A_CLIENT) kept.shift()
  }

  /** Those of all that were refused or have failed, the newest first. */
  refused(): readonly RecentRequest[] {
    const all = [...this.#byClient.values()].flat().filter(({ request: { status } }) => status >= REFUSED_FROM)
    return all.toSorted((one, other) => other.at.getTime() - one.at.getTime())
  }

  /** The newest first. */
  of(clientId: string): readonly RecentRequest[] {
    return this.#byClient.get(clientId)?.toReversed() ?? []
  }
}
