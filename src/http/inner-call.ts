// One request within another one, from its route to its answer.
import { keptMessage } from '../errors/kept-message.ts'
import { reasonOf } from '../errors/reason.ts'
import type { RouteMetrics } from '../observe/metrics.ts'
import { decodedRequest, type ReceivedBody } from './api-request.ts'
import { readJsonWithFile } from './body/json-upload.ts'
import { type InnerAnswer, refusalOf, wholeBody } from './inner-answer.ts'
import type { InnerParts, InnerRequest, OuterRequest, ResolveRequest } from './inner-request.ts'
import { authorise, requirePossible } from './pipeline/authorise.ts'
import { requireShortUrl } from './pipeline/http-conformance.ts'
import { notJson, requireMediaType } from './pipeline/json-body.ts'
import { observeProblem } from './pipeline/problem-reply.ts'
import { messageLanguageOf } from './pipeline/reader.ts'
import { withWholeLocation } from './route/replies.ts'
import { type ApiRequest, pathIn, WITHOUT_BODY } from './route/route.ts'
import type { FoundRoute, RouteLookup } from './route/route-lookup.ts'
import { discardBody, JSON_TYPE, type Reply } from './route/send.ts'

const JSON_BODY = /^\s*application\/(?:json|json-patch\+json)\s*(?:;|$)/i

export class InnerCall {
  readonly #parts: InnerParts
  #requested: InnerRequest
  readonly #outer: OuterRequest
  readonly #startedAt = performance.now()
  #metrics: RouteMetrics
  #limitHeaders: Readonly<Record<string, string>> = {}
  #found: FoundRoute | undefined
  #request: ApiRequest | undefined
  #refusal: { readonly error: unknown } | undefined
  readonly #table: RouteLookup
  readonly #resolve: ResolveRequest | undefined
  #isWithinLimits = true

  constructor(
    table: RouteLookup,
    parts: InnerParts,
    requested: InnerRequest,
    outer: OuterRequest,
    resolve?: ResolveRequest,
  ) {
    this.#parts = parts
    this.#requested = requested
    this.#outer = outer
    this.#metrics = parts.metrics.of(requested.method)
    this.#table = table
    this.#resolve = resolve
    try {
      this.#limitHeaders = parts.limiter?.take(outer.caller.clientId) ?? {}
      this.renew()
    } catch (error) {
      this.#refusal = { error }
      this.#isWithinLimits = false
    }
  }

  /** Takes it as if it had not been answered: what it refers to may have another answer now. It counts once. */
  renew(): void {
    if (!this.#isWithinLimits) return
    this.#refusal = undefined
    try {
      this.#begin()
    } catch (error) {
      this.#refusal = { error }
    }
  }

  /** The company that it acts in; undefined when it is refused. */
  get companyId(): string | undefined {
    return this.#request?.companyId
  }

  get isRead(): boolean {
    return this.#requested.method === 'GET' || this.#requested.method === 'HEAD'
  }

  get validateOnly(): boolean {
    return this.#request?.validateOnly ?? false
  }

  /** Whether it takes a file, which is received before anything is written. */
  get takesFile(): boolean {
    return this.#found?.route.upload !== undefined
  }

  /** The path of what it asks for, below the base path. */
  get path(): string {
    return pathIn(this.#requested.url).slice(this.#parts.basePath.length)
  }

  /** The answer, whose body has at most so many bytes, unless it tells what was written. Never rejects. */
  async answer(maxBytes: number): Promise<InnerAnswer> {
    if (this.#refusal) return this.refused(this.#refusal.error)
    try {
      return await this.#handle(maxBytes)
    } catch (error) {
      return this.refused(error)
    }
  }

  /** The answer that says why nothing was done. */
  refused(error: unknown): InnerAnswer {
    const { requestId, headers } = this.#requested
    const language = 'accept-language' in headers ? messageLanguageOf(headers) : this.#outer.messageLanguage()
    const refusal = refusalOf(error, requestId, this.#limitHeaders, language)
    return this.#requested.method === 'HEAD' ? { ...refusal, body: '' } : refusal
  }

  /** Tells of the request in metrics and logs. `answer`: the one that the client gets. */
  end({ status, body, problem, error, reason }: InnerAnswer): void {
    const { clients, observe, logRequest } = this.#parts
    const { requestId, method } = this.#requested
    const { caller, address } = this.#outer
    const ms = performance.now() - this.#startedAt
    this.#metrics.add(status, ms)
    clients.add(caller.clientId, status, problem?.code)
    if (problem) observeProblem(observe, { requestId, method, path: this.path }, problem, { error, caller })
    const ended = {
      client: caller.clientId,
      user: caller.userId,
      company: this.companyId,
      method: this.#metrics.method,
      route: this.#metrics.route,
      status,
      code: problem?.code,
      reason: problem ? reasonOf(problem) : reason,
      bytes: body.length,
      ms: Math.round(ms * 1000) / 1000,
      address: address(),
      requestId,
    }
    if (problem) logRequest?.(ended, () => keptMessage(problem))
    else logRequest?.(ended)
  }

  #begin(): void {
    const { metrics, basePath } = this.#parts
    const { caller } = this.#outer
    if (this.#resolve) this.#requested = { ...this.#requested, ...this.#resolve() }
    const { method, url, body } = this.#requested
    requireShortUrl(url)
    const found = this.#table.require(method, url.slice(basePath.length))
    this.#metrics = metrics.of(method, found.path)
    this.#found = found
    requirePossible(caller, found.route, found.params, pathIn(url))
    if (body !== undefined) this.#requireJson()
    this.#request = this.#decoded(found, { body, content: 'none', release: () => {} })
  }

  #requireJson(): void {
    const { method, headers } = this.#requested
    if (WITHOUT_BODY.includes(method)) return
    if (!JSON_BODY.test(headers['content-type'] ?? JSON_TYPE)) throw notJson()
    requireMediaType({ method, headers })
  }

  #decoded({ route, params }: FoundRoute, given: ReceivedBody): ApiRequest {
    const { method, url, headers, requestId, repeat, validateOnly } = this.#requested
    const { caller, address, origin, requester, callerNow, leaveFlight, onClosed } = this.#outer
    const query = url.split('?').slice(1).join('?')
    const received = WITHOUT_BODY.includes(method) ? { ...given, body: undefined } : given
    const requested = { route, caller, method, url, query, params, headers, received, requestId }
    const request = decodedRequest(requested, (companyId) => ({
      isRepeatedRead: false,
      tagOf: (validity) => this.#parts.responseCache.tagOf({ headers }, caller, validity),
      address,
      origin,
      requester,
      callerNow: async () => {
        const now = await callerNow()
        authorise(now, route, params, companyId)
        return now
      },
      leaveFlight,
      onClosed,
    }))
    const key = repeat && !this.isRead ? { idempotencyKey: repeat.key, fingerprint: () => repeat.fingerprint } : {}
    return { ...request, ...key, ...(validateOnly && !this.isRead ? { validateOnly } : {}) }
  }

  async #handle(maxBytes: number): Promise<InnerAnswer> {
    const { route } = this.#found as FoundRoute
    const request = this.takesFile ? await this.#withFile() : (this.#request as ApiRequest)
    try {
      const reply = await route.handle(request)
      const body = await this.#bodyOf(reply, maxBytes)
      const { status, reason } = reply
      return { status, headers: this.#headers(body, this.#located(reply, request)), body, reason }
    } finally {
      if (this.takesFile) await this.#parts.files.staging.discard(request.content)
    }
  }

  async #bodyOf({ body }: Reply, maxBytes: number): Promise<InnerAnswer['body']> {
    if (this.#requested.method !== 'HEAD') return wholeBody(body, maxBytes, this.isRead)
    discardBody(body)
    return ''
  }

  /** Receives the file that the body has in base64. */
  async #withFile(): Promise<ApiRequest> {
    const { body } = this.#requested
    const found = this.#found as FoundRoute
    const { upload } = found.route
    if (!upload || 'types' in upload || body === undefined) return this.#request as ApiRequest
    const received = await readJsonWithFile(chunkOf(JSON.stringify(body)), upload, this.#parts.files.staging)
    return this.#decoded(found, { ...received, release: () => {} })
  }

  #headers(body: InnerAnswer['body'], headers: Readonly<Record<string, string>> = {}): Record<string, string> {
    const type: Record<string, string> = body.length === 0 ? {} : { 'content-type': JSON_TYPE }
    return { 'x-request-id': this.#requested.requestId, ...this.#limitHeaders, ...type, ...headers }
  }

  #located(reply: Reply, request: ApiRequest): Readonly<Record<string, string>> | undefined {
    return (reply.status === 201 ? withWholeLocation(reply, this.#parts.basePath, request) : reply).headers
  }
}

async function* chunkOf(text: string): AsyncGenerator<Buffer, void, void> {
  yield Buffer.from(text)
}
