// Requests within a request, such as the operations of a batch. Each goes the way of a request of its own: limits,
// permission, handler, metrics and log. Only the connection and the caller are those of the request around it.

import { InnerCall } from './inner-call.ts'
import type { InnerParts, InnerRequest, OuterRequest, ResolveRequest } from './inner-request.ts'
import type { RouteLookup } from './route/route-lookup.ts'

export type InnerRequests = ReturnType<typeof innerRequests>

export function innerRequests(table: RouteLookup, parts: InnerParts) {
  return {
    /** Makes sure that as many requests as the client may send need not wait for the other processes. */
    reserve: async (clientId: string, count: number): Promise<void> => parts.limiter?.reserve(clientId, count),

    /**
     * Takes the request, up to the decision whether the caller may send it. Never throws: the answer tells. `resolve`
     * gives what is not known before, or throws a Problem.
     */
    begin: (requested: InnerRequest, outer: OuterRequest, resolve?: ResolveRequest) =>
      new InnerCall(table, parts, requested, outer, resolve),
  }
}
