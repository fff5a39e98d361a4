// The only place where the parts are put together: what depends on what, and every slice on a line of its own.
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { ClientSecrets } from './access/client-secrets.ts'
import { Directory } from './access/directory.ts'
import { KeyRing } from './access/keys.ts'
import { Strangers } from './access/strangers.ts'
import { Tokens } from './access/tokens.ts'
import { builtInDocuments } from './app/built-in-documents.ts'
import { findersIn, setupTask } from './app/setup-task.ts'
import { watchIntegrity } from './app/watch-integrity.ts'
import { watchKeys } from './app/watch-keys.ts'
import { watchQuotas } from './app/watch-quotas.ts'
import { type Clock, systemClock } from './base/clock.ts'
import { PROGRAM_VERSION } from './base/program-version.ts'
import { openFileStore } from './files/stores/open-file-store.ts'
import { mayHoldText } from './files/text/text-types.ts'
import { ThumbnailMaker } from './files/thumbnails/thumbnail-maker.ts'
import { watchFiles } from './files/watch-files.ts'
import { AnswerCache } from './http/answer-cache.ts'
import { ANSWER_CACHE_BYTES } from './http/answer-cache-size.ts'
import { type Budget, budgetOf } from './http/budget.ts'
import { Connections } from './http/connections.ts'
import { Edge } from './http/edge.ts'
import type { FileIntake } from './http/file-body/received.ts'
import { listen, type Place } from './http/listening.ts'
import { Pressure } from './http/pressure.ts'
import { RateLimiter, type RateLimits } from './http/rate-limiter.ts'
import { createServer, type Lifecycle, type Server } from './http/server.ts'
import { descriptionRoutes } from './http/system/description.ts'
import { healthRoutes } from './http/system/health.ts'
import { landingRoutes } from './http/system/landing.ts'
import { metricsRoute } from './http/system/metrics.ts'
import { tokenRoutes } from './http/system/token.ts'
import type { DocumentDefinition } from './model/document.ts'
import { withAdded } from './objects/enterprise-document.ts'
import { OwnDocuments } from './objects/own-documents.ts'
import { objectRoutes, ownEndpoints } from './objects/routes.ts'
import { type Figures, Metrics, textOfAll } from './observe/metrics.ts'
import { type Observe, tellAll } from './observe/observation.ts'
import { openTraces } from './observe/traces.ts'
import { attributeRelationRoutes } from './records/attribute-relations/routes.ts'
import { attributeValueRoutes } from './records/attribute-values/routes.ts'
import { customerRoutes } from './records/customers/routes.ts'
import type { DocumentService } from './records/documents/document-service.ts'
import { fileRoutes } from './records/documents/file-routes.ts'
import { revisionRoutes } from './records/documents/revision-routes.ts'
import { documentRoutes } from './records/documents/routes.ts'
import { TextReader } from './records/documents/text-reader.ts'
import { applySetup, type SetupReport } from './setup/apply-setup.ts'
import { Companies } from './setup/companies.ts'
import { IndexesInForce } from './setup/indexes-in-force.ts'
import { RulesInForce } from './setup/rules-in-force.ts'
import { openStore, QUERY_TIMEOUT_MS, type StoreSettings } from './store/open-store.ts'
import { RefusalLog } from './store/refusal-log.ts'
import { SlowQueryKeeper } from './store/slow-query-store.ts'
import type { Store } from './store/store.ts'
import { traceStore } from './store/trace-store.ts'
import { usagesIn } from './store/usage-store.ts'

export interface ApplicationSettings extends Omit<StoreSettings, 'clock'> {
  /** A JWK set of the administrator's; absent: keys are kept in the data folder. */
  readonly keys?: string | undefined
  /** A setup file to apply before anything is answered. */
  readonly setup?: string | undefined
  readonly basePath: string
  /** Where file contents are kept: a folder or `s3://bucket/prefix`; absent: in the data folder. */
  readonly files?: string | undefined
  /** Whether the thumbnail of a PDF is its first page. */
  readonly rendersPdf?: boolean
  /** How long a thumbnail may take before an icon stands in for it. */
  readonly thumbnailMs?: number | undefined
  /** Of each client; absent: none. */
  readonly rateLimits?: RateLimits | undefined
  /** Connections that one address may have open. */
  readonly connectionsPerAddress?: number | undefined
  /** What a request may wait for those that arrived with it before it is refused; absent: as long as it takes. */
  readonly overloadDelayMs?: number | undefined
  /** With the figures of this process, a way to ask for those of all that serve beside it; absent: there are no others. */
  readonly gatherFigures?: ((own: () => Promise<Figures>) => () => Promise<readonly Figures[]>) | undefined
  /** Memory for answers that are given again, in bytes; 0: each is made anew. */
  readonly answerCacheBytes?: number | undefined
  /** How long refused access waits before it is written to the journal. */
  readonly refusalsAfterMs?: number | undefined
  readonly observe: Observe
  readonly clock?: Clock
  /** Makes the ids of documents: GUIDs in lower case. */
  readonly newId?: () => string
}

export interface Application {
  readonly server: Server
  readonly edge: Edge
  readonly service: DocumentService
  /** Where contents are received. */
  readonly intake: FileIntake
  readonly texts: TextReader
  readonly tokens: Tokens
  readonly keys: KeyRing
  readonly refusals: RefusalLog
  readonly indexes: IndexesInForce
  readonly slowQueries: SlowQueryKeeper
  readonly setupReport: SetupReport | undefined
  /** Ends what has begun, after `graceMs` in which requests are still served, then closes the store. Asked again, it waits no longer. */
  stop(graceMs: number): Promise<void>
}

/** After the grace, requests in flight have this long before their sockets are closed. */
const STOP_TIMEOUT_MS = 10_000
/** A query is stopped by its own deadline, before the request that waits for it is. */
const REQUEST_OVERHEAD_MS = 10_000
/** For file contents on their way in and out, however many callers there are. */
const TRANSFER_BYTES = 128 * 1024 * 1024

/** Opens the store, applies the setup, and builds the server; listens to nothing yet. */
export async function buildApplication(settings: ApplicationSettings): Promise<Application> {
  const { clock = systemClock } = settings
  const metrics = new Metrics()
  const observe = tellAll(settings.observe, metrics.observe)
  const store = await openStore({ ...settings, observe, clock, figures: metrics.store })
  try {
    return await buildOn(store, metrics, { ...settings, observe, clock })
  } catch (error) {
    // Its sessions would keep a process that does not start from ending.
    await store.close()
    throw error
  }
}

async function buildOn(
  store: Store,
  metrics: Metrics,
  settings: ApplicationSettings & { readonly clock: Clock },
): Promise<Application> {
  const { clock, observe, newId = randomUUID } = settings
  const traces = await openTraces(process.env, observe)
  if (traces) traceStore(store, traces)
  const companies = new Companies()
  const directory = new Directory()
  const builtIn = builtInDocuments(clock)
  const { findCommon } = findersIn(builtIn)
  const indexes = new IndexesInForce({ store, findCommon, observe, builds: settings.isWorker !== true })
  const add = (definition: DocumentDefinition) => indexes.added(definition)
  const documents = new OwnDocuments(store, add)
  const { answerCacheBytes = ANSWER_CACHE_BYTES } = settings
  const answers = new AnswerCache(answerCacheBytes, PROGRAM_VERSION, metrics.answers)
  const onReplaced = (version: number) => answers.renew(version)
  const rules = new RulesInForce({ store, companies, directory, documents, indexes, observe, onReplaced })
  const setupReport =
    settings.setup === undefined ? undefined : await applySetup(setupTask(store, settings.setup, observe))
  await rules.load()
  const { unboundIssuers } = directory
  if (unboundIssuers.length > 0 && !settings.isWorker) {
    observe({ kind: 'unbound-issuers', issuers: unboundIssuers.join(', ') })
  }

  const keys = settings.keys
    ? KeyRing.given(settings.keys, clock)
    : await KeyRing.keptIn(join(settings.data, 'keys.json'), clock)
  const tokens = new Tokens(keys, directory, clock)
  const strangers = new Strangers()
  const secrets = new ClientSecrets(directory, usagesIn(store), strangers)
  const identity = { tokens, secrets, directory, strangers }
  const lifecycle: Lifecycle = { state: 'serving' }
  const limiter = settings.rateLimits && new RateLimiter(settings.rateLimits, usagesIn(store))
  const pressure = settings.overloadDelayMs === undefined ? undefined : new Pressure(settings.overloadDelayMs)
  const refusals = new RefusalLog({ store, clock, observe, writeAfterMs: settings.refusalsAfterMs })
  const connections = new Connections(metrics.connections, observe, settings.connectionsPerAddress)
  const server = await createServer({
    identity,
    lifecycle,
    observe: tellAll(observe, keepRefusals(refusals, companies)),
    basePath: settings.basePath,
    figures: metrics.requests,
    connections,
    traces,
    limiter,
    pressure,
    answers,
  })
  const deadlineMs = (settings.queryTimeoutMs ?? QUERY_TIMEOUT_MS) + REQUEST_OVERHEAD_MS
  const { store: files, staging: intake } = await openFileStore({ files: settings.files, data: settings.data })
  watchFiles(files, intake, metrics.files, traces)
  const budget = budgetOf(TRANSFER_BYTES)
  watchBounds(metrics, budget)
  watchIntegrity(store, metrics)
  const stopWatchingQuotas = watchQuotas({ store, companies, metrics, observe })
  const edge = new Edge(server, {
    basePath: settings.basePath,
    lifecycle,
    observe,
    deadlineMs,
    files: { intake, budget },
    answers,
  })
  const texts = new TextReader({ store, companies, files, observe })
  const thumbnails = new ThumbnailMaker({
    rendersPdf: settings.rendersPdf ?? false,
    observe,
    timeoutMs: settings.thumbnailMs,
  })
  const service: DocumentService = {
    store,
    companies,
    observe,
    clock,
    newId,
    files,
    thumbnails,
    budget,
    onFileAdded: (companyId, mimeType) => {
      if (mayHoldText(mimeType)) texts.wake(companyId)
    },
  }

  attributeValueRoutes(edge, { ...service, withIndexes: add })
  attributeRelationRoutes(edge, service)

  customerRoutes(edge, service)
  documentRoutes(edge, service)
  revisionRoutes(edge, service)
  fileRoutes(edge, service)
  const served = builtIn.map((document) => withAdded(document, add))
  objectRoutes(edge, service, served, documents)

  await tokenRoutes(server, settings.basePath, identity, keys)
  healthRoutes(edge, lifecycle, store)
  const gather = settings.gatherFigures?.(() => metrics.figures())
  metricsRoute(edge, identity, async () => (gather ? textOfAll(await gather()) : metrics.text()))
  descriptionRoutes(edge, settings.basePath, () => ({ version: documents.version, routes: ownEndpoints(documents) }))
  landingRoutes(edge, settings.basePath)
  const slowQueries = new SlowQueryKeeper(store, clock)
  rules.watch()
  texts.start()
  const stopWatchingKeys = watchKeys(keys, settings.keys === undefined, observe)
  await server.ready()

  let endGrace = (): void => {}
  let stopping: Promise<void> | undefined
  const stop = (graceMs: number): Promise<void> => {
    if (stopping) endGrace()
    else stopping = stopAfter(graceMs)
    return stopping
  }
  const stopAfter = async (graceMs: number): Promise<void> => {
    lifecycle.state = 'draining'
    await new Promise<void>((resume) => {
      const timer = setTimeout(resume, graceMs)
      endGrace = () => {
        clearTimeout(timer)
        resume()
      }
    })
    lifecycle.state = 'closing'
    const timer = setTimeout(() => server.server.closeAllConnections(), STOP_TIMEOUT_MS)
    await server.close()
    clearTimeout(timer)
    stopWatchingKeys()
    stopWatchingQuotas()
    limiter?.stop()
    await secrets.close()
    rules.stop()
    await refusals.stop()
    await texts.stop()
    await thumbnails.close()
    await files.close()
    await indexes.stop()
    await slowQueries.stop()
    await store.close()
    await traces?.close()
    metrics.stop()
  }
  return { server, edge, service, intake, texts, tokens, keys, refusals, indexes, slowQueries, setupReport, stop }
}

/** Into the journal of the caller's own company: no other may learn of it. */
function keepRefusals(refusals: RefusalLog, companies: Companies): Observe {
  return (observation) => {
    if (observation.kind !== 'access-refused') return
    const companyId = companies.find(observation.companyId)?.id ?? ''
    refusals.add({ ...observation, companyId })
  }
}

/** What is bounded for all callers together, beside its bound. */
function watchBounds(metrics: Metrics, budget: Budget): void {
  metrics.gauge('tabularium_transfer_bytes', 'Memory of file contents on their way.', () => budget.used)
  metrics.gauge('tabularium_transfers_waiting', 'File contents that wait for memory.', () => budget.waiting)
  metrics.gauge('tabularium_transfer_limit_bytes', 'What it may be at most.', () => TRANSFER_BYTES)
}

export interface RunningApplication extends Application {
  /** `http://HOST:PORT` and the base path. */
  readonly address: string
}

export interface StartSettings extends ApplicationSettings, Place {
  /** Work on the records before the first request. */
  readonly prepare?: (application: Application) => Promise<void>
}

/** Builds the application and listens. */
export async function startApplication(settings: StartSettings): Promise<RunningApplication> {
  const application = await buildApplication(settings)
  try {
    await settings.prepare?.(application)
    const origin = await listen(application.server, settings)
    application.indexes.serve()
    return { ...application, address: origin + settings.basePath }
  } catch (error) {
    await application.stop(0)
    throw error
  }
}
