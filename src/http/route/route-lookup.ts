// Finds the route of a request without a server, by the router of the server.
import router from 'find-my-way'
import { coded, malformed, methodNotAllowed, noResource } from '../../errors/catalogue.ts'
import {
  type Method,
  type PathParams,
  type ProblemForm,
  READS,
  type Route,
  type RouteDeclaration,
  RouteTable,
} from './route.ts'

/** In characters. */
const MAX_PATH_VALUE = 512

export const ROUTER_OPTIONS = { ignoreTrailingSlash: true, maxParamLength: MAX_PATH_VALUE } as const

export interface FoundRoute {
  readonly route: Route
  /** As it is declared. */
  readonly path: string
  readonly params: PathParams
}

type StoredRoute = Pick<FoundRoute, 'route' | 'path'>

/** In the place of a route, for paths that lack a value. */
const INCOMPLETE = 'incomplete'

export class RouteLookup extends RouteTable {
  readonly #router = router({
    ...ROUTER_OPTIONS,
    onBadUrl: () => {
      throw badPath()
    },
    onMaxParamLength: () => {
      throw longPathValue()
    },
  })
  readonly #methods = new PathMethods()

  incomplete(methods: readonly Method[], path: string): void {
    this.#router.on(
      methods.flatMap((method) => (method === 'GET' ? READS : method)),
      path,
      () => {},
      INCOMPLETE,
    )
  }

  find(method: Method, path: string): FoundRoute | undefined {
    const found = this.#router.find(method, path)
    if (!found?.store || found.store === INCOMPLETE) return undefined
    return { ...(found.store as StoredRoute), params: found.params as PathParams }
  }

  /** As `find`. Throws the problem that the service answers to such a request where there is no route. */
  require(method: string, path: string): FoundRoute {
    const found = this.#router.find(method as Method, path)
    // For a path that cannot be read, the router finds a handler of its own.
    if (found && !found.store) found.handler(undefined as never, undefined as never, {}, undefined, {})
    const route = this.find(method as Method, path)
    if (route && (route.route.methodsAt?.(route.params).includes(method as Method) ?? true)) return route
    const allowed = this.#methods.of(path)
    if (found?.store === INCOMPLETE || allowed.length === 0) throw noResource(path)
    throw methodNotAllowed(method, path, allowed)
  }

  protected declareRoute(method: Method, path: string, route: Route): void {
    this.#methods.add(path, [method], route)
    this.#router.on(method, path, () => {}, { route, path } satisfies StoredRoute)
  }
}

/** A name in a declared path is shorter. */
const LONG_VALUE = /[^/?]{100,}/g

interface KnownPath extends Pick<RouteDeclaration, 'methodsAt' | 'problemForm'> {
  readonly methods: string[]
}

/** The methods of each path, for 405. */
export class PathMethods {
  readonly #router = router<router.HTTPVersion.V1>(ROUTER_OPTIONS)
  readonly #paths = new Map<string, KnownPath>()

  /** `path`: as it is declared; `methodsAt`: where a setup decides what it names. */
  add(
    path: string,
    methods: readonly string[],
    { methodsAt, problemForm }: Pick<RouteDeclaration, 'methodsAt' | 'problemForm'>,
  ): void {
    const existing = this.#paths.get(path)
    if (existing) {
      existing.methods.push(...methods)
      return
    }
    const known = { methods: [...methods], methodsAt, problemForm }
    this.#paths.set(path, known)
    this.#router.on('GET', path, () => {}, known)
  }

  /** Of the declared path that matches; none if there is no such path. */
  of(path: string): readonly string[] {
    const match = this.#router.find('GET', path)
    if (!match) return []
    const { methods, methodsAt } = match.store as KnownPath
    return methodsAt?.(match.params as PathParams) ?? methods
  }

  /** How problems are answered at the declared path that matches, whatever its values are. */
  problemFormOf(path: string): ProblemForm | undefined {
    const readable = path.replaceAll('%', '_').replaceAll(LONG_VALUE, '_')
    const found = this.#router.find('GET', readable)
    return (found?.store as KnownPath | null | undefined)?.problemForm
  }
}

export function badPath() {
  return malformed('The path is not percent-encoded UTF-8.')
}

export function longPathValue() {
  return coded(414, 1010, `A value in the path is longer than ${MAX_PATH_VALUE} characters.`)
}
