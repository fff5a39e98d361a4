// Requests by route and method. What no route takes is counted together, so that nobody can fill the memory with paths.
import { RouteFigures } from './figures.ts'

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'DELETE', 'PUT', 'OPTIONS'])

export const UNMATCHED = 'unmatched'

export class RequestFigures {
  readonly #byRoute = new Map<string, Map<string, RouteFigures>>()

  /** The figures of one method of a declared route, or of all that no route takes. */
  of(givenMethod: string, route: string = UNMATCHED): RouteFigures {
    const method = METHODS.has(givenMethod) ? givenMethod : 'other'
    let ofRoute = this.#byRoute.get(route)
    if (!ofRoute) this.#byRoute.set(route, (ofRoute = new Map()))
    let figures = ofRoute.get(method)
    if (!figures) ofRoute.set(method, (figures = new RouteFigures(method, route)))
    return figures
  }

  *[Symbol.iterator](): Generator<RouteFigures, void, void> {
    for (const ofRoute of this.#byRoute.values()) yield* ofRoute.values()
  }
}
