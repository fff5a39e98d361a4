// What the pipeline of a request is made of.

import type { ClientMetrics } from '../observe/client-metrics.ts'
import type { RequestMetrics } from '../observe/metrics.ts'
import type { LogRequest, Observe, Traces } from '../observe/observation.ts'
import type { FileBodySettings } from './body/upload.ts'
import type { Connections } from './connections.ts'
import type { Front } from './faulty-front.ts'
import type { Identity } from './pipeline/authenticate.ts'
import type { CrossOrigin } from './pipeline/cross-origin.ts'
import type { EventLoopQueue } from './pipeline/event-loop-queue.ts'
import type { RateLimiter } from './pipeline/rate-limiter.ts'
import type { ResponseCache } from './route/response-cache.ts'

/** `draining`: still serves, but closes each connection after its response; `closing`: rejects requests with 503. */
export interface Lifecycle {
  state: 'serving' | 'draining' | 'closing'
}

/**
 * Runs the reads of a request, which must have the change with the number `least`. Returns the number of the last
 * change that the answer has at least; undefined when nothing of a company was read.
 */
type ReadByReplica = <T>(
  least: number,
  work: () => T | Promise<T>,
) => Promise<{ readonly answer: T; readonly changeNumber: number | undefined }>

export interface PipelineParts {
  readonly identity: Identity
  /** Routes for agents have this one: tokens of their own open them. */
  readonly agents: Identity
  readonly lifecycle: Lifecycle
  readonly observe: Observe
  readonly basePath: string
  readonly metrics: RequestMetrics
  readonly clients: ClientMetrics
  /** Absent: requests are not logged. */
  readonly logRequest?: LogRequest | undefined
  readonly connections: Connections
  /** Absent: every request begins with the pipeline. */
  readonly front?: Front | undefined
  readonly traces: Traces | undefined
  /** Absent: pages of other origins can read nothing. */
  readonly crossOrigin?: CrossOrigin | undefined
  /** Absent: no limit. */
  readonly limiter?: RateLimiter | undefined
  readonly admission?: EventLoopQueue | undefined
  readonly responseCache: ResponseCache
  /** Lets a replica answer what a request reads; absent: there is none. */
  readonly read?: ReadByReplica | undefined
  /** A request without a response by then is aborted with 503. */
  readonly deadlineMs: number
  readonly files: FileBodySettings
  /** Brings the setup that was applied last into force. */
  loadRules(): Promise<void>
}
