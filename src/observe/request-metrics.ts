// Counts requests by route and method. Those that match no route share one entry, so that made-up paths use no memory.
import { RouteMetrics } from './figures.ts'

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'DELETE', 'PUT', 'OPTIONS'])

const UNMATCHED = 'unmatched'

export class RequestMetrics {
  readonly #all = new Map<string, RouteMetrics>()

  /** The metrics of one method of a declared route, or of all requests that match no route. */
  of(requestMethod: string, route: string = UNMATCHED): RouteMetrics {
    const method = METHODS.has(requestMethod) ? requestMethod : 'other'
    const key = `${method} ${route}`
    const existing = this.#all.get(key)
    if (existing) return existing
    const metrics = new RouteMetrics(method, route)
    this.#all.set(key, metrics)
    return metrics
  }

  [Symbol.iterator](): Iterator<RouteMetrics> {
    return this.#all.values()
  }
}
