// The store of the service, traced, and that of reads where a replica answers them.
import type { Clock } from '../base/clock.ts'
import type { StoreSettings } from '../databases/driver.ts'
import { driverAt } from '../databases/open/drivers.ts'
import { openStore, withDefaults } from '../databases/open/open-store.ts'
import type { Metrics } from '../observe/metrics.ts'
import type { Observe, Traces } from '../observe/observation.ts'
import { ReplicaMetrics } from '../observe/store-metrics.ts'
import { ReplicaWatch } from '../store/replica-watch.ts'
import { ReplicatedReads } from '../store/replicated-reads.ts'
import type { Store } from '../store/store.ts'
import { tracedStore } from '../store/traced-store.ts'
import type { ApplicationSettings } from './application.ts'

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

interface ReadSettings extends StoreSettings {
  /** The URL of the replica. */
  readonly readDatabase: string
  readonly replicaMetrics: ReplicaMetrics
}

/**
 * Looks for the replica once. When it is not there, or is behind, the primary answers until it is. Throws for a
 * database that has no replicas.
 */
async function openReads(
  settings: ReadSettings,
  primary: Store,
): Promise<{ reads: ReplicatedReads; close(): Promise<void> }> {
  const driver = driverAt(settings)
  const opened = { ...withDefaults(settings), slow: primary.slow }
  const replica = driver.openReplica?.(opened, settings.readDatabase)
  if (!replica) throw new Error(`--read-database: ${driver.title} has no replicas that can be read from`)
  const watch = new ReplicaWatch(replica, settings.observe)
  settings.replicaMetrics.behindSeconds = () => (watch.isUsable ? watch.behindMs / 1000 : undefined)
  await watch.start()
  const close = async () => {
    watch.stop()
    await replica.close()
  }
  return { reads: new ReplicatedReads({ primary, replica, watch, metrics: settings.replicaMetrics }), close }
}
