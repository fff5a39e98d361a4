// The composition root: creates all parts, passes them their dependencies, and registers the routes of each module.
import { randomUUID } from 'node:crypto'
import { Directory } from '../access/directory.ts'
import { systemClock } from '../base/clock.ts'
import { PROGRAM_VERSION } from '../base/process/program-version.ts'
import { batchQueue } from '../batch/routes.ts'
import { STATES } from '../batch-operations/batch-operation.ts'
import { BatchOperations } from '../batch-operations/batch-operations.ts'
import { jobRoutes } from '../batch-operations/routes.ts'
import { ChangeService } from '../changes/feed/change-service.ts'
import { ChangeFeed } from '../changes/feed/feed.ts'
import { changeRoutes } from '../changes/feed/routes.ts'
import { LongWork } from '../changes/long-work.ts'
import { Past } from '../changes/past/past.ts'
import { QUERY_TIMEOUT_MS } from '../databases/open/open-store.ts'
import { ThumbnailMaker } from '../files/processes/thumbnail-maker.ts'
import { openFileStore } from '../files/stores/open-file-store.ts'
import { mayHoldText } from '../files/text/text-types.ts'
import { transferMemory } from '../files/transfer-memory.ts'
import { watchedFiles, watchedStaging } from '../files/watch-files.ts'
import { Connections } from '../http/connections.ts'
import type { Lifecycle, PipelineParts } from '../http/parts.ts'
import { CrossOrigin } from '../http/pipeline/cross-origin.ts'
import { EventLoopQueue } from '../http/pipeline/event-loop-queue.ts'
import { RateLimiter } from '../http/pipeline/rate-limiter.ts'
import { Pipeline } from '../http/pipeline.ts'
import { ResponseCache } from '../http/route/response-cache.ts'
import { Router } from '../http/router.ts'
import { createServer } from '../http/server.ts'
import { AGENT_LIMITS, agentBudget } from '../mcp/agent-budget.ts'
import type { DocumentDefinition } from '../model/document.ts'
import { CustomDocuments } from '../objects/custom-documents.ts'
import { withExtension } from '../objects/enterprise-document.ts'
import { DeliveryMetrics } from '../observe/delivery-metrics.ts'
import { JobMetrics } from '../observe/job-metrics.ts'
import { Metrics } from '../observe/metrics.ts'
import { fanOut } from '../observe/observation.ts'
import { RecentRequests } from '../observe/recent-requests.ts'
import { openTraces } from '../observe/traces.ts'
import type { DocumentService } from '../records/documents/document-service.ts'
import { TextIndexer } from '../records/documents/text-indexer.ts'
import { customerDocument } from '../records/kinds/customer-document.ts'
import { SessionStore } from '../sessions/session-store.ts'
import { PersonSessions } from '../sessions/sessions.ts'
import { applySetup } from '../setup/apply/apply-setup.ts'
import { ActiveIndexes } from '../setup/items/active-indexes.ts'
import { ActiveRules } from '../setup/items/active-rules.ts'
import { Companies } from '../setup/rules/companies.ts'
import { ActingLog } from '../store/audit/acting-log.ts'
import { AgentCallLog } from '../store/audit/agent-call-log.ts'
import { DeniedAccessLog } from '../store/audit/denied-access-log.ts'
import { SlowQueryWriter } from '../store/service-state/slow-query-store.ts'
import { clientUsage } from '../store/service-state/usage-store.ts'
import type { Store } from '../store/store.ts'
import { subscriptionActionRoutes } from '../subscriptions/actions/routes.ts'
import { AddressGuard } from '../subscriptions/address-guard.ts'
import { ATTEMPT_OUTCOMES } from '../subscriptions/attempt-outcome.ts'
import { WebhookDeliveries } from '../subscriptions/delivery/webhook-deliveries.ts'
import { subscriptionRoutes } from '../subscriptions/routes.ts'
import type { SubscriptionService } from '../subscriptions/subscription-service.ts'
import { WebhookSender } from '../subscriptions/webhook-sender.ts'
import type { Application, ApplicationSettings, RunningApplication, StartSettings } from './application.ts'
import { releaseEndedLeases } from './ended-leases.ts'
import { gracefulStop } from './graceful-stop.ts'
import { openIdentity, openKeys } from './identity.ts'
import { listen } from './listening.ts'
import { openParquet } from './open-parquet.ts'
import { openStores } from './open-stores.ts'
import { recordRoutes } from './record-routes.ts'
import { serveAgents } from './serve-agents.ts'
import { serveBatches } from './serve-batches.ts'
import { ServingProcess } from './serving-process.ts'
import { builtInDocuments } from './setup/built-in-documents.ts'
import { ownDocuments } from './setup/own-documents.ts'
import { findersIn, setupTask } from './setup/setup-task.ts'
import { systemRoutes } from './system-routes.ts'
import { declareGauges } from './watch/gauges.ts'
import { logActing, logDeniedAccess, warnOfAccess } from './watch/log-access.ts'
import { watchKeys } from './watch/watch-keys.ts'
import { watchLifeCycle } from './watch/watch-life-cycle.ts'
import { watchQuotas, watchSizes } from './watch/watch-sizes.ts'

/** Added to the query timeout, so that a query times out before the request that waits for it. */
const REQUEST_OVERHEAD_MS = 10_000
/** Memory for file contents in transfer, shared by all callers. */
const TRANSFER_BYTES = 128 * 1024 * 1024

/** Opens the store, applies the setup, and builds the server. Does not listen yet. */
export async function buildApplication(settings: ApplicationSettings): Promise<Application> {
  // Open database sessions would keep the process alive although it failed to start.
  await using resources = new AsyncDisposableStack()
  const { lifecycle, endWaits, ...application } = await build(settings, resources)
  return { ...application, stop: gracefulStop(application.server, lifecycle, endWaits, resources.move()) }
}

/** `resources` are disposed of in reverse order, also when building fails. */
async function build(settings: ApplicationSettings, resources: AsyncDisposableStack) {
  const { clock = systemClock, newId = randomUUID, environment = process.env, webhookNetworks } = settings
  const metrics = new Metrics()
  const observe = fanOut(settings.observe, metrics.observe)
  const traces = await openTraces(environment, observe)
  resources.defer(() => traces?.close())
  const { store, records, read } = await openStores(settings, { observe, clock, metrics, traces }, resources)
  const slowQueries = new SlowQueryWriter(store, clock)
  resources.defer(() => slowQueries.stop())
  const companies = new Companies()
  const directory = new Directory()
  const builtIn = builtInDocuments(clock, () => documents)
  const { findCommon } = findersIn(builtIn)
  const indexes = new ActiveIndexes({ store, findCommon, observe, builds: settings.isWorker !== true })
  resources.defer(() => indexes.stop())
  const addIndexes = (definition: DocumentDefinition) => indexes.withIndexes(definition)
  const documents = new CustomDocuments(store, addIndexes, customerDocument)
  const responseCache = new ResponseCache(PROGRAM_VERSION, metrics.responses)
  const served = builtIn.map((document) => withExtension(document, addIndexes))
  const allDocuments = () => [...served, ...documents.all]
  const longWork = new LongWork()
  const feed = new ChangeFeed({ store: records, companies, documents: allDocuments, work: longWork })
  const changes = new ChangeService({ store: records, feed, documents: allDocuments, read })
  const onReplaced = (version: number) => {
    responseCache.invalidate(version)
    changes.signals.wakeAll()
  }
  const serving = await ServingProcess.on(store, settings)
  resources.defer(() => serving.leave())
  const onLoaded = (version: number) => serving.report(version)
  const rules = new ActiveRules({ store, companies, directory, documents, indexes, observe, onReplaced, onLoaded })
  resources.defer(() => rules.stop())
  const { setup } = settings
  const setupReport =
    setup === undefined
      ? undefined
      : await applySetup(setupTask(store, setup, observe, { environment, webhookNetworks }))
  await rules.load()
  if (settings.database === undefined && !settings.isWorker) await releaseEndedLeases(store, companies)
  if (!settings.isWorker) warnOfAccess(directory, setupReport, clock(), observe)

  const keys = await openKeys(settings, clock)
  const acting = new ActingLog({ store, clock, observe, writeAfterMs: settings.deniedAccessDelayMs })
  resources.defer(() => acting.stop())
  const sessions = new PersonSessions({ store: new SessionStore(store), directory, clock })
  const identityParts = { keys, directory, sessions, shared: clientUsage(store), clock, observe, settings }
  const { identity, agents, passwords } = openIdentity(identityParts)
  const { tokens, secrets } = identity
  resources.defer(() => secrets.close())
  resources.defer(() => passwords.close())
  const lifecycle: Lifecycle = { state: 'serving' }
  const limiter = settings.rateLimits && new RateLimiter(settings.rateLimits, clientUsage(store))
  resources.defer(() => limiter?.stop())
  const admission = settings.overloadDelayMs === undefined ? undefined : new EventLoopQueue(settings.overloadDelayMs)
  const deniedAccess = new DeniedAccessLog({ store, clock, observe, writeAfterMs: settings.deniedAccessDelayMs })
  resources.defer(() => deniedAccess.stop())
  const calls = new AgentCallLog({ store, clock, observe, writeAfterMs: settings.deniedAccessDelayMs })
  resources.defer(() => calls.stop())
  const budget = agentBudget(settings.agentLimits ?? AGENT_LIMITS, clientUsage(store))
  resources.defer(() => budget.stop())
  const connections = new Connections(metrics.connections, observe, identity.proxies, settings.connectionBounds)
  const { store: fileStore, staging } = await openFileStore({
    files: settings.files,
    data: settings.data,
    isTried: true,
  })
  resources.defer(() => fileStore.close())
  const files = watchedFiles(fileStore, metrics.files, traces)
  const intake = watchedStaging(staging, metrics.files, traces)
  const memory = transferMemory(TRANSFER_BYTES)
  const recent = new RecentRequests()
  const pipelineParts: PipelineParts = {
    identity,
    agents,
    lifecycle,
    observe: fanOut(observe, logDeniedAccess(deniedAccess, companies), logActing(acting, companies)),
    basePath: settings.basePath,
    metrics: metrics.requests,
    clients: metrics.clients,
    logRequest: (request) => {
      recent.add(request, clock())
      settings.logRequest?.(request)
    },
    connections,
    traces,
    crossOrigin: settings.allowedOrigins && new CrossOrigin(settings.allowedOrigins),
    limiter,
    admission,
    responseCache,
    read,
    deadlineMs: (settings.queryTimeoutMs ?? QUERY_TIMEOUT_MS) + REQUEST_OVERHEAD_MS,
    files: { staging: intake, memory },
    loadRules: () => rules.load(),
  }
  const pipeline = new Pipeline(pipelineParts)
  const server = await createServer(pipeline)
  declareGauges({ store, companies, memory, memoryBytes: TRANSFER_BYTES, lostLogLines: settings.lostLogLines, metrics })
  resources.defer(watchSizes({ store, data: settings.data, files: settings.files, metrics }))
  resources.defer(watchQuotas({ store, companies, metrics, observe }))
  resources.defer(watchLifeCycle({ store, companies, metrics, deletes: settings.isWorker !== true, clock }))
  const router = new Router(server, settings.basePath, pipeline)
  const texts = new TextIndexer({ store, companies, files, observe })
  resources.defer(() => texts.stop())
  const thumbnails = new ThumbnailMaker({
    rendersPdf: settings.rendersPdf ?? false,
    observe,
    timeoutMs: settings.thumbnailMs,
  })
  resources.defer(() => thumbnails.close())
  const batches = batchQueue()
  const queues = {
    'event-loop': admission,
    requests: pipeline.inFlight,
    batches,
    changes: changes.waits,
    'long-work': longWork.queue,
    transfers: memory,
    secrets,
    thumbnails,
  }
  for (const [name, queue] of Object.entries(queues)) if (queue) metrics.store.queues.add(name, queue)
  const service: DocumentService = {
    store,
    companies,
    own: ownDocuments(builtIn, documents),
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

  // Only the primary knows that no change of a moment is still to come.
  const pastOf = (primary: Store) => new Past({ store: primary, companies, documents: allDocuments, work: longWork })
  const past = pastOf(store)
  const servedDocuments = { builtIn: served, custom: documents, withIndexes: addIndexes }
  const parquet = await openParquet(settings.data, { store, companies, metrics })
  resources.use(parquet)
  recordRoutes(router, { ...service, store: records, past, parquet }, servedDocuments)
  const batchParts = { documents: servedDocuments, pastOf, parquet, pipeline: pipelineParts, queue: batches }
  serveBatches(router, service, batchParts)
  const agentParts = { calls, budget, documents: servedDocuments, pipeline: pipelineParts }
  const agentSources = { ...agentParts, server: settings.agentServer }
  const contentTexts = serveAgents(router, { ...service, past, parquet }, agentSources)
  resources.defer(() => contentTexts.close())
  changeRoutes(router, changes)
  const deliveries = new WebhookDeliveries({
    store,
    companies,
    directory,
    feed,
    signals: changes.signals,
    sender: new WebhookSender({ guard: new AddressGuard({ allowed: webhookNetworks }) }),
    observe,
    metrics: new DeliveryMetrics(metrics, ATTEMPT_OUTCOMES),
    basePath: settings.basePath,
  })
  resources.defer(() => deliveries.stop())
  const jobParts = { ...service, documents: allDocuments }
  const operations = new BatchOperations({ ...jobParts, directory, metrics: new JobMetrics(metrics, STATES) })
  resources.defer(() => operations.stop())
  jobRoutes(router, { ...jobParts, operations })
  const subscriptions: SubscriptionService = { ...service, feed, deliveries }
  subscriptionRoutes(router, subscriptions)
  subscriptionActionRoutes(router, subscriptions)
  await systemRoutes(server, router, {
    ...{ settings, identity, agents, passwords, sessions, keys },
    ...{ store, companies, directory, documents, past, lifecycle, metrics, recent },
  })
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
    agentTokens: agents.tokens,
    keys,
    deniedAccess,
    agentCalls: calls,
    acting,
    indexes,
    deliveries,
    operations,
    slowQueries,
    setupReport,
    enterService: () => serving.join(() => rules.load()),
    lifecycle,
    endWaits: () => changes.stop(),
  }
}

/** Builds the application and listens. */
export async function startApplication(settings: StartSettings): Promise<RunningApplication> {
  const application = await buildApplication(settings)
  try {
    await settings.prepare?.(application)
    await application.enterService()
    const origin = await listen(application.server, settings)
    application.indexes.start()
    application.deliveries.start()
    application.operations.start()
    return { ...application, address: origin + settings.basePath }
  } catch (error) {
    await application.stop(0)
    throw error
  }
}
