// Finds the route of a request without a server, by the router of the server.
import router from 'find-my-way'
import { type Method, type Route, RouteTable } from './route.ts'

/** In characters. */
const MAX_PATH_VALUE = 512

export const ROUTER_OPTIONS = { ignoreTrailingSlash: true, maxParamLength: MAX_PATH_VALUE } as const

export interface FoundRoute {
  readonly route: Route
  readonly params: Readonly<Record<string, string>>
}

export class RouteLookup extends RouteTable {
  readonly #router = router(ROUTER_OPTIONS)

  /** Such a path is answered as one that does not exist. */
  incomplete(): void {}

  find(method: Method, path: string): FoundRoute | undefined {
    const found = this.#router.find(method, path)
    return found ? { route: found.store as Route, params: found.params as Record<string, string> } : undefined
  }

  protected declareRoute(method: Method, path: string, route: Route): void {
    this.#router.on(method, path, () => {}, route)
  }
}
