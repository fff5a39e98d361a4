// Declares routes: each has a permission, a description, and a handler that turns an ApiRequest into a Reply. What
// happens to a request before and after its handler is in pipeline.ts. This module knows no resource and no database.

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { noResource } from '../errors/catalogue.ts'
import { FOR_BROWSERS } from './pipeline/browsers.ts'
import type { Pipeline } from './pipeline.ts'
import {
  type DescribedRoute,
  type Method,
  pathOf,
  READS,
  type Route,
  type RouteDeclaration,
  RouteTable,
} from './route/route.ts'
import type { Reply } from './route/send.ts'

/** Before anything of it is decoded. */
export type PlainRequest = FastifyRequest

type Open = (request: PlainRequest) => Promise<Reply> | Reply

export class Router extends RouteTable {
  readonly routes: DescribedRoute[] = []
  readonly #app: FastifyInstance
  readonly #basePath: string
  readonly #pipeline: Pipeline

  constructor(app: FastifyInstance, basePath: string, pipeline: Pipeline) {
    super()
    this.#app = app
    this.#basePath = basePath
    this.#pipeline = pipeline
  }

  protected declareRoute(method: Method, path: string, route: Route, isDescribed = true): void {
    if (isDescribed && typeof route.permit !== 'function')
      this.routes.push({ ...route, permit: route.permit, method, path })
    this.#pipeline.declare(this.#app, method, path, route)
  }

  /** A route of the service itself that needs no caller: descriptions, icons. GET includes HEAD. */
  open(method: Method, path: string, handle: Open): void {
    this.#open(method, path, { isPublic: true }, handle)
  }

  /** The same for probes, which may ask as often as they like. */
  openForProbes(path: string, handle: Open): void {
    this.#open('GET', path, { isPublic: true, isUnlimited: true }, handle)
  }

  /** The same for files that a page loads all at once: they cost little, and browsers keep them. */
  openForPages(path: string, handle: Open): void {
    this.#open('GET', path, { isPublic: true, isUnlimited: true }, handle)
  }

  /** A page that exists for browsers only; other clients get 404. */
  browserPage(path: string, handle: Open): void {
    this.#open('GET', path, { isPublic: true, isForBrowsers: true }, handle)
  }

  incomplete(methods: readonly Method[], path: string): void {
    for (const method of methods) {
      this.#open(method, path, { isIncomplete: true }, (request) => {
        throw noResource(pathOf(request))
      })
    }
  }

  #open(method: Method, path: string, config: RouteDeclaration, handle: Open): void {
    this.#app.route({
      method: method === 'GET' ? [...READS] : method,
      url: this.#basePath + path,
      config: { ...config },
      constraints: config.isForBrowsers ? FOR_BROWSERS : {},
      handler: async (request, reply) => this.#pipeline.reply(request, reply, await handle(request)),
    })
  }
}
