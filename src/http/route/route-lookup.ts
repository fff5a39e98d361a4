// Finds what is declared for a method and a path.
import router from 'find-my-way'
import { coded, malformed, methodNotAllowed, noResource } from '../../errors/catalogue.ts'
import type { Problem } from '../../errors/problem.ts'
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

const ROUTER_OPTIONS = {
  ignoreTrailingSlash: true,
  maxParamLength: MAX_PATH_VALUE,
  // Parsed by parseQueryString where it is used; most requests have none.
  querystringParser: (text: string) => text,
  onBadUrl: () => {
    throw malformed('The path is not percent-encoded UTF-8.')
  },
  onMaxParamLength: () => {
    throw coded(414, 1010, `A value in the path is longer than ${MAX_PATH_VALUE} characters.`)
  },
}

type Found<Declared> = { readonly declared: Declared; readonly params: PathParams; readonly query: string }

/** In the place of what is declared, for paths that lack a value. */
const INCOMPLETE = 'incomplete'

/** A name in a declared path is shorter. */
const LONG_VALUE = /[^/?]{100,}/g

type PathDeclaration = Pick<RouteDeclaration, 'methodsAt' | 'problemForm' | 'isForBrowsers'>

interface KnownPath extends PathDeclaration {
  readonly methods: string[]
}

export class Paths<Declared extends PathDeclaration> {
  readonly #router = router<router.HTTPVersion.V1>(ROUTER_OPTIONS)
  /** Has each path whatever the method, for 405. */
  readonly #known = router<router.HTTPVersion.V1>(ROUTER_OPTIONS)
  /** By path, as it is declared. */
  readonly declared = new Map<string, KnownPath>()

  add(methods: readonly Method[], path: string, declared: Declared): void {
    this.#router.on([...methods], path, () => {}, declared)
    // Nobody is told of them.
    if (declared.isForBrowsers) return
    const { methodsAt, problemForm } = declared
    const known = this.declared.get(path) ?? { methods: [], methodsAt, problemForm }
    known.methods.push(...methods)
    if (this.declared.has(path)) return
    this.declared.set(path, known)
    this.#known.on('GET', path, () => {}, known)
  }

  /** A path that lacks a value. */
  addIncomplete(methods: readonly Method[], path: string): void {
    this.#router.on(
      methods.flatMap((method) => (method === 'GET' ? READS : method)),
      path,
      () => {},
      INCOMPLETE,
    )
  }

  /** Throws if the path cannot be read. */
  find(method: string, url: string): Found<Declared> | undefined {
    const found = this.#find(method, url)
    if (!found || found.store === INCOMPLETE) return undefined
    return { declared: found.store, params: found.params as PathParams, query: found.searchParams as never }
  }

  /** Why there is nothing for the method: 404 for an unknown path, 405 with `Allow` for another method. */
  problemAt(method: string, url: string, path: string): Problem {
    const known = this.#find(method, url)?.store === INCOMPLETE ? null : this.#known.find('GET', url)
    const { methods = [], methodsAt } = (known?.store ?? {}) as Partial<KnownPath>
    const allowed = methodsAt?.(known?.params as PathParams) ?? methods
    return allowed.length === 0 ? noResource(path) : methodNotAllowed(method, path, allowed)
  }

  /** How problems are answered at the declared path that matches, whatever its values are. */
  problemFormAt(url: string): ProblemForm | undefined {
    const readable = url.replaceAll('%', '_').replaceAll(LONG_VALUE, '_')
    return (this.#known.find('GET', readable)?.store as KnownPath | null | undefined)?.problemForm
  }

  #find(method: string, url: string) {
    const found = this.#router.find(method as Method, url)
    // For a path that cannot be read, the router finds a handler of its own, which throws.
    if (found && !found.store) found.handler(undefined as never, undefined as never, {}, undefined, {})
    return found
  }
}

export interface FoundRoute {
  readonly route: Route
  /** As it is declared. */
  readonly path: string
  readonly params: PathParams
}

/** Finds the route of a request without a server, by the router of the server. */
export class RouteLookup extends RouteTable {
  readonly #paths = new Paths<Route & Pick<FoundRoute, 'path'>>()

  incomplete(methods: readonly Method[], path: string): void {
    this.#paths.addIncomplete(methods, path)
  }

  find(method: string, path: string): FoundRoute | undefined {
    const found = this.#paths.find(method, path)
    return found && { route: found.declared, path: found.declared.path, params: found.params }
  }

  /** As `find`. Throws the problem that the service answers to such a request where there is no route. */
  require(method: string, path: string): FoundRoute {
    const found = this.find(method, path)
    if (found && (found.route.methodsAt?.(found.params).includes(method as Method) ?? true)) return found
    throw this.#paths.problemAt(method, path, path)
  }

  protected declareRoute(method: Method, path: string, route: Route): void {
    this.#paths.add([method], path, { ...route, path })
  }
}
