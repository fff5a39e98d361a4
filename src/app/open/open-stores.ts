// The store of the service, traced, and that of reads where a replica answers them.
import type { Clock } from '../../base/clock.ts'
import type { Metrics } from '../../observe/metrics.ts'
import type { Observe, Traces } from '../../observe/observation.ts'
import { ReplicaMetrics } from '../../observe/store-metrics.ts'
import { openStore } from '../../store/open-store.ts'
import { openReads } from '../../store/replica/open-reads.ts'
import type { Store } from '../../store/store.ts'
import { tracedStore } from '../../store/wrapped/traced-store.ts'
import type { ApplicationSettings } from '../application.ts'

interface Watching {
  readonly observe: Observe
  readonly clock: Clock
  readonly metrics: Metrics
  readonly traces: Traces | undefined
}

/** `records` is what reads of requests ask; `read` tells how, where a replica answers them. */
export async function openStores(
  settings: ApplicationSettings,
  { observe, clock, metrics, traces }: Watching,
  resources: AsyncDisposableStack,
) {
  const watched = { ...settings, observe, clock, metrics: metrics.store }
  const traced = (one: Store) => (traces ? tracedStore(one, traces) : one)
  const primary = await openStore({ ...watched, isService: true })
  resources.defer(() => primary.close())
  const store = traced(primary)
  const { readDatabase } = settings
  if (readDatabase === undefined) return { store, records: store, read: undefined }
  const replicaMetrics = new ReplicaMetrics(metrics)
  const { reads, close } = await openReads({ ...watched, readDatabase, replicaMetrics }, primary)
  resources.defer(close)
  return { store, records: traced(reads.store), read: reads.read }
}
