// Carries the caller and the cache key found ahead of Fastify on the request, so that they are determined only once.
import type { IncomingMessage } from 'node:http'
import type { Caller } from '../../access/caller.ts'

export interface EarlyLookup {
  readonly caller: Caller
  /** The cache key of its response. */
  readonly key: string
}

const LOOKUP = Symbol('early lookup')
type Request = IncomingMessage & { [LOOKUP]?: EarlyLookup }

export function rememberLookup(request: IncomingMessage, lookup: EarlyLookup): void {
  ;(request as Request)[LOOKUP] = lookup
}

/** Undefined unless the request was a plain read by a known caller. */
export function earlyLookupOf(request: IncomingMessage): EarlyLookup | undefined {
  return (request as Request)[LOOKUP]
}
