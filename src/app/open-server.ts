// The server: files on their way, the connections, and the steps that every request takes.
import { QUERY_TIMEOUT_MS } from '../databases/open/open-store.ts'
import { openFileStore } from '../files/open-file-store.ts'
import { transferMemory } from '../files/transfer-memory.ts'
import { watchedFiles, watchedStaging } from '../files/watch-files.ts'
import { Connections } from '../http/connections.ts'
import type { Lifecycle, PipelineParts } from '../http/parts.ts'
import { CrossOrigin } from '../http/pipeline/cross-origin.ts'
import { EventLoopQueue } from '../http/pipeline/event-loop-queue.ts'
import { Pipeline } from '../http/pipeline.ts'
import { Router } from '../http/router.ts'
import { Server } from '../http/server.ts'
import { fanOut } from '../observe/observation.ts'
import { RecentRequests } from '../observe/recent-requests.ts'
import type { ApplicationSettings } from './application.ts'
import { logActing, logDeniedAccess } from './log-access.ts'
import type { Opened } from './open.ts'
import type { Callers } from './open-callers.ts'
import type { OpenRules } from './open-rules.ts'

/** Added to the query timeout, so that a query times out before the request that waits for it. */
const REQUEST_OVERHEAD_MS = 10_000
/** Memory for file contents in transfer, shared by all callers. */
export const TRANSFER_BYTES = 128 * 1024 * 1024

export type OpenServer = Awaited<ReturnType<typeof openServer>>

export async function openServer(
  settings: ApplicationSettings,
  { store, observe, metrics, traces, read, clock }: Opened,
  { companies, responseCache, active }: OpenRules,
  { identity, agents, limiter, denied, acting }: Callers,
  resources: AsyncDisposableStack,
) {
  const { data, overloadDelayMs } = settings
  const { store: fileStore, staging } = await openFileStore({ files: settings.files, data, isTried: true })
  resources.defer(() => fileStore.close())
  const files = watchedFiles(fileStore, metrics.files, traces)
  const intake = watchedStaging(staging, metrics.files, traces)
  const memory = transferMemory(TRANSFER_BYTES)
  const lifecycle: Lifecycle = { state: 'serving' }
  const recent = new RecentRequests()
  const parts: PipelineParts = {
    identity,
    agents,
    lifecycle,
    observe: fanOut(observe, logDeniedAccess(denied, companies), logActing(acting, companies)),
    basePath: settings.basePath,
    metrics: metrics.requests,
    clients: metrics.clients,
    logRequest: (request, told) => {
      recent.add(request, clock(), told)
      settings.logRequest?.(request)
    },
    connections: new Connections(metrics.connections, observe, identity.proxies, settings.connectionBounds),
    front: settings.faults && (await loadFront()).faultyFront(settings.faults, settings.basePath),
    traces,
    crossOrigin: settings.allowedOrigins && new CrossOrigin(settings.allowedOrigins),
    limiter,
    admission: overloadDelayMs === undefined ? undefined : new EventLoopQueue(overloadDelayMs, store.sharedReads),
    responseCache,
    read,
    deadlineMs: (settings.queryTimeoutMs ?? QUERY_TIMEOUT_MS) + REQUEST_OVERHEAD_MS,
    files: { staging: intake, memory },
    loadRules: () => active.load(),
  }
  const pipeline = new Pipeline(parts)
  const server = new Server(pipeline)
  const router = new Router(pipeline)
  return { server, router, pipeline, parts, files, intake, memory, lifecycle, recent }
}

/** Only a demo that behaves badly loads it. */
const loadFront = () => import('../http/faulty-front.ts')
