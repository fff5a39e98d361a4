// Declares routes: each has a permission, a description, and a handler that turns an ApiRequest into a Reply. What
// happens to a request before and after its handler is in pipeline.ts. This module knows no resource and no database.
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import type { Caller, Permission } from '../access/caller.ts'
import type { Flow } from '../base/concurrency/fair-queue.ts'
import type { JsonValue } from '../base/strict-json.ts'
import type { QueryPairs } from '../base/text.ts'
import type { Validity } from '../base/validity.ts'
import { noResource } from '../errors/catalogue.ts'
import type { GivenContent } from '../files/file-store.ts'
import type { ParameterDescription } from '../model/option-texts.ts'
import type { FileUpload } from './body/upload.ts'
import type { RouteDeclaration } from './pipeline/authorise.ts'
import type { Pipeline } from './pipeline.ts'
import { pathOf } from './reply/problem-reply.ts'
import type { Reply } from './reply/send.ts'

/** A request as its handler sees it: authenticated, authorised for one company, decoded. */
export interface ApiRequest {
  readonly caller: Caller
  /** As requested, or the caller's default. The caller has the route's permission there. */
  readonly companyId: string
  readonly params: Readonly<Record<string, string>>
  readonly query: QueryPairs
  readonly body: JsonValue | undefined
  /** The uploaded file, on routes that take one. It is deleted after the request, unless the handler has stored it. */
  readonly content: GivenContent
  readonly requestId: string
  readonly ifMatch: string | undefined
  readonly ifNoneMatch: string | undefined
  /** For reads: the same request came recently, so its response is worth caching. */
  readonly isRepeatedRead: boolean
  /** The entity tag of a response with this validity. */
  tagOf(validity: Validity): string
  readonly accept: string | undefined
  readonly acceptLanguage: string | undefined
  /** For writes: a retry with this key gets the stored response. */
  readonly idempotencyKey: string | undefined
  /** For writes: everything is checked and answered, nothing is stored. */
  readonly validateOnly: boolean
  /** A hash of the request, by which a different one with the same idempotency key is detected. */
  fingerprint(): string
  /** The `Range` header of a file download. */
  readonly range: string | undefined
  readonly ifRange: string | undefined
  /** As it was sent, without the query string. */
  readonly path: string
  /** The client that queries are queued for; `onAbandoned` reports that it has disconnected. */
  readonly asker: { readonly flow: Flow; onAbandoned(stop: () => void): void }
  /** Calls the listener when the connection is closed, before or after the response. */
  onClosed(listener: () => void): void
}

export interface ResponseDescription {
  readonly description: string
  /** The schema of the body; absent: there is no body. */
  readonly schema?: TSchema
  /** Media type of the body; absent: JSON. */
  readonly type?: string
  /** Further media types, selected by `Accept`. */
  readonly otherTypes?: readonly string[]
  readonly headers?: Readonly<Record<string, string>>
}

/** What a protected route and its OpenAPI description share. */
export interface Route {
  readonly permit: Permission
  readonly summary: string
  readonly description?: string
  readonly parameters: readonly ParameterDescription[]
  readonly body?: TSchema
  /** On routes that take a file. */
  readonly upload?: FileUpload
  readonly answers: Readonly<Record<number, ResponseDescription>>
  /** The message of the 403, where the interface spells it differently. */
  readonly deniedMessage?: string
  /** Whether a company that is not one of the caller's is 422 rather than 403. */
  readonly reportsUnknownCompany?: boolean
  /** Throws 404 if there is no such resource, whatever the caller may do: it runs before authorisation. */
  requireResource?(params: Readonly<Record<string, string>>, path: string): void
  handle(request: ApiRequest): Reply | Promise<Reply>
}

export type Method = 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'DELETE'

export interface DeclaredRoute extends Route {
  readonly method: Method
  readonly path: string
}

type Open = (request: FastifyRequest) => Promise<Reply> | Reply

export class Router {
  readonly routes: DeclaredRoute[] = []
  readonly #app: FastifyInstance
  readonly #basePath: string
  readonly #pipeline: Pipeline

  constructor(app: FastifyInstance, basePath: string, pipeline: Pipeline) {
    this.#app = app
    this.#basePath = basePath
    this.#pipeline = pipeline
  }

  get(path: string, route: Route): void {
    this.#declare('GET', path, route)
  }

  head(path: string, route: Route): void {
    this.#declare('HEAD', path, route)
  }

  post(path: string, route: Route): void {
    this.#declare('POST', path, route)
  }

  patch(path: string, route: Route): void {
    this.#declare('PATCH', path, route)
  }

  delete(path: string, route: Route): void {
    this.#declare('DELETE', path, route)
  }

  #declare(method: Method, path: string, route: Route): void {
    this.routes.push({ ...route, method, path })
    this.#pipeline.declare(this.#app, method, path, route)
  }

  /** A route of the service itself that needs no caller: descriptions, icons. */
  open(method: Method | Method[], path: string, handle: Open): void {
    this.#open(method, path, { isPublic: true }, handle)
  }

  /** The same for probes, which may ask as often as they like. */
  openForProbes(path: string, handle: Open): void {
    this.#open('GET', path, { isPublic: true, isUnlimited: true }, handle)
  }

  /** A page that exists for browsers only; other clients get 404. */
  browserPage(path: string, handle: Open): void {
    this.#open(['GET', 'HEAD'], path, { isPublic: true, isForBrowsers: true }, handle)
  }

  /** A path that lacks a value: 404 for these methods, although the path has routes for others. */
  incomplete(methods: readonly Method[], path: string): void {
    this.#open([...methods], path, { isIncomplete: true }, (request) => {
      throw noResource(pathOf(request))
    })
  }

  #open(method: Method | Method[], path: string, config: RouteDeclaration, handle: Open): void {
    this.#app.route({
      method,
      url: this.#basePath + path,
      config: { ...config },
      constraints: config.isForBrowsers ? FOR_BROWSERS : {},
      handler: async (request, reply) => this.#pipeline.reply(request, reply, await handle(request)),
    })
  }
}

/** Not with the quality 0, which excludes HTML. */
const ACCEPTS_HTML = /\btext\/html\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i

/** The route constraint of pages for browsers: for other clients there is no such route. */
const FOR_BROWSERS = { browser: true }

/**
 * Recognises requests of a browser with a person at it: they accept HTML and carry no credentials. Must be called
 * before the first route is declared.
 */
export function recogniseBrowsers(app: FastifyInstance): void {
  app.addConstraintStrategy({
    name: 'browser',
    storage: () => {
      let found: unknown = null
      return {
        get: (isBrowser: unknown) => (isBrowser === true ? found : null) as never,
        set: (_isBrowser: unknown, handler: unknown) => {
          found = handler
        },
      }
    },
    deriveConstraint: ({ headers }: IncomingMessage) =>
      headers.authorization === undefined && ACCEPTS_HTML.test(headers.accept ?? '') ? true : undefined,
    validate: () => {},
  } as never)
}
