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

interface CallSettings {
  readonly basePath: string
  /** Set if the batch has an `Idempotency-Key`: then each operation has one. */
  readonly repeat: { readonly key: string; readonly fingerprint: string } | undefined
  readonly validateOnly: boolean
}

const VERSION = '/v1'
const SAFE_ID = /^[\w.:-]{1,128}$/

export type OperationCalls = ReturnType<typeof operationCalls>

export function operationCalls(
  inner: InnerRequests,
  request: ApiRequest,
  operations: readonly SentOperation[],
  clock: BatchClock,
  { basePath, repeat, validateOnly }: CallSettings,
) {
  const { caller, requester } = request
  const outer: OuterRequest = { ...request, requester: { flow: requester.flow, onAbandoned: clock.onAbandoned } }
  const byId = new Map(operations.map((operation) => [operation.id, operation]))
  const answers = new Map<string, ReferredAnswer>()
  const paths = new Map<string, string>()
  const begunBefore = new Map<SentOperation, InnerCall>()

  /** Its own `X-Request-Id`, or that of the batch with its place. */
  const requestIdOf = ({ headers, index }: SentOperation): string => {
    const own = headers['x-request-id'] ?? ''
    return SAFE_ID.test(own) ? own : `${request.requestId}:${index + 1}`
  }

  /** A path is relative to that of the batch; one from the root has the base path, or lacks it. */
  const absolute = (url: string): string => {
    if (!url.startsWith('/')) return `${basePath}${VERSION}/${url}`
    return url.startsWith(`${basePath}/`) ? url : basePath + url
  }

  const repeatOf = ({ id }: SentOperation): InnerRequest['repeat'] =>
    repeat && { key: hashOf(repeat.key, id), fingerprint: hashOf(repeat.fingerprint, id) }

  /** The request with what it refers to. Throws 400 if there is no such thing. */
  const resolved = (operation: SentOperation): Pick<InnerRequest, 'url' | 'headers' | 'body'> => {
    const find: FindAnswer = (id) => (mayRefer(operation, byId.get(id)) ? answers.get(id) : undefined)
    const url = absolute(resolveUrl(operation.url, find))
    paths.set(operation.id, pathIn(url))
    const { 'idempotency-key': key, ...headers } = resolveHeaders(operation.headers, find)
    // What only validates has no key: a group that does is done with the keys of its members, and taken back.
    const keyed = key === undefined || validateOnly ? headers : { ...headers, 'idempotency-key': key }
    return { url, headers: keyed, body: resolveBody(operation.body, find) }
  }

  return {
    requestIdOf,
    actorOf: (operation: SentOperation): Actor => actorOf({ caller, requestId: requestIdOf(operation) }),

    /** One that was begun before begins anew. */
    begin(operation: SentOperation): InnerCall {
      clock.nextOperation()
      const begun = begunBefore.get(operation)
      if (begun) {
        begun.renew()
        return begun
      }
      const { method, url, headers, body, group } = operation
      const requested: InnerRequest = {
        method,
        url: absolute(url),
        headers,
        body,
        requestId: requestIdOf(operation),
        repeat: headers['idempotency-key'] === undefined ? repeatOf(operation) : undefined,
        validateOnly: validateOnly && group === undefined,
      }
      const call = inner.begin(requested, outer, () => resolved(operation))
      begunBefore.set(operation, call)
      return call
    },

    /** Remembers what later operations may refer to. */
    answered({ id, method }: SentOperation, { status, headers, body }: InnerAnswer): void {
      if (status >= 400) {
        answers.delete(id)
        return
      }
      const made = headers.location === undefined ? undefined : pathIn(headers.location)
      const path = made ?? (method === 'GET' || method === 'PATCH' ? paths.get(id) : undefined)
      let json: { readonly value: unknown } | undefined
      answers.set(id, {
        path,
        etag: headers.etag,
        json: () => {
          json ??= { value: /json/.test(headers['content-type'] ?? '') ? parseExact(String(body)) : undefined }
          return json.value
        },
      })
    },
  }
}

/** No client's own key is likely to be the same. */
function hashOf(text: string, id: string): string {
  return createHash('sha256').update(`${text}\n${id}`).digest('base64url')
}
