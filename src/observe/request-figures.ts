// Requests by route and method. What no route takes is counted together, so that nobody can fill the memory with paths.
import { RouteFigures } from './figures.ts'

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'DELETE', 'PUT', 'OPTIONS'])

const UNMATCHED = 'unmatched'

export class RequestFigures {
  readonly #all = new Map<string, RouteFigures>()

  /** The figures of one method of a declared route, or of all that no route takes. */
  of(givenMethod: string, route: string = UNMATCHED): RouteFigures {
    const method = METHODS.has(givenMethod) ? givenMethod : 'other'
    const key = `${method} ${route}`
    const known = this.#all.get(key)
    if (known) return known
    const figures = new RouteFigures(method, route)
    this.#all.set(key, figures)
    return figures
  }

  [Symbol.iterator](): Iterator<RouteFigures> {
    return this.#all.values()
  }
}
