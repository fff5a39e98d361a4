// What the application is built from, and what building it gives.
import type { KeyRing } from '../access/keys.ts'
import type { Tokens } from '../access/tokens.ts'
import type { Clock } from '../base/clock.ts'
import type { BatchOperations } from '../batch-operations/batch-operations.ts'
import type { StoreSettings } from '../databases/driver.ts'
import type { Staging } from '../files/staging.ts'
import type { ConnectionBounds } from '../http/connections.ts'
import type { Faults } from '../http/faulty-front.ts'
import type { RateLimits } from '../http/pipeline/rate-limiter.ts'
import type { Router } from '../http/router.ts'
import type { Server } from '../http/server.ts'
import type { ServerFactory } from '../mcp/mcp-server.ts'
import type { Mirrors } from '../mirror/mirrors.ts'
import type { MetricRows } from '../observe/metrics.ts'
import type { LogRequest, Observe } from '../observe/observation.ts'
import type { DocumentService } from '../records/documents/document-service.ts'
import type { TextIndexer } from '../records/documents/text-indexer.ts'
import type { OfferedPerson } from '../sessions/routes.ts'
import type { SetupReport } from '../setup/apply/apply-setup.ts'
import type { ActiveIndexes } from '../setup/items/active-indexes.ts'
import type { ActingLog } from '../store/audit/acting-log.ts'
import type { AgentCallLog } from '../store/audit/agent-call-log.ts'
import type { DeniedAccessLog } from '../store/audit/denied-access-log.ts'
import type { SlowQueryWriter } from '../store/service-state/slow-query-store.ts'
import type { WebhookDeliveries } from '../subscriptions/delivery/webhook-deliveries.ts'
import type { ListenAddress } from './listening.ts'
import type { WebhookSettings } from './setup/setup-task.ts'

export interface ApplicationSettings extends Omit<StoreSettings, 'clock'>, WebhookSettings {
  /** File of a JWK set of the administrator. Default: generated keys in the data folder. */
  readonly keys?: string | undefined
  /** A setup file to apply before the first request. */
  readonly setup?: string | undefined
  /** Variables that the setup and the export of traces read. Default: those of the process. */
  readonly environment?: NodeJS.ProcessEnv
  readonly basePath: string
  /**
   * Whether this process does what one of several does for all: it builds the indexes that a setup declares, and
   * deletes what has expired. Default: it does.
   */
  readonly looksAfter?: boolean
  /** The URL of a replica that reads of requests go to. Default: none. */
  readonly readDatabase?: string | undefined
  /** Where file contents are stored: a folder or `s3://bucket/prefix`. Default: in the data folder. */
  readonly files?: string | undefined
  /** The folder in which administrators take backups. Default: they take none. */
  readonly backups?: string | undefined
  /** Whether the thumbnail of a PDF shows its first page instead of an icon. */
  readonly rendersPdf?: boolean
  /** How long rendering a thumbnail may take before an icon replaces it. */
  readonly thumbnailMs?: number | undefined
  /** Limits for each client. Default: none. */
  readonly rateLimits?: RateLimits | undefined
  /** How many connections may be open. Default: `CONNECTION_BOUNDS`. */
  readonly connectionBounds?: ConnectionBounds | undefined
  /** Addresses and networks of proxies whose `X-Forwarded-For` is believed. Default: none. */
  readonly trustedProxies?: readonly string[] | undefined
  /** Origins whose pages may call the service, such as `https://app.example.com`. Default: none. */
  readonly allowedOrigins?: readonly string[] | undefined
  /** How long a request may wait in the admission queue before it is rejected. Default: without limit. */
  readonly overloadDelayMs?: number | undefined
  /** Gathers the figures of all processes, given those of this one; absent: there are no others. */
  readonly gatherMetrics?: ((own: () => Promise<MetricRows>) => () => Promise<readonly MetricRows[]>) | undefined
  /** How much the agents of each client may ask for. Default: `AGENT_LIMITS`. */
  readonly agentLimits?: RateLimits | undefined
  /** Serves something else than the tools of agents, for tests of the protocol. */
  readonly agentServer?: ServerFactory | undefined
  /** Whom the page to sign in offers: for a demo. */
  readonly offeredPerson?: OfferedPerson | undefined
  /** How long refused access and calls of agents wait before they are written to the journal. */
  readonly deniedAccessDelayMs?: number | undefined
  /** How badly it behaves: for a demo. */
  readonly faults?: Faults | undefined
  readonly observe: Observe
  /** Default: requests are not logged. */
  readonly logRequest?: LogRequest | undefined
  readonly lostLogLines?: (() => number) | undefined
  readonly clock?: Clock
  /** How mirrors wait, in milliseconds of the clock; rejects when the signal is aborted. Default: a timer. */
  readonly sleep?: (ms: number, signal?: AbortSignal) => Promise<void>
  /** The monotonic clock, in milliseconds, by which addresses are limited. Default: that of the process. */
  readonly elapsedMs?: () => number
  /** Between two secrets of a client that is locked out. Default: five seconds. */
  readonly secretPaceMs?: number
  /** Generates the ids of documents: GUIDs in lower case. */
  readonly newId?: () => string
}

export interface Application {
  readonly server: Server
  readonly router: Router
  readonly service: DocumentService
  /** Receives uploaded file contents. */
  readonly intake: Staging
  readonly texts: TextIndexer
  readonly tokens: Tokens
  /** For the tools of agents. */
  readonly agentTokens: Tokens
  readonly keys: KeyRing
  readonly deniedAccess: DeniedAccessLog
  readonly agentCalls: AgentCallLog
  readonly acting: ActingLog
  readonly indexes: ActiveIndexes
  readonly deliveries: WebhookDeliveries
  readonly operations: BatchOperations
  readonly mirrors: Mirrors
  readonly slowQueries: SlowQueryWriter
  readonly setupReport: SetupReport | undefined
  /** From now on a setup waits until it is in force here. Must come before the first request. */
  enterService(): Promise<void>
  /**
   * Ends what has begun, after `graceMs` in which requests are still served, then closes the store. Asked again, it
   * waits no longer.
   */
  stop(graceMs: number): Promise<void>
}

export interface RunningApplication extends Application {
  /** `http://HOST:PORT` followed by the base path. */
  readonly address: string
}

export interface StartSettings extends ApplicationSettings, ListenAddress {
  /** Work on the records before the first request. */
  readonly prepare?: (application: Application) => Promise<void>
}
