// Declares routes: each has a permission, a description, and a handler that turns an ApiRequest into a Reply. What
// happens to a request before and after its handler is in pipeline.ts. This module knows no resource and no database.

import type { Open, Pipeline } from './pipeline.ts'
import { type DescribedRoute, type Method, type Route, RouteTable } from './route/route.ts'

export class Router extends RouteTable {
  readonly routes: DescribedRoute[] = []
  readonly #pipeline: Pipeline

  constructor(pipeline: Pipeline) {
    super()
    this.#pipeline = pipeline
  }

  /** The methods of each path, as it is declared. */
  get declared(): Pipeline['paths']['declared'] {
    return this.#pipeline.paths.declared
  }

  protected declareRoute(method: Method, path: string, route: Route, isDescribed = true): void {
    if (isDescribed && typeof route.permit !== 'function')
      this.routes.push({ ...route, permit: route.permit, method, path })
    this.#pipeline.declare(method, path, route)
  }

  /** A route of the service itself that needs no caller: descriptions, icons. GET includes HEAD. */
  open(method: Method, path: string, handle: Open): void {
    this.#pipeline.open(method, path, {}, handle)
  }

  /** The same at an address of the host, whatever the base path. */
  openOutside(path: string, handle: Open): void {
    this.#pipeline.open('GET', path, {}, handle, { basePath: '' })
  }

  /** The same for a POST whose body the handler reads, and whose refusals it counts. */
  openUnread(path: string, handle: Open): void {
    this.#pipeline.open('POST', path, { isUnlimited: true }, handle, { readsBody: false })
  }

  /** The same for probes, which may ask as often as they like, and for files that a page loads all at once. */
  openUnlimited(path: string, handle: Open): void {
    this.#pipeline.open('GET', path, { isUnlimited: true }, handle)
  }

  /** A page that exists for browsers only; other clients get 404. */
  browserPage(path: string, handle: Open): void {
    this.#pipeline.open('GET', path, { isForBrowsers: true }, handle)
  }

  incomplete(methods: readonly Method[], path: string): void {
    this.#pipeline.incomplete(methods, path)
  }
}
