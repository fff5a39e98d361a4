// The pipeline: what happens to a request, in order.
//
//   Connection   Connections: a limited number, in total and per address.
//                Node's parser with the limits of server.ts; onClientError answers what it rejects.
//                The front, in a demo that behaves badly (faulty-front.ts).
//                answerFromCache: a repeated read with a cached response that is current ends here.
//   Check        The route is looked up; the span and the metrics begin.
//                CrossOrigin: whether a page of another origin may read the answer; its preflight ends here.
//                rejectSmuggling; authentication, or the limits of the address for anonymous requests; checkLimits; the
//                limits of the client; admission while the event loop is busy.
//   Body         The resource exists, and the caller has the permission in some company. Then JSON
//                (pipeline/json-body.ts), or a file that is written to disk while it is received (body/upload.ts).
//   Handler      CachedReads, with the response cache; InFlightRequests, with the deadline; apiRequestOf, which decodes
//                the request and authorises it for one company; the use case of the route.
//   Reply        send, or errorReplier for whatever was thrown in any step; the metrics and the span end with it.

import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Caller } from '../access/caller.ts'
import { RefusedCaller } from '../access/denial.ts'
import { OutdatedRules } from '../errors/problem.ts'
import { apiRequestOf, type RequestParts, receivedBodyOf, whenClosed } from './api-request.ts'
import { fileReaders, rawReaders } from './body/upload.ts'
import { answerFromCache, CachedReads, type CacheParts } from './cached-reads.ts'
import type { PipelineParts } from './parts.ts'
import {
  admitAnonymous,
  authenticate,
  callerOf,
  credentialsOf,
  findKnownCaller,
  type Identity,
} from './pipeline/authenticate.ts'
import { requirePermission, requirePossible } from './pipeline/authorise.ts'
import { onClientError } from './pipeline/client-error.ts'
import { checkLimits, MAX_HEADERS, rejectSmuggling } from './pipeline/http-conformance.ts'
import { InFlightRequests } from './pipeline/in-flight.ts'
import { type BodyReaders, jsonReaders, readBody } from './pipeline/json-body.ts'
import { errorReplier, type ReplyError } from './pipeline/problem-reply.ts'
import { isOfBrowser, preferOwnLanguage } from './pipeline/reader.ts'
import { measure, requestIdOf, startSpan } from './pipeline/request-observation.ts'
import { recordOf, tellUnread } from './pipeline/request-record.ts'
import { type PlainRead, PlainRequest, type Routed, type ServedRoute } from './route/plain-request.ts'
import { numbered, withWholeLocation } from './route/replies.ts'
import type { CacheLookup } from './route/response-cache.ts'
import { type ApiRequest, type Method, READS, type Route, type RouteDeclaration, WITHOUT_BODY } from './route/route.ts'
import { Paths } from './route/route-lookup.ts'
import { discardBody, PrematureClose, type Reply, send } from './route/send.ts'

/** Answers that tell where what was made, or will be, is found. */
const MADE: ReadonlySet<number> = new Set([201, 202])
const JSON_BODIES = jsonReaders()

export type Open = (request: PlainRequest) => Promise<Reply> | Reply

export class Pipeline {
  readonly replyError: ReplyError
  readonly inFlight: InFlightRequests
  readonly paths = new Paths<ServedRoute>()
  readonly #parts: CacheParts
  readonly #cachedReads: CachedReads

  constructor(parts: PipelineParts) {
    const { observe, clients, responseCache, identity, logRequest: log } = parts
    const isStopping = () => parts.lifecycle.state !== 'serving'
    const sinks = { clients, proxies: identity.proxies, observe, log }
    this.#parts = { ...parts, sinks }
    this.replyError = errorReplier({ observe, isStopping, unroutedForm: (url) => this.paths.problemFormAt(url) })
    this.inFlight = new InFlightRequests(parts.deadlineMs, this.replyError)
    this.#cachedReads = new CachedReads(responseCache, isStopping)
  }

  /** Takes every request of the server. */
  install(server: Server): void {
    const { connections, front } = this.#parts
    connections.guard(server)
    // Node silently drops headers beyond this, so it must exceed the limit for the check in checkLimits.
    server.maxHeadersCount = 2 * MAX_HEADERS
    server.on('request', (raw, response) => {
      if (front) front(raw, response, () => this.#receive(raw, response))
      else this.#receive(raw, response)
    })
    onClientError(server, (request) => tellUnread(this.#parts.sinks, this.#parts.metrics, request))
  }

  #receive(raw: IncomingMessage, response: ServerResponse): void {
    preferOwnLanguage(raw.headers)
    const next = (read?: PlainRead) => this.#begin(raw, response, this.#routed(raw), read)
    try {
      // With traces on, every request has a span, which begins with its route.
      if (this.#parts.traces) next()
      else answerFromCache(this.#parts, raw, response, next)
    } catch (thrown) {
      const routed = nowhere(true, () => thrown)
      this.#begin(raw, response, routed)
    }
  }

  #begin(raw: IncomingMessage, response: ServerResponse, routed: Routed, read?: PlainRead): void {
    const { traces } = this.#parts
    const request = new PlainRequest(raw, response, requestIdOf(raw), routed, read)
    if (traces) startSpan(traces, request).run(() => this.#check(request))
    else this.#check(request)
  }

  #routed({ method = '', url = '', headers }: IncomingMessage): Routed {
    try {
      const found = this.paths.find(method, url)
      if (!found || (found.declared.isForBrowsers && !isOfBrowser(headers)))
        return nowhere(false, ({ path }) => this.paths.problemAt(method, url, path))
      const { declared: route, params, query } = found
      return { route, params, query }
    } catch (unreadable) {
      return nowhere(true, () => unreadable)
    }
  }

  async #check(request: PlainRequest): Promise<void> {
    const { raw, response, route } = request
    const { crossOrigin, metrics, sinks } = this.#parts
    try {
      crossOrigin?.open(raw, response)
      measure(sinks, metrics, request)
      const preflight = crossOrigin?.preflight(raw)
      if (preflight) {
        this.reply(request, preflight)
        return
      }
      const identity = this.#identityOf(route)
      // Who was found ahead of the route has shown a token for records.
      const read = identity === this.#parts.identity ? request.read : undefined
      const knownCaller = read?.caller ?? findKnownCaller(identity, raw.headers.authorization)
      // A plain read was looked at.
      const smuggling = request.read ? undefined : rejectSmuggling(raw)
      if (smuggling) throw smuggling
      const isKnown = knownCaller !== undefined || route.isUnlimited
      const caller = isKnown ? knownCaller : await this.#identify(identity, request)
      // A bad token is 401 before anything else (decision 0).
      if (route.isUnreadable) route.handle(request)
      const counting = this.#checkLimits(request, caller)
      if (counting) await counting
      this.#admit(request)
    } catch (thrown) {
      this.replyError(thrown, request)
    }
  }

  async #identify(identity: Identity, request: PlainRequest): Promise<Caller | undefined> {
    const credentials = credentialsOf(identity, request)
    try {
      return await (request.route.isPublic ? admitAnonymous : authenticate)(identity, credentials)
    } catch (refusal) {
      if (refusal instanceof RefusedCaller) await this.#checkLimits(request, refusal.caller)
      throw refusal
    }
  }

  #identityOf({ audience }: Pick<RouteDeclaration, 'audience'>): Identity {
    return audience === 'agents' ? this.#parts.agents : this.#parts.identity
  }

  /** Synchronous unless other processes must be asked. */
  #checkLimits(request: PlainRequest, caller: Caller | undefined): Promise<void> | undefined {
    const { lifecycle, limiter } = this.#parts
    const { raw, response } = request
    request.caller = caller
    recordOf(response).caller = caller
    if (caller?.actedAs !== undefined) response.setHeader('acting-as', caller.actedAs)
    checkLimits(request, lifecycle.state === 'closing')
    return caller && limiter?.count(caller.actor.clientId, raw, response)
  }

  #admit(request: PlainRequest): void {
    const { admission, traces } = this.#parts
    const { caller } = request
    const serve = (rejection?: Error) => void this.#serve(request, rejection)
    // Requests for health and tokens are not queued.
    if (caller && admission) admission.admit(caller.flow, traces?.bound(serve) ?? serve)
    else serve()
  }

  async #serve(request: PlainRequest, rejection?: Error): Promise<void> {
    const { route } = request
    try {
      if (rejection) throw rejection
      route.admit?.(request)
      const reading = route.readBody?.(request)
      if (reading) request.body = await reading
      await route.handle(request)
    } catch (thrown) {
      this.replyError(thrown, request)
    }
  }

  /** Declares a route that needs a caller, with its further steps. */
  declare(method: Method, path: string, route: Route): void {
    const { permit, methodsAt, audience, problemForm } = route
    const isRead = method === 'GET' || method === 'HEAD'
    const readers = this.#readersOf(route)
    this.#declare([method], path, {
      ...{ permit, methodsAt, audience, problemForm },
      admit: (request) => this.#requireResource(route, request),
      ...(WITHOUT_BODY.includes(method) ? {} : { readBody: (request) => readBody(request, readers) }),
      handle: isRead
        ? (request) => this.#cachedReads.answer(request, (lookup) => this.#handle(route, request, lookup))
        : (request) => this.#handle(route, request),
    })
  }

  /** Declares a route that needs no caller. GET includes HEAD. */
  open(
    method: Method,
    path: string,
    declaration: RouteDeclaration,
    handle: Open,
    { basePath, readsBody = true }: { readonly basePath?: string; readonly readsBody?: boolean } = {},
  ): void {
    const isRead = method === 'GET'
    const route = {
      ...declaration,
      isPublic: true,
      ...(readsBody && !WITHOUT_BODY.includes(method)
        ? { readBody: (request: PlainRequest) => readBody(request, JSON_BODIES) }
        : {}),
      handle: async (request: PlainRequest) => this.reply(request, await handle(request)),
    }
    this.#declare(isRead ? READS : [method], path, route, basePath)
  }

  /** A path that lacks a value: 404 for these methods. */
  incomplete(methods: readonly Method[], path: string): void {
    this.paths.addIncomplete(methods, this.#parts.basePath + path)
  }

  #declare(
    methods: readonly Method[],
    path: string,
    route: Omit<ServedRoute, 'metrics' | 'path'>,
    basePath = this.#parts.basePath,
  ): void {
    requirePermission(route, `${methods} ${basePath}${path}`)
    const metrics = Object.fromEntries(methods.map((method) => [method, this.#parts.metrics.of(method, path)]))
    this.paths.add(methods, basePath + path, { ...route, path, metrics })
  }

  #readersOf({ upload, bodyBounds }: Route): BodyReaders {
    const { files } = this.#parts
    if (!upload) return bodyBounds ? jsonReaders(bodyBounds.bytes, bodyBounds.json) : JSON_BODIES
    return 'types' in upload ? rawReaders(files, upload) : fileReaders(files, upload)
  }

  /** A path that a setup decides matches the route of every such path. */
  #requireResource(route: Route, request: PlainRequest): void {
    const { method, raw, path, params } = request
    if (!(route.methodsAt?.(params).includes(method as Method) ?? true)) {
      throw this.paths.problemAt(method, raw.url ?? '', path)
    }
    requirePossible(callerOf(request), route, params, path)
  }

  async #handle(route: Route, request: PlainRequest, lookup?: CacheLookup): Promise<void> {
    const { responseCache, files } = this.#parts
    const identity = this.#identityOf(route)
    const leaveFlight = () => this.inFlight.end(request)
    const received = receivedBodyOf(route, request)
    if (route.upload) whenClosed(request.response, received.release)
    const parts = { route, request, received, lookup, responseCache, identity, leaveFlight }
    try {
      this.inFlight.start(request, callerOf(request).flow)
      const answer = await (lookup ? this.#read(route, apiRequestOf(parts)) : this.#write(parts))
      if (lookup) responseCache.store(lookup, answer)
      this.reply(request, answer)
    } finally {
      this.inFlight.end(request)
      if (route.upload) await files.staging.discard(received.content)
    }
  }

  /** A write under rules that a setup has replaced meanwhile is done once more, as if it came now. */
  async #write(parts: RequestParts): Promise<Reply> {
    const { route, request } = parts
    const requested = apiRequestOf(parts)
    try {
      return this.#located(await route.handle(requested), requested)
    } catch (thrown) {
      // A file that was uploaded has been taken by now.
      if (!(thrown instanceof OutdatedRules) || route.upload) throw thrown
      await this.#parts.loadRules()
      request.caller = await requested.callerNow()
      const again = apiRequestOf(parts)
      return this.#located(await route.handle(again), again)
    }
  }

  #read(route: Route, requested: ApiRequest): Reply | Promise<Reply> {
    const { read } = this.#parts
    if (!read) return route.handle(requested)
    const reading = read(requested.minChange, () => route.handle(requested))
    return reading.then(({ answer, changeNumber }) => numbered(answer, changeNumber))
  }

  #located(answer: Reply, requested: ApiRequest): Reply {
    return MADE.has(answer.status) ? withWholeLocation(answer, this.#parts.basePath, requested) : answer
  }

  reply(request: PlainRequest, answer: Reply): void {
    // The deadline has passed, and the client has got its 503.
    if (request.isAnswered) {
      discardBody(answer.body)
      return
    }
    if (answer.reason !== undefined) recordOf(request.response).reason = answer.reason
    const isServing = this.#parts.lifecycle.state === 'serving'
    const sent = isServing ? answer : { ...answer, headers: { ...answer.headers, connection: 'close' } }
    send(request, sent, (error) => this.#onBroken(request, error))
  }

  #onBroken(request: PlainRequest, error: unknown): void {
    // The client disconnected: nothing went wrong here.
    if (error instanceof PrematureClose) return
    const { id: requestId, method, path, response } = request
    if (!response.headersSent) {
      request.isAnswered = false
      this.replyError(error, request)
      return
    }
    this.#parts.observe({ kind: 'answer-broken', requestId, method, path, reason: String(error) })
  }
}

/** For a request that no route takes. */
function nowhere(isUnreadable: boolean, problemOf: (request: PlainRequest) => unknown): Routed {
  const handle = (request: PlainRequest) => {
    throw problemOf(request)
  }
  return { route: { metrics: {}, isUnreadable, handle }, params: {}, query: '' }
}
