// What is told of each request at its end, in metrics and access log. It is made for every request, so it is one object
// without closures, and who the caller was is only written down.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Caller } from '../../access/caller.ts'
import type { TrustedProxies } from '../../base/trusted-proxies.ts'
import { keptMessage } from '../../errors/kept-message.ts'
import type { Problem } from '../../errors/problem.ts'
import { reasonOf } from '../../errors/reason.ts'
import type { ClientMetrics } from '../../observe/client-metrics.ts'
import type { RequestMetrics, RouteMetrics } from '../../observe/metrics.ts'
import type { LogRequest, Observe } from '../../observe/observation.ts'
import { addressOf } from './authenticate.ts'
import type { UnreadRequest } from './client-error.ts'

/** Where ended requests are told of. */
export interface RequestSinks {
  readonly clients: ClientMetrics
  readonly proxies: TrustedProxies
  readonly observe: Observe
  /** Absent: requests are not logged. */
  readonly log: LogRequest | undefined
}

const RECORD = Symbol('record')
type Recorded = ServerResponse & { [RECORD]?: RequestRecord }

export class RequestRecord {
  readonly metrics: RouteMetrics
  readonly requestId: string
  readonly #startedAt: number
  readonly #sinks: RequestSinks
  readonly #request: IncomingMessage
  readonly #bytesBefore: number
  caller: Caller | undefined
  #companyId: string | undefined
  problem: Problem | undefined
  /** Why a request was refused without a problem, such as a probe. */
  reason: string | undefined

  /** Tells of the request when its response is sent or its client has disconnected. */
  static begin(
    sinks: RequestSinks,
    request: IncomingMessage,
    response: ServerResponse,
    part: { readonly metrics: RouteMetrics; readonly requestId: string; readonly startedAt: number },
  ): RequestRecord {
    const record = new RequestRecord(sinks, request, part)
    ;(response as Recorded)[RECORD] = record
    response.on('close', end)
    return record
  }

  private constructor(
    sinks: RequestSinks,
    request: IncomingMessage,
    { metrics, requestId, startedAt }: Parameters<typeof RequestRecord.begin>[3],
  ) {
    this.#sinks = sinks
    this.#request = request
    this.metrics = metrics
    this.requestId = requestId
    this.#startedAt = startedAt
    this.#bytesBefore = sinks.log ? (request.socket.bytesWritten ?? 0) : 0
  }

  get companyId(): string | undefined {
    return this.#companyId
  }

  /** The request is answered from this company: who sees it as a client is told of. */
  actsIn(companyId: string | undefined): void {
    this.#companyId = companyId
    const { actor, actedAs } = this.caller ?? {}
    if (!actor || actedAs === undefined || companyId === undefined) return
    const { userId, clientId } = actor
    this.#sinks.observe({ kind: 'acting', requestId: this.requestId, userId, clientId, actedAs, companyId })
  }

  end(status: number): void {
    const { caller, problem } = this
    const { clients, log, proxies } = this.#sinks
    const ms = performance.now() - this.#startedAt
    this.metrics.add(status, ms)
    clients.add(caller?.actor.clientId, status, problem?.code)
    const ended = {
      client: caller?.actor.clientId,
      user: caller?.actor.userId,
      actedAs: caller?.actedAs,
      company: this.companyId,
      method: this.metrics.method,
      route: this.metrics.route,
      status,
      code: problem?.code,
      reason: problem ? reasonOf(problem) : this.reason,
      bytes: (this.#request.socket.bytesWritten ?? 0) - this.#bytesBefore,
      ms: Math.round(ms * 1000) / 1000,
      address: addressOf(proxies, this.#request),
      requestId: this.requestId,
    }
    if (problem) log?.(ended, () => keptMessage(problem))
    else log?.(ended)
  }
}

/** What will be told of the request. */
export function recordOf(response: ServerResponse): RequestRecord {
  return (response as Required<Recorded>)[RECORD]
}

function end(this: Recorded): void {
  this[RECORD]?.end(this.writableEnded ? this.statusCode : 0)
}

const UNREAD = 'unread'
const UNREAD_CODE = 1010

/** Tells of a request that Node's parser has refused. Who has sent it through a proxy is not known. */
export function tellUnread(
  { clients, log }: RequestSinks,
  requests: RequestMetrics,
  { status, reason, requestId, socket, bytes }: UnreadRequest,
): void {
  const { method, route, add } = requests.of(UNREAD, UNREAD)
  add(status, 0)
  clients.add(undefined, status, UNREAD_CODE)
  const nobody = { client: undefined, user: undefined, company: undefined }
  const address = socket.remoteAddress ?? ''
  log?.({ ...nobody, method, route, status, code: UNREAD_CODE, reason, bytes, ms: 0, address, requestId })
}
