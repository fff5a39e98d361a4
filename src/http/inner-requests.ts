// Requests within a request, such as the operations of a batch. Each goes the way of a request of its own: limits,
// permission, handler, metrics and log. Only the connection and the caller are those of the request around it.

import { InnerCall } from './inner-call.ts'
import type { InnerParts, InnerRequest, OuterRequest, ResolveRequest } from './inner-request.ts'
import type { RouteLookup } from './route/route-lookup.ts'

export class InnerRequests {
  readonly #table: RouteLookup
  readonly #parts: InnerParts

  constructor(table: RouteLookup, parts: InnerParts) {
    this.#table = table
    this.#parts = parts
  }

  /** Makes sure that as many requests as the client may send need not wait for the other processes. */
  async reserve(clientId: string, count: number): Promise<void> {
    await this.#parts.limiter?.reserve(clientId, count)
  }

  /**
   * Takes the request, up to the decision whether the caller may send it. Never throws: the answer tells. `resolve`
   * gives what is not known before, or throws a Problem.
   */
  begin(requested: InnerRequest, outer: OuterRequest, resolve?: ResolveRequest): InnerCall {
    return new InnerCall(this.#table, this.#parts, requested, outer, resolve)
  }
}
