// The pipeline: what happens to a request, in order.
//
//   Connection   Connections: a limited number, in total and per address.
//                Node's parser with the limits of server.ts; onClientError answers what it rejects.
//                CrossOrigin: whether a page of another origin may read the answer; its preflight ends here.
//                answerFromCache: a repeated read with a cached response that is current ends here.
//   Before body  the span and the metrics begin; rejectSmuggling; authentication, or the limits of the address for
//                anonymous requests; checkLimits; the limits of the client; admission while the event loop is busy.
//                rejectionBeforeBody: the resource exists, and the caller has the permission in some company.
//   Body         JSON (body/json-body.ts), or a file that is written to disk while it is received (body/upload.ts).
//   Handler      CachedReads, with the response cache; InFlightRequests, with the deadline; apiRequestOf, which decodes
//                the request and authorises it for one company; the use case of the route.
//   Reply        send, or errorReplier for whatever was thrown in any step; the metrics and the span end with it.

import compress from '@fastify/compress'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { Caller } from '../access/caller.ts'
import { RefusedCaller } from '../access/denial.ts'
import { OutdatedRules } from '../errors/outdated-rules.ts'
import { asError } from '../errors/thrown.ts'
import { apiRequestOf, type RequestParts, receivedBodyOf, whenClosed } from './api-request.ts'
import { acceptFileBodies, acceptRawBodies } from './body/upload.ts'
import { answerFromCache, CachedReads, earlyLookupOf } from './cached-reads.ts'
import type { PipelineParts } from './parts.ts'
import {
  admitAnonymous,
  authenticate,
  callerOf,
  credentialsOf,
  findKnownCaller,
  type Identity,
  type RequestWithCaller,
} from './pipeline/authenticate.ts'
import { rejectionBeforeBody, requirePermissions } from './pipeline/authorise.ts'
import { recogniseBrowsers } from './pipeline/browsers.ts'
import { onClientError, type TellUnread } from './pipeline/client-error.ts'
import { checkLimits, MAX_HEADERS, rejectSmuggling } from './pipeline/http-conformance.ts'
import { InFlightRequests } from './pipeline/in-flight.ts'
import { acceptJsonBodies } from './pipeline/json-body.ts'
import { answerNotFound, errorReplier, type ReplyError, type UnroutedRequests } from './pipeline/problem-reply.ts'
import { type MeasuredConfig, measure, measureRoutes, traceRequests } from './pipeline/request-observation.ts'
import { type RequestSinks, recordOf, tellUnread } from './pipeline/request-record.ts'
import { numbered } from './route/replies.ts'
import type { CacheLookup } from './route/response-cache.ts'
import type { ApiRequest, Method, PathParams, Route, RouteDeclaration } from './route/route.ts'
import { pathOf } from './route/route.ts'
import { COMPRESSED_FROM_BYTES, discardBody, GZIP_LEVEL, type Reply, send } from './route/send.ts'

/** Answers that tell where what was made, or will be, is found. */
const MADE: ReadonlySet<number> = new Set([201, 202])

type Done = (rejection?: Error) => void

export class Pipeline {
  readonly replyError: ReplyError
  readonly inFlight: InFlightRequests
  readonly tellUnread: TellUnread
  readonly #parts: PipelineParts
  readonly #sinks: RequestSinks
  readonly #cachedReads: CachedReads
  #unrouted: UnroutedRequests | undefined

  constructor(parts: PipelineParts) {
    const isStopping = () => parts.lifecycle.state !== 'serving'
    this.#parts = parts
    this.#sinks = {
      clients: parts.clients,
      proxies: parts.identity.proxies,
      observe: parts.observe,
      log: parts.logRequest,
    }
    const findRecord = (request: FastifyRequest, reply: FastifyReply) =>
      recordOf(reply.raw) ?? measure(this.#sinks, parts.metrics, {}, request, reply)
    const unroutedForm = (request: FastifyRequest) => this.#unrouted?.formOf(request)
    this.replyError = errorReplier({ observe: parts.observe, isStopping, unroutedForm, recordOf: findRecord })
    this.tellUnread = (request) => tellUnread(this.#sinks, parts.metrics, request)
    this.inFlight = new InFlightRequests(parts.deadlineMs)
    this.#cachedReads = new CachedReads(parts.responseCache, isStopping)
  }

  /** Adds the steps of every request. Must be called before the first route is declared. */
  async install(app: FastifyInstance): Promise<void> {
    const { basePath, connections, metrics, traces, responseCache } = this.#parts
    connections.guard(app.server)
    onClientError(app.server, this.tellUnread)
    // With traces on, every request goes through the framework, whose hooks make the spans.
    if (!traces) answerFromCache(app.server, { ...this.#parts, sinks: this.#sinks }, responseCache)
    // Node silently drops headers beyond this, so it must exceed the limit for the check in checkLimits.
    app.server.maxHeadersCount = 2 * MAX_HEADERS
    requirePermissions(app)
    recogniseBrowsers(app)
    this.#unrouted = answerNotFound(app)
    measureRoutes(app, metrics, basePath)
    if (traces) traceRequests(app, traces, basePath)
    app.decorateRequest('caller')
    app.addHook('onRequest', (request, reply, done) => this.#receive(request as RequestWithCaller, reply, done))
    acceptJsonBodies(app)
    app.setErrorHandler(this.replyError)
    app.addHook('onClose', async () => this.inFlight.stop())
    await app.register(compress, {
      globalDecompression: false,
      threshold: COMPRESSED_FROM_BYTES,
      encodings: ['gzip', 'deflate'],
      zlibOptions: { level: GZIP_LEVEL },
    })
  }

  #receive(request: RequestWithCaller, reply: FastifyReply, done: Done): void {
    const { crossOrigin, metrics } = this.#parts
    crossOrigin?.open(request.raw, reply.raw)
    const preflight = crossOrigin?.preflight(request.raw)
    if (preflight) {
      measure(this.#sinks, metrics, {}, request, reply)
      this.reply(request, reply, preflight)
      return
    }
    let checked: Promise<void> | undefined
    try {
      checked = this.#check(request, reply)
    } catch (thrown) {
      done(asError(thrown))
      return
    }
    if (!checked) this.#admit(request, done)
    else {
      checked.then(
        () => this.#admit(request, done),
        (thrown: unknown) => done(asError(thrown)),
      )
    }
  }

  /** Synchronous for a caller that is known. */
  #check(request: RequestWithCaller, reply: FastifyReply): Promise<void> | undefined {
    const { metrics } = this.#parts
    const config = request.routeOptions.config as MeasuredConfig & RouteDeclaration
    const identity = this.#identityOf(config)
    measure(this.#sinks, metrics, config, request, reply)
    const knownCaller = earlyLookupOf(request.raw)?.caller ?? findKnownCaller(identity, request.headers.authorization)
    const smuggling = rejectSmuggling(request.raw)
    if (smuggling) throw smuggling
    if (knownCaller || config.isUnlimited) return this.#checkLimits(request, reply, knownCaller)
    const identified = (config.isPublic ? admitAnonymous : authenticate)(identity, credentialsOf(identity, request))
    return identified.then(
      (caller) => this.#checkLimits(request, reply, caller),
      async (refusal: unknown) => {
        if (refusal instanceof RefusedCaller) await this.#checkLimits(request, reply, refusal.caller)
        throw refusal
      },
    )
  }

  #identityOf({ audience }: Pick<RouteDeclaration, 'audience'>): Identity {
    return audience === 'agents' ? this.#parts.agents : this.#parts.identity
  }

  #checkLimits(request: RequestWithCaller, reply: FastifyReply, caller: Caller | undefined): Promise<void> | undefined {
    const { lifecycle, limiter } = this.#parts
    request.caller = caller
    recordOf(reply.raw).caller = caller
    if (caller?.actedAs !== undefined) reply.raw.setHeader('acting-as', caller.actedAs)
    checkLimits(request, lifecycle.state === 'closing')
    return caller && limiter?.count(caller.actor.clientId, request.raw, reply.raw)
  }

  #admit({ caller }: RequestWithCaller, done: Done): void {
    const { admission } = this.#parts
    // Requests for health and tokens are not queued.
    if (caller && admission) admission.admit(caller.flow, done)
    else done()
  }

  /** Replies to a request that cannot be routed; a bad token is 401 before anything else (decision 0). */
  rejectUnroutable(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
    this.#parts.crossOrigin?.open(request.raw, reply.raw)
    measure(this.#sinks, this.#parts.metrics, {}, request, reply)
    const smuggling = rejectSmuggling(request.raw)
    if (smuggling) {
      this.replyError(smuggling, request, reply)
      return
    }
    const { identity } = this.#parts
    authenticate(identity, credentialsOf(identity, request)).then(
      () => this.replyError(error, request, reply),
      (rejection: unknown) => this.replyError(rejection, request, reply),
    )
  }

  /** Declares a route that needs a caller, with its further steps. */
  declare(app: FastifyInstance, method: Method, path: string, route: Route): void {
    if (!route.upload) {
      app.route(this.#routeOf(method, path, route))
      return
    }
    const { upload } = route
    // Routes that take files have body parsers of their own.
    app.register((scope, _options, done) => {
      if ('types' in upload) acceptRawBodies(scope, this.#parts.files, upload)
      else acceptFileBodies(scope, this.#parts.files, upload)
      scope.route(this.#routeOf(method, path, route))
      done()
    })
  }

  #routeOf(method: Method, path: string, route: Route): RouteOptions {
    const isRead = method === 'GET' || method === 'HEAD'
    return {
      method,
      url: this.#parts.basePath + path,
      config: {
        permit: route.permit,
        methodsAt: route.methodsAt,
        audience: route.audience,
        problemForm: route.problemForm,
        jsonLimits: route.bodyBounds?.json,
      } as never,
      ...(route.bodyBounds ? { bodyLimit: route.bodyBounds.bytes } : {}),
      preParsing: (request, _reply, payload, done) =>
        done(this.#rejectionBeforeBody(method, route, request as RequestWithCaller), payload),
      handler: isRead
        ? (request, reply) =>
            this.#cachedReads.answer(request as RequestWithCaller, reply, (lookup) =>
              this.#handle(route, request as RequestWithCaller, reply, lookup),
            )
        : (request, reply) => this.#handle(route, request as RequestWithCaller, reply),
    }
  }

  /** A path that a setup decides matches the route of every such path. */
  #rejectionBeforeBody(method: Method, route: Route, request: RequestWithCaller): Error | null {
    const isRouted = route.methodsAt?.(request.params as PathParams).includes(method) ?? true
    return isRouted ? rejectionBeforeBody(route, request) : (this.#unrouted?.problemOf(request) ?? null)
  }

  async #handle(
    route: Route,
    request: RequestWithCaller,
    reply: FastifyReply,
    lookup?: CacheLookup,
  ): Promise<FastifyReply> {
    const { responseCache, files } = this.#parts
    const identity = this.#identityOf(route)
    const leaveFlight = () => this.inFlight.end(reply)
    const received = receivedBodyOf(route, request)
    if (route.upload) whenClosed(reply, received.release)
    try {
      this.inFlight.start(reply, callerOf(request).flow)
      const answer = await this.#answer({
        route,
        request,
        reply,
        received,
        lookup,
        responseCache,
        identity,
        leaveFlight,
      })
      if (lookup) responseCache.store(lookup, answer)
      return this.reply(request, reply, MADE.has(answer.status) ? this.#withBasePath(answer) : answer)
    } finally {
      this.inFlight.end(reply)
      if (route.upload) await files.staging.discard(received.content)
    }
  }

  /** A write under rules that a setup has replaced meanwhile is done once more, as if it came now. */
  async #answer(parts: RequestParts): Promise<Reply> {
    const { route, request } = parts
    const requested = apiRequestOf(parts)
    try {
      return await (parts.lookup ? this.#read(route, requested) : route.handle(requested))
    } catch (thrown) {
      // A file that was uploaded has been taken by now.
      if (!(thrown instanceof OutdatedRules) || route.upload) throw thrown
      await this.#parts.loadRules()
      request.caller = await requested.callerNow()
      return route.handle(apiRequestOf(parts))
    }
  }

  async #read(route: Route, requested: ApiRequest): Promise<Reply> {
    const { read } = this.#parts
    if (!read) return route.handle(requested)
    const { answer, changeNumber } = await read(requested.minChange, () => route.handle(requested))
    return numbered(answer, changeNumber)
  }

  /** Resources make `Location` without the base path. */
  #withBasePath(created: Reply): Reply {
    const location = created.headers?.location
    return location === undefined
      ? created
      : { ...created, headers: { ...created.headers, location: this.#parts.basePath + location } }
  }

  reply(request: FastifyRequest, reply: FastifyReply, answer: Reply): FastifyReply {
    // The deadline has passed, and the client has got its 503.
    if (reply.sent) {
      discardBody(answer.body)
      return reply
    }
    if (answer.reason !== undefined) recordOf(reply.raw).reason = answer.reason
    const onBroken = (error: unknown) => this.#reportBroken(request, error)
    if (this.#parts.lifecycle.state === 'serving') return send(request, reply, answer, onBroken)
    return send(request, reply, { ...answer, headers: { ...answer.headers, connection: 'close' } }, onBroken)
  }

  #reportBroken(request: FastifyRequest, error: unknown): void {
    // The client disconnected: nothing went wrong here.
    if ((error as { code?: string } | null)?.code === 'ERR_STREAM_PREMATURE_CLOSE') return
    const { id: requestId, method } = request
    this.#parts.observe({ kind: 'answer-broken', requestId, method, path: pathOf(request), reason: String(error) })
  }
}
