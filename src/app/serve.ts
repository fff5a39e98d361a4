// What is served: every route, and the work in the background that belongs to one.

import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { AdmissionQueue } from '../base/concurrency/admission-queue.ts'
import { JointStore } from '../batch/joint-store.ts'
import { batchQueue, batchRoutes } from '../batch/routes.ts'
import { STATES } from '../batch-operations/batch-operation.ts'
import { BatchOperations } from '../batch-operations/batch-operations.ts'
import { batchOperationRoutes } from '../batch-operations/routes.ts'
import { changeRoutes } from '../changes/feed/routes.ts'
import { PastAnswers } from '../changes/past/past-answers.ts'
import { PastOfRecords } from '../changes/past/past-of-records.ts'
import { ThumbnailMaker } from '../files/processes/thumbnail-maker.ts'
import { mayHoldText } from '../files/text/text-types.ts'
import type { InnerParts } from '../http/inner-request.ts'
import { innerRequests } from '../http/inner-requests.ts'
import type { RouteTable } from '../http/route/route.ts'
import { RouteLookup } from '../http/route/route-lookup.ts'
import { mirrorRoutes } from '../mirror/mirror-routes.ts'
import { MirrorService } from '../mirror/mirror-service.ts'
import { MirroredRoutes } from '../mirror/mirrored-routes.ts'
import { Mirrors } from '../mirror/mirrors.ts'
import { CompanySources } from '../mirror/source/company-sources.ts'
import { BatchOperationMetrics, DeliveryMetrics, MirrorMetrics } from '../observe/background-metrics.ts'
import type { Metrics } from '../observe/metrics.ts'
import { ParquetEncoder } from '../parquet/parquet-encoder.ts'
import type { ParquetFiles } from '../parquet/parquet-files.ts'
import { SpoolFolder, spoolIn } from '../parquet/spool-folder.ts'
import { type FindSpoolCompany, SpooledAnswers } from '../parquet/spooled-answers.ts'
import type { DocumentService } from '../records/documents/document-service.ts'
import { TextIndexer } from '../records/documents/text-indexer.ts'
import type { Companies } from '../setup/rules/companies.ts'
import { findLifeCycle } from '../store/service-state/life-cycle-store.ts'
import type { Store } from '../store/store.ts'
import { AddressGuard } from '../subscriptions/address-guard.ts'
import { ATTEMPT_OUTCOMES } from '../subscriptions/attempt-outcome.ts'
import { subscriptionActionRoutes } from '../subscriptions/delivery/routes.ts'
import { WebhookDeliveries } from '../subscriptions/delivery/webhook-deliveries.ts'
import { subscriptionRoutes } from '../subscriptions/routes.ts'
import type { SubscriptionService } from '../subscriptions/subscription-service.ts'
import { WebhookSender } from '../subscriptions/webhook-sender.ts'
import { Backups } from './administration/backups.ts'
import type { ApplicationSettings } from './application.ts'
import type { Opened } from './open.ts'
import type { Callers } from './open-callers.ts'
import type { OpenRules } from './open-rules.ts'
import type { OpenServer } from './open-server.ts'
import { type RecordService, recordRoutes, type ServedDocuments } from './record-routes.ts'
import { serveAgents } from './serve-agents.ts'
import { untilInForce } from './serving-process.ts'
import { ownDocuments } from './setup/open-records.ts'
import { systemRoutes } from './system-routes.ts'

type PastOfStore = Pick<RecordService, 'past' | 'pastRecords'>

export interface AppParts {
  readonly settings: ApplicationSettings
  readonly opened: Opened
  readonly rules: OpenRules
  readonly callers: Callers
  readonly edge: OpenServer
  readonly resources: AsyncDisposableStack
}

export type ServedApp = Awaited<ReturnType<typeof serve>>

export async function serve({ settings, opened, rules, callers, edge, resources }: AppParts) {
  const { store, records, observe, clock, newId, metrics } = opened
  const { companies, directory, documents, allDocuments, feed, changes, longWork } = rules
  const { router, parts: pipeline, files, memory } = edge
  const texts = new TextIndexer({ store, companies, files, observe })
  resources.defer(() => texts.stop())
  const { rendersPdf = false, thumbnailMs: timeoutMs } = settings
  const thumbnails = new ThumbnailMaker({ rendersPdf, observe, timeoutMs })
  resources.defer(() => thumbnails.close())
  const service: DocumentService = {
    store,
    companies,
    own: ownDocuments(rules.builtIn, documents.custom),
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
  const pastOf = (primary: Store): PastOfStore => ({
    past: new PastAnswers({ store: primary, companies, documents: allDocuments, work: longWork }),
    pastRecords: new PastOfRecords(primary, allDocuments),
  })
  const pastOfAll = pastOf(store)
  const parquet = await openParquet(settings.data, { store, companies, metrics })
  resources.use(parquet)
  const mirrorMetrics = new MirrorMetrics(metrics)
  const now = () => clock().getTime()
  const { sleep = delayed } = settings
  const onAnswer = (status: number) => mirrorMetrics.answered(status)
  const mirrorParts = {
    ...{ store, companies, observe, now, sleep, metrics: mirrorMetrics },
    sources: new CompanySources({ environment: opened.environment, now, sleep, onAnswer }),
    documents: service.own,
    ...{ files, staging: edge.intake, onFileAdded: service.onFileAdded },
  }
  const mirror = new MirrorService(mirrorParts)
  resources.defer(() => mirror.stop())
  const mirrors = new Mirrors(mirrorParts)
  resources.defer(() => mirrors.stop())
  mirrorRoutes(router, mirror, companies)
  const mirrored = (table: RouteTable, forwards: boolean) => new MirroredRoutes(table, mirror, companies, forwards)
  recordRoutes(mirrored(router, true), { ...service, store: records, ...pastOfAll, parquet }, documents)
  const batches = batchQueue()
  serveBatches(router, service, { documents, pastOf, parquet, pipeline, queue: batches, mirrored })
  const { calls, budget } = callers
  const agents = { calls, budget, documents, pipeline, mirrored, server: settings.agentServer }
  const contentTexts = serveAgents(router, { ...service, ...pastOfAll, parquet }, agents)
  resources.defer(() => contentTexts.close())
  changeRoutes(router, changes)
  const deliveries = new WebhookDeliveries({
    store,
    companies,
    directory,
    feed,
    signals: changes.signals,
    sender: new WebhookSender({ guard: new AddressGuard({ allowed: settings.webhookNetworks }) }),
    observe,
    metrics: new DeliveryMetrics(metrics, ATTEMPT_OUTCOMES),
    basePath: settings.basePath,
  })
  resources.defer(() => deliveries.stop())
  const batchOperationParts = { ...service, documents: allDocuments }
  const operations = new BatchOperations({
    ...batchOperationParts,
    directory,
    metrics: new BatchOperationMetrics(metrics, STATES),
  })
  resources.defer(() => operations.stop())
  batchOperationRoutes(router, { ...batchOperationParts, operations })
  const subscriptions: SubscriptionService = { ...service, feed, deliveries, directory }
  subscriptionRoutes(router, subscriptions)
  subscriptionActionRoutes(router, subscriptions)
  const { lifecycle, recent } = edge
  const inForce = () => allInForce(rules, store, settings.database !== undefined)
  const { data, database, files: fileStore, backups: target } = settings
  const backups = new Backups(target === undefined ? undefined : { target, data, database, files: fileStore })
  resources.defer(() => backups.stop())
  const system = {
    store,
    companies,
    directory,
    documents: documents.custom,
    past: pastOfAll.past,
    lifecycle,
    metrics,
    recent,
    clock,
    inForce,
    observe,
    backups,
    subscriptions,
  }
  systemRoutes(router, { ...system, ...callers, settings })
  return { service, texts, thumbnails, batches, deliveries, operations, mirrors }
}

/** What was applied is applied, whatever fails here: each process looks for a new setup by itself as well. */
async function allInForce({ active }: OpenRules, store: Store, isShared: boolean): Promise<void> {
  await active
    .load()
    .then(() => untilInForce(store, isShared))
    .catch(() => {})
}

async function delayed(ms: number, signal?: AbortSignal): Promise<void> {
  await delay(ms, undefined, { ref: false, ...(signal ? { signal } : {}) })
}

const GIBIBYTE = 1024 ** 3
/** All kept files together take no more: some fifty million lines of the ledger. */
const SPOOL_BYTES = 2 * GIBIBYTE
/** The service stops writing when half as much is free. */
const LEAVES_BYTES = GIBIBYTE
/** Readers fetch the parts of a file within minutes. */
const KEPT_MS = 10 * 60_000
const SWEEP_MS = 60_000

/** `data`: the data folder. Disposing of it ends the files that are being written. */
async function openParquet(
  data: string,
  { store, companies, metrics }: { store: Store; companies: Companies; metrics: Metrics },
): Promise<ParquetFiles & AsyncDisposable> {
  const folder = await SpoolFolder.open({
    folder: spoolIn(data),
    maxBytes: SPOOL_BYTES,
    leavesBytes: LEAVES_BYTES,
    keptMs: KEPT_MS,
    now: Date.now,
    newId: randomUUID,
  })
  const sweeps = setInterval(() => void folder.sweep().catch(() => {}), SWEEP_MS).unref()
  const companyOf: FindSpoolCompany = async (company) => {
    const { id } = companies.require(company)
    return { id, erasures: Number((await findLifeCycle(store.reading(id)))?.erased_count ?? 0) }
  }
  const encoder = new ParquetEncoder()
  metrics.store.queues.add('parquet', encoder)
  return {
    encoder,
    spooled: new SpooledAnswers(folder, companyOf),
    [Symbol.asyncDispose]: async () => {
      clearInterval(sweeps)
      await encoder.close()
    },
  }
}

interface BatchSources {
  readonly documents: ServedDocuments
  readonly pastOf: (store: Store) => PastOfStore
  readonly parquet: RecordService['parquet']
  readonly pipeline: InnerParts
  /** The batches at work. */
  readonly queue: AdmissionQueue
  readonly mirrored: (table: RouteTable, forwards: boolean) => RouteTable
}

/**
 * Declares the batch. Its operations have the routes of all resources once more, on a store that joins their writes.
 */
function serveBatches(router: RouteTable, service: DocumentService, sources: BatchSources): void {
  const { documents, pastOf, parquet, pipeline, queue, mirrored } = sources
  const joints = new JointStore(service.store)
  const store = joints.operations
  const routes = new RouteLookup()
  recordRoutes(mirrored(routes, true), { ...service, store, ...pastOf(store), parquet }, documents)
  const inner = innerRequests(routes, pipeline)
  batchRoutes(router, { ...service, joints, inner, basePath: pipeline.basePath, queue })
}
