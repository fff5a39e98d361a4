// All events that the log and the metrics consume, as one union. Of client input, an observation contains only the path
// of the request: no filter, no content, no message that repeats either.
import type { IncomingHttpHeaders } from 'node:http'

export type Observation =
  | { kind: 'listening'; address: string }
  /** Clients of the demo, whose secrets are public. */
  | { kind: 'published-secrets'; clients: string }
  /** Trusted issuers whose tokens may name every user that is not bound to an issuer. */
  | { kind: 'unbound-issuers'; issuers: string }
  /** Clients, users and roles that a setup applied at start does not have. */
  | { kind: 'kept-though-not-in-file'; items: string }
  /** Clients with a secret that ends soon, and when. */
  | { kind: 'secrets-end-soon'; clients: string }
  /** There is no company, so every request is rejected. */
  | { kind: 'no-company'; remedy: string }
  | { kind: 'package-missing'; package: string; remedy: string }
  | { kind: 'stopping'; signal: string }
  | { kind: 'stopped' }
  | { kind: 'setup-applied'; file: string; created: number; changed: number; removed: number; values: number }
  | { kind: 'backup-begun'; userId: string; requestId: string }
  /** The setup is administered in the console, so a start does not apply its file. */
  | { kind: 'setup-left-alone'; file: string; changedBy: string; changedAt: string }
  | { kind: 'indexes-changed'; created: number; dropped: number; ms: number }
  | {
      kind: 'slow-query'
      document: string
      /** With a question mark in place of each value. */
      filter?: string
      orderBy?: string
      groupBy?: string
      /** The properties that functions read of each record of a group. */
      aggregated?: string
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
      reason: string
    }
  | {
      kind: 'access-refused'
      requestId: string
      method: string
      path: string
      /** Who has asked. */
      userId: string
      clientId: string
      /** The client that an administrator saw as. */
      actedAs?: string | undefined
      /** The default company of the caller, or of the client that was seen as: not the requested one. */
      companyId: string
    }
  /** An administrator reads records of the company as this client sees them. */
  | { kind: 'acting'; requestId: string; userId: string; clientId: string; actedAs: string; companyId: string }
  /** A streak from an address; `client` is absent where there is no such client. `count`: until now. */
  | { kind: 'wrong-secrets'; client: string | undefined; address: string; count: number }
  /** `leftOut`: rejections not logged since the last one; `bound`: the limit of one address, or that of all. */
  | { kind: 'connection-refused'; address: string; bound: 'address' | 'all'; leftOut: number }
  | { kind: 'request-failed'; requestId: string; method: string; path: string; error: unknown }
  | { kind: 'answer-broken'; requestId: string; method: string; path: string; reason: string }
  | { kind: 'store-failed'; error: unknown }
  | { kind: 'crashed'; error: unknown }
  | { kind: 'store-warning'; message: string }
  /** Reads go to the replica again. */
  | { kind: 'replica-used' }
  /** Until it has recovered. */
  | { kind: 'replica-left'; reason: string }
  | { kind: 'database-check-begun' }
  | { kind: 'database-checked'; seconds: number }
  | { kind: 'database-damaged'; faults: number; first: string }
  | { kind: 'keys-rotated'; keyId: string }
  | { kind: 'text-read'; companyId: string }
  | { kind: 'text-not-read'; companyId: string; reason: string }
  | { kind: 'thumbnail-answered'; how: 'made' | 'kept' | 'icon' | 'given-up' }
  /** By the service: webhooks are not delivered until somebody resumes it. The subscription tells the reason. */
  | { kind: 'subscription-paused'; companyId: string; subscriptionId: string }
  /** A defect: it is tried again. */
  | { kind: 'delivery-failed'; companyId: string; subscriptionId: string; error: unknown }
  /** By itself or by the service: the operation tells the rest. */
  | { kind: 'batch-operation-ended'; companyId: string; operationId: string; state: string }
  /** A defect: the operation has ended. */
  | { kind: 'batch-operation-failed'; companyId: string; operationId: string; error: unknown }
  /** The source of a mirror does not give what was asked for; told once. */
  | { kind: 'mirror-problem'; companyId: string; document: string; problem: string }
  | { kind: 'mirror-failed'; companyId: string; document: string; error: unknown }
  | { kind: 'traces-not-sent'; spans: number }

/** A request that has been answered or given up, for the access log. Nothing of it holds what the caller has sent. */
export interface EndedRequest {
  /** The caller; absent: it is not known who has asked. */
  readonly client: string | undefined
  readonly user: string | undefined
  /** The client that an administrator saw as. */
  readonly actedAs?: string | undefined
  /** The company that the request acted in. */
  readonly company: string | undefined
  readonly method: string
  /** As declared. */
  readonly route: string
  /** 0: the client disconnected before the end of the response. */
  readonly status: number
  /** The code of the error, and why. */
  readonly code: number | undefined
  readonly reason: string | undefined
  /** Sent on the connection. */
  readonly bytes: number
  readonly ms: number
  readonly address: string
  readonly requestId: string
}

/** `told`: what the caller was told when the request was refused, with names at most of what was sent. */
export type LogRequest = (request: EndedRequest, told?: () => string | undefined) => void

export type Observe = (observation: Observation) => void

/** Passes every observation to several observers. */
export function fanOut(...observers: readonly Observe[]): Observe {
  return (observation) => {
    for (const observe of observers) observe(observation)
  }
}

interface TracedRequest {
  readonly method: string
  /** As declared; undefined if no route matches the request. */
  readonly route: string | undefined
  readonly requestId: string
  /** They may name the client's own trace (W3C Trace Context). */
  readonly headers: IncomingHttpHeaders
}

export interface RequestSpan {
  /** Runs the work, and everything asynchronous that it starts, inside the span. */
  run<T>(work: () => T): T
  /** `status` is undefined if the client disconnected before the response was complete. */
  end(status: number | undefined): void
}

export interface Traces {
  startRequest(request: TracedRequest): RequestSpan
  /** Runs the work in a child span of the current request's, or without a span outside of a request. */
  span<T>(name: string, work: () => Promise<T>): Promise<T>
  /** The same function, tied to the current request whenever it is called. */
  bound<A extends unknown[], R>(work: (...args: A) => R): (...args: A) => R
  /** Sends the spans that are still buffered. */
  close(): Promise<void>
}
