// Requests by client: which job is refused, and how often. Counted in plain numbers, and told when they are scraped.
import { Counter } from 'prom-client'
import type { MetricRegistry } from './metric-registry.ts'

/** Further clients, and callers of trusted issuers, are counted together. */
const MOST_CLIENTS = 100
const OTHERS = 'other'
/** Requests of nobody known. */
const NOBODY = 'none'
const REFUSED_FROM = 400

/** How often, by status and code: 422 with code 3010 is `422 3010`. */
type Counts = Map<string, number>

export class ClientMetrics {
  readonly #counts = new Map<string, Counts>()

  constructor(registry: MetricRegistry) {
    const requests: Counter<'client' | 'status'> = new Counter({
      name: 'tabularium_client_requests_total',
      help: 'Requests by client and class of status; 0xx: the client disconnected.',
      labelNames: ['client', 'status'],
      registers: [registry],
      collect: () => {
        requests.reset()
        for (const [client, { status }, count] of this.#all()) {
          requests.inc({ client, status: `${Math.floor(status / 100)}xx` }, count)
        }
      },
    })
    const refusals: Counter<'client' | 'status' | 'code'> = new Counter({
      name: 'tabularium_client_refusals_total',
      help: 'Requests that were refused, by client, status and code of the error.',
      labelNames: ['client', 'status', 'code'],
      registers: [registry],
      collect: () => {
        refusals.reset()
        for (const [client, { status, code }, count] of this.#all()) {
          if (status >= REFUSED_FROM) refusals.inc({ client, status, code }, count)
        }
      },
    })
  }

  add(clientId: string | undefined, status: number, code: number | undefined): void {
    const counts = this.#of(clientId)
    const key = code === undefined ? String(status) : `${status} ${code}`
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }

  #of(clientId: string | undefined): Counts {
    const known = this.#counts.get(clientId ?? NOBODY)
    if (known) return known
    const isNamed = clientId === undefined || (this.#counts.size < MOST_CLIENTS && !clientId.includes(':'))
    const name = isNamed ? (clientId ?? NOBODY) : OTHERS
    const counts = this.#counts.get(name) ?? new Map<string, number>()
    this.#counts.set(name, counts)
    return counts
  }

  *#all(): Generator<[client: string, answer: { status: number; code: string }, count: number]> {
    for (const [client, counts] of this.#counts) {
      for (const [key, count] of counts) {
        const [status, code = ''] = key.split(' ')
        yield [client, { status: Number(status), code }, count]
      }
    }
  }
}
