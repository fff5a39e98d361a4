// Declares routes: turns each HTTP request into an ApiRequest and the handler's Reply into a response. Every route
// names its permission. This module knows no resource and no database.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import type { Caller, Permission } from '../access/caller.ts'
import type { Flow } from '../base/concurrency/fair-queue.ts'
import type { JsonValue } from '../base/strict-json.ts'
import type { QueryPairs } from '../base/text.ts'
import type { Validity } from '../base/validity.ts'
import { noResource } from '../errors/catalogue.ts'
import type { GivenContent } from '../files/file-store.ts'
import type { ParameterDescription } from '../model/option-texts.ts'
import type { Observe } from '../observe/observation.ts'
import { apiRequestOf, callerOf, receivedBodyOf, rejectionBeforeBody, whenClosed } from './api-request.ts'
import { acceptFileBodies, type FileBodySettings, type FileUpload } from './body/upload.ts'
import { CachedReads } from './cache/cached-reads.ts'
import type { CacheLookup, ResponseCache } from './cache/response-cache.ts'
import { InFlightRequests } from './pipeline/in-flight.ts'
import type { RouteDeclaration } from './pipeline/require-permission.ts'
import { answerNotFound } from './reply/not-found.ts'
import { pathOf } from './reply/problem-reply.ts'
import { discardBody, type Reply, send } from './reply/send.ts'
import type { Lifecycle, RequestWithCaller } from './server.ts'
import { FOR_BROWSERS } from './system/for-browsers.ts'

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

export interface RouterSettings {
  readonly basePath: string
  readonly lifecycle: Lifecycle
  readonly observe: Observe
  /** A request without a response by then is aborted with 503. */
  readonly deadlineMs: number
  readonly files: FileBodySettings
  readonly responseCache: ResponseCache
}

export class Router {
  readonly routes: DeclaredRoute[] = []
  readonly #app: FastifyInstance
  readonly #basePath: string
  readonly #lifecycle: Lifecycle
  readonly #observe: Observe
  readonly #inFlight: InFlightRequests
  readonly #files: FileBodySettings
  readonly #responseCache: ResponseCache
  readonly #cachedReads: CachedReads

  constructor(
    app: FastifyInstance,
    { basePath, lifecycle, observe, deadlineMs, files, responseCache }: RouterSettings,
  ) {
    this.#app = app
    this.#basePath = basePath
    this.#lifecycle = lifecycle
    this.#observe = observe
    this.#inFlight = new InFlightRequests(deadlineMs)
    this.#files = files
    this.#responseCache = responseCache
    this.#cachedReads = new CachedReads(responseCache, () => lifecycle.state !== 'serving')
    answerNotFound(app)
    app.addHook('onClose', async () => this.#inFlight.stop())
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

  /** A route of the service itself that needs no caller: descriptions, icons. */
  open(method: Method | Method[], path: string, handle: Open): void {
    this.#open(method, path, { isPublic: true }, handle)
  }

  /** The same for probes, which may ask as often as they like. */
  openForProbes(path: string, handle: Open): void {
    this.#open('GET', path, { isPublic: true, isUnlimited: true }, handle)
  }

  /** A page that exists for browsers only; other clients get 404. */
  browserPage(path: string, handle: () => Reply): void {
    this.#app.route({
      method: ['GET', 'HEAD'],
      url: this.#basePath + path,
      config: { isPublic: true, isForBrowsers: true },
      constraints: FOR_BROWSERS,
      handler: (request, reply) => this.#send(request, reply, handle()),
    })
  }

  /** A path that lacks a value: 404 for these methods, although the path has routes for others. */
  incomplete(methods: readonly Method[], path: string): void {
    this.#app.route({
      method: [...methods],
      url: this.#basePath + path,
      config: { isIncomplete: true },
      handler: (request) => {
        throw noResource(pathOf(request))
      },
    })
  }

  #open(method: Method | Method[], path: string, config: RouteDeclaration, handle: Open): void {
    this.#app.route({
      method,
      url: this.#basePath + path,
      config: { ...config },
      handler: async (request, reply) => this.#send(request, reply, await handle(request)),
    })
  }

  #declare(method: Method, path: string, route: Route): void {
    this.routes.push({ ...route, method, path })
    const { upload } = route
    if (!upload) {
      this.#route(this.#app, method, path, route)
      return
    }
    // Routes that take files have body parsers of their own.
    this.#app.register((scope, _options, done) => {
      acceptFileBodies(scope, this.#files, upload)
      this.#route(scope, method, path, route)
      done()
    })
  }

  #route(app: FastifyInstance, method: Method, path: string, route: Route): void {
    app.route({
      method,
      url: this.#basePath + path,
      config: { permit: route.permit },
      preParsing: (request, _reply, payload, done) =>
        done(rejectionBeforeBody(route, request as RequestWithCaller), payload),
      handler:
        method === 'GET' || method === 'HEAD'
          ? (request, reply) =>
              this.#cachedReads.answer(request as RequestWithCaller, reply, (lookup) =>
                this.#handle(route, request as RequestWithCaller, reply, lookup),
              )
          : (request, reply) => this.#handle(route, request as RequestWithCaller, reply),
    })
  }

  async #handle(
    route: Route,
    request: RequestWithCaller,
    reply: FastifyReply,
    lookup?: CacheLookup,
  ): Promise<FastifyReply> {
    const received = receivedBodyOf(route, request)
    if (route.upload) whenClosed(reply, received.release)
    try {
      this.#inFlight.start(reply, callerOf(request).flow)
      const answer = await route.handle(
        apiRequestOf({ route, request, reply, received, lookup, responseCache: this.#responseCache }),
      )
      if (lookup) this.#responseCache.store(lookup, answer)
      return this.#send(request, reply, answer.status === 201 ? this.#withBasePath(answer) : answer)
    } finally {
      this.#inFlight.end(reply)
      if (route.upload) await this.#files.staging.discard(received.content)
    }
  }

  /** Resources make `Location` without the base path. */
  #withBasePath(created: Reply): Reply {
    const location = created.headers?.location
    return location === undefined
      ? created
      : { ...created, headers: { ...created.headers, location: this.#basePath + location } }
  }

  #send(request: FastifyRequest, reply: FastifyReply, answer: Reply): FastifyReply {
    // The deadline has passed, and the client has got its 503.
    if (reply.sent) {
      discardBody(answer.body)
      return reply
    }
    const onBroken = (error: unknown) => this.#reportBroken(request, error)
    if (this.#lifecycle.state === 'serving') return send(request, reply, answer, onBroken)
    return send(request, reply, { ...answer, headers: { ...answer.headers, connection: 'close' } }, onBroken)
  }

  #reportBroken(request: FastifyRequest, error: unknown): void {
    // The client disconnected: nothing went wrong here.
    if ((error as { code?: string } | null)?.code === 'ERR_STREAM_PREMATURE_CLOSE') return
    const { id: requestId, method } = request
    this.#observe({ kind: 'answer-broken', requestId, method, path: pathOf(request), reason: String(error) })
  }
}
