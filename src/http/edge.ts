// Turns a request into a typed call and its result into a reply. A route cannot be declared without saying who may
// call it; this room knows no resource and no database.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import type { Caller, Permission } from '../access/caller.ts'
import type { Flow } from '../base/fair-queue.ts'
import type { JsonValue } from '../base/strict-json.ts'
import type { Validity } from '../base/validity.ts'
import { noResource } from '../errors/catalogue.ts'
import type { Observe } from '../observe/observation.ts'
import type { AnswerCache, Question } from './answer-cache.ts'
import { callerOf, callOf, givenIn, whenClosed, whyNotRead } from './call-of.ts'
import { Deadlines } from './deadlines.ts'
import type { Declaration } from './declared-routes.ts'
import { acceptFileBodies, type FileBodySettings } from './file-body/accept-file-bodies.ts'
import { discardContent, type GivenContent } from './file-body/received.ts'
import { FOR_PEOPLE } from './for-people.ts'
import type { QueryPairs } from './query-string.ts'
import { RepeatedReads } from './repeated-reads.ts'
import { pathOf } from './reply-error.ts'
import { leave, type Reply, send } from './send.ts'
import type { Lifecycle, RequestWithCaller } from './server.ts'
import { refuseUnrouted } from './unrouted.ts'

/** What a use case is given of a request: who calls, for which company, and what was sent. */
export interface Call {
  readonly caller: Caller
  /** As asked for or the caller's default; the caller may do what the route permits there. */
  readonly companyId: string
  readonly params: Readonly<Record<string, string>>
  readonly query: QueryPairs
  readonly body: JsonValue | undefined
  /** Of a route that takes files. It is taken away when the call is over, unless it was kept. */
  readonly content: GivenContent
  readonly requestId: string
  readonly ifMatch: string | undefined
  readonly ifNoneMatch: string | undefined
  /** Of a read: the same was asked not long ago, so that its answer is worth keeping. */
  readonly isAskedAgain: boolean
  /** The tag of an answer that holds so long. */
  tagOf(validity: Validity): string
  readonly accept: string | undefined
  readonly acceptLanguage: string | undefined
  /** Of a write: a repeat under this key gets the first answer. */
  readonly repeatKey: string | undefined
  /** Of a write: everything is checked and answered, nothing is kept. */
  readonly isTrial: boolean
  /** Tells this request from another under the same key. */
  fingerprint(): string
  /** Which part of a file is asked for. */
  readonly range: string | undefined
  readonly ifRange: string | undefined
  /** As it was sent, without the query. */
  readonly path: string
  /** For whom queries are run: while he waits, in turn with others. */
  readonly asker: { readonly flow: Flow; onAbandoned(stop: () => void): void }
  /** Calls when the connection is closed, after the answer or before it. */
  onClosed(listener: () => void): void
}

/** A parameter of the path or the query, for the description. */
export interface ParameterText {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly description: string
  readonly schema: TSchema
}

export interface AnswerText {
  readonly description: string
  /** The body, where there is one. */
  readonly schema?: TSchema
  /** Of a body that is no JSON. */
  readonly type?: string
  /** In which the same may be answered, by `Accept`. */
  readonly otherTypes?: readonly string[]
  readonly headers?: Readonly<Record<string, string>>
}

/** What is the same for a protected route and the description of it. */
export interface Route {
  readonly permit: Permission
  readonly summary: string
  readonly description?: string
  readonly parameters: readonly ParameterText[]
  readonly body?: TSchema
  /** The body has a file in it: as base64 in JSON, or in such a form. */
  readonly fileForm?: TSchema
  readonly answers: Readonly<Record<number, AnswerText>>
  /** Throws 404 when there is no such resource, whoever asks: told before what the caller may do. */
  requireResource?(params: Readonly<Record<string, string>>, path: string): void
  handle(call: Call): Reply | Promise<Reply>
}

export type Method = 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'DELETE'

export interface DeclaredRoute extends Route {
  readonly method: Method
  readonly path: string
}

type Open = (request: FastifyRequest) => Promise<Reply> | Reply

export interface EdgeSettings {
  readonly basePath: string
  readonly lifecycle: Lifecycle
  readonly observe: Observe
  /** A request that is not answered by then is given up. */
  readonly deadlineMs: number
  readonly files: FileBodySettings
  readonly answers: AnswerCache
}

export class Edge {
  readonly routes: DeclaredRoute[] = []
  readonly #app: FastifyInstance
  readonly #basePath: string
  readonly #lifecycle: Lifecycle
  readonly #observe: Observe
  readonly #deadlines: Deadlines
  readonly #files: FileBodySettings
  readonly #answers: AnswerCache
  readonly #repeats: RepeatedReads

  constructor(app: FastifyInstance, { basePath, lifecycle, observe, deadlineMs, files, answers }: EdgeSettings) {
    this.#app = app
    this.#basePath = basePath
    this.#lifecycle = lifecycle
    this.#observe = observe
    this.#deadlines = new Deadlines(deadlineMs)
    this.#files = files
    this.#answers = answers
    this.#repeats = new RepeatedReads(answers, () => lifecycle.state !== 'serving')
    refuseUnrouted(app)
    app.addHook('onClose', async () => this.#deadlines.stop())
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

  /** A page that is there for people at a browser alone. */
  openForPeople(path: string, handle: () => Reply): void {
    this.#app.route({
      method: ['GET', 'HEAD'],
      url: this.#basePath + path,
      config: { isPublic: true, isForPeople: true },
      constraints: FOR_PEOPLE,
      handler: (request, reply) => this.#send(request, reply, handle()),
    })
  }

  /** A path that lacks a value: 404 for these methods, although others are answered there. */
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

  #open(method: Method | Method[], path: string, config: Declaration, handle: Open): void {
    this.#app.route({
      method,
      url: this.#basePath + path,
      config: { ...config },
      handler: async (request, reply) => this.#send(request, reply, await handle(request)),
    })
  }

  #declare(method: Method, path: string, route: Route): void {
    this.routes.push({ ...route, method, path })
    if (!route.fileForm) {
      this.#route(this.#app, method, path, route)
      return
    }
    // Bodies with files are read in another way, on these routes alone.
    this.#app.register((scope, _options, done) => {
      acceptFileBodies(scope, this.#files)
      this.#route(scope, method, path, route)
      done()
    })
  }

  #route(app: FastifyInstance, method: Method, path: string, route: Route): void {
    app.route({
      method,
      url: this.#basePath + path,
      config: { permit: route.permit },
      preParsing: (request, _reply, payload, done) => done(whyNotRead(route, request as RequestWithCaller), payload),
      handler:
        method === 'GET' || method === 'HEAD'
          ? (request, reply) =>
              this.#repeats.answer(request as RequestWithCaller, reply, (question) =>
                this.#work(route, request as RequestWithCaller, reply, question),
              )
          : (request, reply) => this.#work(route, request as RequestWithCaller, reply),
    })
  }

  async #work(
    route: Route,
    request: RequestWithCaller,
    reply: FastifyReply,
    question?: Question,
  ): Promise<FastifyReply> {
    const given = givenIn(route, request)
    if (route.fileForm) whenClosed(reply, given.release)
    try {
      this.#deadlines.start(reply, callerOf(request).flow)
      const answer = await route.handle(callOf({ route, request, reply, given, question, answers: this.#answers }))
      if (question) this.#answers.keep(question, answer)
      return this.#send(request, reply, answer.status === 201 ? this.#located(answer) : answer)
    } finally {
      this.#deadlines.end(reply)
      if (route.fileForm) await discardContent(this.#files.intake, given.content)
    }
  }

  /** Resources know their addresses below the base path. */
  #located(created: Reply): Reply {
    const location = created.headers?.location
    return location === undefined
      ? created
      : { ...created, headers: { ...created.headers, location: this.#basePath + location } }
  }

  #send(request: FastifyRequest, reply: FastifyReply, answer: Reply): FastifyReply {
    // Given up while it was worked on: the answer is out already.
    if (reply.sent) {
      leave(answer.body)
      return reply
    }
    const onBroken = (error: unknown) => this.#tellBroken(request, error)
    if (this.#lifecycle.state === 'serving') return send(request, reply, answer, onBroken)
    return send(request, reply, { ...answer, headers: { ...answer.headers, connection: 'close' } }, onBroken)
  }

  #tellBroken(request: FastifyRequest, error: unknown): void {
    // A caller who goes away in the middle is nobody's fault.
    if ((error as { code?: string } | null)?.code === 'ERR_STREAM_PREMATURE_CLOSE') return
    const { id: requestId, method } = request
    this.#observe({ kind: 'answer-broken', requestId, method, path: pathOf(request), reason: String(error) })
  }
}
