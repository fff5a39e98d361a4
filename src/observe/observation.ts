// Everything worth noticing, as one union: the log and the metrics are readers of it. No value that a caller has sent stands
// in it but the path of a request: not a filter, not a content, not a message that repeats one.

export type Observation =
  | { kind: 'listening'; address: string }
  /** Of the demo: everybody can read them. */
  | { kind: 'published-secrets'; clients: string }
  /** Of the setup: their tokens may name every user that is bound to none. */
  | { kind: 'unbound-issuers'; issuers: string }
  /** Every request is refused. */
  | { kind: 'no-company'; remedy: string }
  | { kind: 'stopping'; signal: string }
  | { kind: 'stopped' }
  | { kind: 'setup-applied'; file: string; created: number; changed: number; values: number }
  | { kind: 'indexes-changed'; created: number; dropped: number; ms: number }
  | {
      kind: 'slow-query'
      document: string
      /** With a question mark for each value. */
      filter?: string
      orderBy?: string
      isCount?: true
      ms: number
    }
  | { kind: 'rules-reloaded'; companies: number }
  | {
      kind: 'request-refused'
      requestId: string
      method: string
      path: string
      status: number
      code: number
      reason?: string
    }
  | {
      kind: 'access-refused'
      requestId: string
      method: string
      path: string
      userId: string
      clientId: string
      /** Where the caller belongs; not the company that was asked for. */
      companyId: string
    }
  /** With how many refusals were left out before it; `bound`: of one address, or of all. */
  | { kind: 'connection-refused'; address: string; bound: 'address' | 'all'; leftOut: number }
  | { kind: 'request-failed'; requestId: string; method: string; path: string; error: unknown }
  | { kind: 'answer-broken'; requestId: string; method: string; path: string; reason: string }
  | { kind: 'store-failed'; error: unknown }
  | { kind: 'crashed'; error: unknown }
  | { kind: 'store-warning'; message: string }
  | { kind: 'database-check-begun' }
  | { kind: 'database-checked'; seconds: number }
  | { kind: 'database-damaged'; faults: number; first: string }
  | { kind: 'keys-rotated'; keyId: string }
  | { kind: 'text-read'; companyId: string }
  | { kind: 'text-not-read'; companyId: string; reason: string }
  | { kind: 'thumbnail-answered'; how: 'made' | 'kept' | 'icon' | 'given-up' }
  | { kind: 'traces-not-sent'; spans: number }

export type Observe = (observation: Observation) => void

/** Tells several readers. */
export function tellAll(...readers: readonly Observe[]): Observe {
  return (observation) => {
    for (const read of readers) read(observation)
  }
}
