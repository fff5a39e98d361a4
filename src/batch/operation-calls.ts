// Makes a request of an operation, with what it refers to in the answers before it.
import { createHash } from 'node:crypto'
import { parseExact } from '../base/long-number.ts'
import type { InnerAnswer } from '../http/inner-answer.ts'
import type { InnerCall } from '../http/inner-call.ts'
import type { InnerRequest, OuterRequest } from '../http/inner-request.ts'
import type { InnerRequests } from '../http/inner-requests.ts'
import { type ApiRequest, pathIn } from '../http/route/route.ts'
import { actorOf } from '../records/shared/service.ts'
import type { Actor } from '../store/store.ts'
import { mayRefer, type SentOperation } from './batch-body.ts'
import type { BatchClock } from './batch-clock.ts'
import { type FindAnswer, type ReferredAnswer, resolveBody, resolveHeaders, resolveUrl } from './references.ts'

export interface CallSettings {
  readonly basePath: string
  /** Set if the batch has an `Idempotency-Key`: then each operation has one. */
  readonly repeat: { readonly key: string; readonly fingerprint: string } | undefined
  readonly validateOnly: boolean
}

const VERSION = '/v1'
const SAFE_ID = /^[\w.:-]{1,128}$/

export class OperationCalls {
  readonly #inner: InnerRequests
  readonly #request: ApiRequest
  readonly #outer: OuterRequest
  readonly #clock: BatchClock
  readonly #settings: CallSettings
  readonly #operations: ReadonlyMap<string, SentOperation>
  readonly #answers = new Map<string, ReferredAnswer>()
  readonly #paths = new Map<string, string>()
  readonly #begun = new Map<SentOperation, InnerCall>()

  constructor(
    inner: InnerRequests,
    request: ApiRequest,
    operations: readonly SentOperation[],
    clock: BatchClock,
    settings: CallSettings,
  ) {
    this.#inner = inner
    this.#request = request
    this.#clock = clock
    this.#outer = { ...request, requester: { flow: request.requester.flow, onAbandoned: clock.onAbandoned } }
    this.#settings = settings
    this.#operations = new Map(operations.map((operation) => [operation.id, operation]))
  }

  /** Its own `X-Request-Id`, or that of the batch with its place. */
  requestIdOf({ headers, index }: SentOperation): string {
    const own = headers['x-request-id'] ?? ''
    return SAFE_ID.test(own) ? own : `${this.#request.requestId}:${index + 1}`
  }

  actorOf(operation: SentOperation): Actor {
    return actorOf({ caller: this.#request.caller, requestId: this.requestIdOf(operation) })
  }

  /** One that was begun before begins anew. */
  begin(operation: SentOperation): InnerCall {
    this.#clock.nextOperation()
    const begun = this.#begun.get(operation)
    if (begun) {
      begun.renew()
      return begun
    }
    const { method, url, headers, body, group } = operation
    const requested: InnerRequest = {
      method,
      url: this.#absolute(url),
      headers,
      body,
      requestId: this.requestIdOf(operation),
      repeat: headers['idempotency-key'] === undefined ? this.#repeatOf(operation) : undefined,
      validateOnly: this.#settings.validateOnly && group === undefined,
    }
    const call = this.#inner.begin(requested, this.#outer, () => this.#resolved(operation))
    this.#begun.set(operation, call)
    return call
  }

  /** Remembers what later operations may refer to. */
  answered({ id, method }: SentOperation, answer: InnerAnswer): void {
    const { status, headers } = answer
    if (status >= 400) {
      this.#answers.delete(id)
      return
    }
    const made = headers.location === undefined ? undefined : pathIn(headers.location)
    const path = made ?? (method === 'GET' || method === 'PATCH' ? this.#paths.get(id) : undefined)
    let json: { readonly value: unknown } | undefined
    this.#answers.set(id, {
      path,
      etag: headers.etag,
      json: () => {
        json ??= { value: /json/.test(headers['content-type'] ?? '') ? parseExact(String(answer.body)) : undefined }
        return json.value
      },
    })
  }

  /** The request with what it refers to. Throws 400 if there is no such thing. */
  #resolved(operation: SentOperation): Pick<InnerRequest, 'url' | 'headers' | 'body'> {
    const find: FindAnswer = (id) => (mayRefer(operation, this.#operations.get(id)) ? this.#answers.get(id) : undefined)
    const url = this.#absolute(resolveUrl(operation.url, find))
    this.#paths.set(operation.id, pathIn(url))
    const { 'idempotency-key': key, ...headers } = resolveHeaders(operation.headers, find)
    // What only validates has no key: a group that does is done with the keys of its members, and taken back.
    const keyed = key === undefined || this.#settings.validateOnly ? headers : { ...headers, 'idempotency-key': key }
    return { url, headers: keyed, body: resolveBody(operation.body, find) }
  }

  /** A path is relative to that of the batch; one from the root has the base path, or lacks it. */
  #absolute(url: string): string {
    const { basePath } = this.#settings
    if (!url.startsWith('/')) return `${basePath}${VERSION}/${url}`
    return url.startsWith(`${basePath}/`) ? url : basePath + url
  }

  #repeatOf({ id }: SentOperation): InnerRequest['repeat'] {
    const { repeat } = this.#settings
    return repeat && { key: hashOf(repeat.key, id), fingerprint: hashOf(repeat.fingerprint, id) }
  }
}

/** No client's own key is likely to be the same. */
function hashOf(text: string, id: string): string {
  return createHash('sha256').update(`${text}\n${id}`).digest('base64url')
}
