// Requests within a request, such as the operations of a batch. Each goes the way of a request of its own: limits,
// permission, handler, metrics and log. Only the connection and the caller are those of the request around it.
import type { JsonValue } from '../../base/strict-json.ts'
import type { PipelineParts } from '../pipeline/parts.ts'
import type { ApiRequest } from '../route.ts'
import type { RouteLookup } from '../route-lookup.ts'
import { InnerCall } from './inner-call.ts'

export type InnerParts = Pick<
  PipelineParts,
  'basePath' | 'metrics' | 'clients' | 'limiter' | 'observe' | 'logRequest' | 'responseCache' | 'files'
>

export interface InnerRequest {
  /** In capital letters. */
  readonly method: string
  /** With the base path; percent-encoded. */
  readonly url: string
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: JsonValue | undefined
  readonly requestId: string
  /** In the place of the header `Idempotency-Key` and what it would be compared by. */
  readonly repeat?: { readonly key: string; readonly fingerprint: string } | undefined
  /** Whatever the URL says. */
  readonly validateOnly?: boolean
}

export type ResolveRequest = () => Pick<InnerRequest, 'url' | 'headers' | 'body'>

/** The request around it. */
export type OuterRequest = Pick<ApiRequest, 'caller' | 'address' | 'asker' | 'callerNow' | 'leaveFlight' | 'onClosed'>

export class InnerRequests {
  readonly #table: RouteLookup
  readonly #parts: InnerParts

  constructor(table: RouteLookup, parts: InnerParts) {
    this.#table = table
    this.#parts = parts
  }

  /**
   * Takes the request, up to the decision whether the caller may send it. Never throws: the answer tells. `resolve`
   * gives what is not known before, or throws a Problem.
   */
  begin(asked: InnerRequest, outer: OuterRequest, resolve?: ResolveRequest): InnerCall {
    return new InnerCall(this.#table, this.#parts, asked, outer, resolve)
  }
}
