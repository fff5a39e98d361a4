// The composition root: creates all parts, passes them their dependencies, and registers the routes of each module.
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { AddressLimits } from './access/address-limits.ts'
import { Directory } from './access/directory.ts'
import { KeyRing } from './access/keys.ts'
import { ClientSecrets } from './access/secrets/client-secrets.ts'
import { Tokens } from './access/tokens.ts'
import { builtInDocuments } from './app/built-in-documents.ts'
import { CONNECTIONS_PER_ADDRESS, RESPONSE_CACHE_BYTES } from './app/defaults.ts'
import { watchIntegrity, watchTransfers } from './app/gauges.ts'
import { gracefulStop } from './app/graceful-stop.ts'
import { type ListenAddress, listen } from './app/listening.ts'
import { findersIn, setupTask } from './app/setup-task.ts'
import { watchKeys } from './app/watch-keys.ts'
import { watchQuotas } from './app/watch-quotas.ts'
import { type Clock, systemClock } from './base/clock.ts'
import { PROGRAM_VERSION } from './base/process/program-version.ts'
import type { Staging } from './files/staging.ts'
import { openFileStore } from './files/stores/open-file-store.ts'
import { mayHoldText } from './files/text/text-types.ts'
import { ThumbnailMaker } from './files/thumbnails/thumbnail-maker.ts'
import { transferMemory } from './files/transfer-memory.ts'
import { watchedFiles, watchedStaging } from './files/watch-files.ts'
import { ResponseCache } from './http/cache/response-cache.ts'
import { Connections } from './http/connections.ts'
import { descriptionRoutes } from './http/openapi/routes.ts'
import { EventLoopQueue } from './http/pipeline/event-loop-queue.ts'
import type { Lifecycle } from './http/pipeline/parts.ts'
import { RateLimiter, type RateLimits } from './http/pipeline/rate-limiter.ts'
import { Pipeline } from './http/pipeline.ts'
import { Router } from './http/router.ts'
import { createServer, type Server } from './http/server.ts'
import { landingRoutes } from './http/system/landing.ts'
import { healthRoutes, metricsRoute } from './http/system/probes.ts'
import { tokenRoutes } from './http/system/token.ts'
import type { DocumentDefinition } from './model/document.ts'
import { CustomDocuments } from './objects/custom-documents.ts'
import { withExtension } from './objects/enterprise-document.ts'
import { customEndpoints, objectRoutes } from './objects/routes.ts'
import { type MetricRows, Metrics, textOfAll } from './observe/metrics.ts'
import { fanOut, type Observe } from './observe/observation.ts'
import { openTraces } from './observe/traces.ts'
import { attributeRelationRoutes } from './records/attribute-relations/routes.ts'
import { attributeValueRoutes } from './records/attribute-values/routes.ts'
import { customerRoutes } from './records/customers/routes.ts'
import { fileRoutes } from './records/documents/content/routes.ts'
import { documentRoutes } from './records/documents/document/routes.ts'
import type { DocumentService } from './records/documents/document-service.ts'
import { revisionRoutes } from './records/documents/revisions/routes.ts'
import { TextIndexer } from './records/documents/search/text-indexer.ts'
import { applySetup, type SetupReport } from './setup/apply/apply-setup.ts'
import { ActiveIndexes } from './setup/rules/active-indexes.ts'
import { ActiveRules } from './setup/rules/active-rules.ts'
import { Companies } from './setup/rules/companies.ts'
import type { StoreSettings } from './store/dialects/driver.ts'
import { DeniedAccessLog } from './store/journal/denied-access-log.ts'
import { openStore, QUERY_TIMEOUT_MS } from './store/open-store.ts'
import { SlowQueryWriter } from './store/service-state/slow-query-store.ts'
import { clientUsage } from './store/service-state/usage-store.ts'
import { tracedStore } from './store/traced-store.ts'

export interface ApplicationSettings extends Omit<StoreSettings, 'clock'> {
  /** File of a JWK set of the administrator. Default: generated keys in the data folder. */
  readonly keys?: string | undefined
  /** A setup file to apply before the first request. */
  readonly setup?: string | undefined
  readonly basePath: string
  /** Where file contents are stored: a folder or `s3://bucket/prefix`. Default: in the data folder. */
  readonly files?: string | undefined
  /** Whether the thumbnail of a PDF shows its first page instead of an icon. */
  readonly rendersPdf?: boolean
  /** How long rendering a thumbnail may take before an icon replaces it. */
  readonly thumbnailMs?: number | undefined
  /** Limits for each client. Default: none. */
  readonly rateLimits?: RateLimits | undefined
  /** Maximum number of open connections per address. */
  readonly connectionsPerAddress?: number | undefined
  /** How long a request may wait in the admission queue before it is rejected. Default: without limit. */
  readonly overloadDelayMs?: number | undefined
  /**
   * With the figures of this process, a way to ask for those of all that serve beside it; absent: there are no others.
   */
  readonly gatherMetrics?: ((own: () => Promise<MetricRows>) => () => Promise<readonly MetricRows[]>) | undefined
  /** Memory for answers that are given again, in bytes; 0: each is made anew. */
  readonly responseCacheBytes?: number | undefined
  /** How long refused access waits before it is written to the journal. */
  readonly deniedAccessDelayMs?: number | undefined
  readonly observe: Observe
  readonly clock?: Clock
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
  readonly keys: KeyRing
  readonly deniedAccess: DeniedAccessLog
  readonly indexes: ActiveIndexes
  readonly slowQueries: SlowQueryWriter
  readonly setupReport: SetupReport | undefined
  /**
   * Ends what has begun, after `graceMs` in which requests are still served, then closes the store. Asked again, it
   * waits no longer.
   */
  stop(graceMs: number): Promise<void>
}

/** Added to the query timeout, so that a query times out before the request that waits for it. */
const REQUEST_OVERHEAD_MS = 10_000
/** Memory for file contents in transfer, shared by all callers. */
const TRANSFER_BYTES = 128 * 1024 * 1024

/** Opens the store, applies the setup, and builds the server. Does not listen yet. */
export async function buildApplication(settings: ApplicationSettings): Promise<Application> {
  // Open database sessions would keep the process alive although it failed to start.
  await using resources = new AsyncDisposableStack()
  const { lifecycle, ...application } = await build(settings, resources)
  return { ...application, stop: gracefulStop(application.server, lifecycle, resources.move()) }
}

/** `resources` are disposed of in reverse order, also when building fails. */
async function build(settings: ApplicationSettings, resources: AsyncDisposableStack) {
  const { clock = systemClock, newId = randomUUID } = settings
  const metrics = new Metrics()
  const observe = fanOut(settings.observe, metrics.observe)
  const traces = await openTraces(process.env, observe)
  resources.defer(() => traces?.close())
  const opened = await openStore({ ...settings, observe, clock, metrics: metrics.store })
  resources.defer(() => opened.close())
  const store = traces ? tracedStore(opened, traces) : opened
  const slowQueries = new SlowQueryWriter(store, clock)
  resources.defer(() => slowQueries.stop())
  const companies = new Companies()
  const directory = new Directory()
  const builtIn = builtInDocuments(clock)
  const { findCommon } = findersIn(builtIn)
  const indexes = new ActiveIndexes({ store, findCommon, observe, builds: settings.isWorker !== true })
  resources.defer(() => indexes.stop())
  const addIndexes = (definition: DocumentDefinition) => indexes.withIndexes(definition)
  const documents = new CustomDocuments(store, addIndexes)
  const { responseCacheBytes = RESPONSE_CACHE_BYTES, connectionsPerAddress = CONNECTIONS_PER_ADDRESS } = settings
  const responseCache = new ResponseCache(responseCacheBytes, PROGRAM_VERSION, metrics.responses)
  const onReplaced = (version: number) => responseCache.invalidate(version)
  const rules = new ActiveRules({ store, companies, directory, documents, indexes, observe, onReplaced })
  resources.defer(() => rules.stop())
  const setupReport =
    settings.setup === undefined ? undefined : await applySetup(setupTask(store, settings.setup, observe))
  await rules.load()
  const { unboundIssuers } = directory
  if (unboundIssuers.length > 0 && !settings.isWorker) {
    observe({ kind: 'unbound-issuers', issuers: unboundIssuers.join(', ') })
  }

  const keys = settings.keys
    ? KeyRing.provided(settings.keys, clock)
    : await KeyRing.managed(join(settings.data, 'keys.json'), clock)
  const tokens = new Tokens(keys, directory, clock)
  const addressLimits = new AddressLimits()
  const secrets = new ClientSecrets(directory, clientUsage(store), addressLimits)
  resources.defer(() => secrets.close())
  const identity = { tokens, secrets, directory, addressLimits }
  const lifecycle: Lifecycle = { state: 'serving' }
  const limiter = settings.rateLimits && new RateLimiter(settings.rateLimits, clientUsage(store))
  resources.defer(() => limiter?.stop())
  const admission = settings.overloadDelayMs === undefined ? undefined : new EventLoopQueue(settings.overloadDelayMs)
  const deniedAccess = new DeniedAccessLog({ store, clock, observe, writeAfterMs: settings.deniedAccessDelayMs })
  resources.defer(() => deniedAccess.stop())
  const connections = new Connections(metrics.connections, observe, connectionsPerAddress)
  const { store: fileStore, staging } = await openFileStore({ files: settings.files, data: settings.data })
  resources.defer(() => fileStore.close())
  const files = watchedFiles(fileStore, metrics.files, traces)
  const intake = watchedStaging(staging, metrics.files, traces)
  const memory = transferMemory(TRANSFER_BYTES)
  const pipeline = new Pipeline({
    identity,
    lifecycle,
    observe: fanOut(observe, logDeniedAccess(deniedAccess, companies)),
    basePath: settings.basePath,
    metrics: metrics.requests,
    connections,
    traces,
    limiter,
    admission,
    responseCache,
    deadlineMs: (settings.queryTimeoutMs ?? QUERY_TIMEOUT_MS) + REQUEST_OVERHEAD_MS,
    files: { staging: intake, memory },
  })
  const server = await createServer(pipeline)
  watchTransfers(memory, TRANSFER_BYTES, metrics)
  watchIntegrity(store, metrics)
  resources.defer(watchQuotas({ store, companies, metrics, observe }))
  const router = new Router(server, settings.basePath, pipeline)
  const texts = new TextIndexer({ store, companies, files, observe })
  resources.defer(() => texts.stop())
  const thumbnails = new ThumbnailMaker({
    rendersPdf: settings.rendersPdf ?? false,
    observe,
    timeoutMs: settings.thumbnailMs,
  })
  resources.defer(() => thumbnails.close())
  const queues = { 'event-loop': admission, requests: pipeline.inFlight, transfers: memory, secrets, thumbnails }
  for (const [name, queue] of Object.entries(queues)) if (queue) metrics.store.queues.add(name, queue)
  const service: DocumentService = {
    store,
    companies,
    observe,
    clock,
    newId,
    files,
    thumbnails,
    budget: memory,
    onFileAdded: (companyId, mimeType) => {
      if (mayHoldText(mimeType)) texts.wake(companyId)
    },
  }

  attributeValueRoutes(router, { ...service, withIndexes: addIndexes })
  attributeRelationRoutes(router, service)

  customerRoutes(router, service)
  documentRoutes(router, service)
  revisionRoutes(router, service)
  fileRoutes(router, service)
  const served = builtIn.map((document) => withExtension(document, addIndexes))
  objectRoutes(router, service, served, documents)

  await tokenRoutes(server, settings.basePath, identity, keys)
  healthRoutes(router, lifecycle, store)
  const gather = settings.gatherMetrics?.(() => metrics.rows())
  metricsRoute(router, identity, async () => (gather ? textOfAll(await gather()) : metrics.text()))
  descriptionRoutes(router, settings.basePath, () => ({
    version: documents.version,
    routes: customEndpoints(documents),
  }))
  landingRoutes(router, settings.basePath)
  rules.watch()
  texts.start()
  resources.defer(watchKeys(keys, settings.keys === undefined, observe))
  await server.ready()

  return {
    server,
    router,
    service,
    intake,
    texts,
    tokens,
    keys,
    deniedAccess,
    indexes,
    slowQueries,
    setupReport,
    lifecycle,
  }
}

/** Denied access goes to the journal of the caller's company, because no other company may learn of it. */
function logDeniedAccess(deniedAccess: DeniedAccessLog, companies: Companies): Observe {
  return (observation) => {
    if (observation.kind !== 'access-refused') return
    const companyId = companies.find(observation.companyId)?.id ?? ''
    deniedAccess.add({ ...observation, companyId })
  }
}

export interface RunningApplication extends Application {
  /** `http://HOST:PORT` followed by the base path. */
  readonly address: string
}

export interface StartSettings extends ApplicationSettings, ListenAddress {
  /** Work on the records before the first request. */
  readonly prepare?: (application: Application) => Promise<void>
}

/** Builds the application and listens. */
export async function startApplication(settings: StartSettings): Promise<RunningApplication> {
  const application = await buildApplication(settings)
  try {
    await settings.prepare?.(application)
    const origin = await listen(application.server, settings)
    application.indexes.start()
    return { ...application, address: origin + settings.basePath }
  } catch (error) {
    await application.stop(0)
    throw error
  }
}
