// What everything else works with: the clock, metrics, traces, the store, and that of reads where a replica answers.
import { randomUUID } from 'node:crypto'
import { systemClock } from '../base/clock.ts'
import type { StoreSettings } from '../databases/driver.ts'
import { driverAt } from '../databases/open/drivers.ts'
import { openStore, withDefaults } from '../databases/open/open-store.ts'
import { Metrics } from '../observe/metrics.ts'
import { fanOut } from '../observe/observation.ts'
import { ReplicaMetrics } from '../observe/store-metrics.ts'
import { openTraces } from '../observe/traces.ts'
import { ReplicaWatch } from '../store/replica-watch.ts'
import { type ReplicatedReads, replicatedReads } from '../store/replicated-reads.ts'
import { SlowQueryWriter } from '../store/service-state/slow-query-store.ts'
import type { Store } from '../store/store.ts'
import { tracedStore } from '../store/traced-store.ts'
import type { ApplicationSettings } from './application.ts'

export type Opened = Awaited<ReturnType<typeof open>>

/** `records` is what reads of requests ask; `read` tells how, where a replica answers them. */
export async function open(settings: ApplicationSettings, resources: AsyncDisposableStack) {
  const { clock = systemClock, newId = randomUUID, environment = process.env, readDatabase } = settings
  const metrics = new Metrics()
  const observe = fanOut(settings.observe, metrics.observe)
  const traces = await openTraces(environment, observe)
  resources.defer(() => traces?.close())
  const watched = { ...settings, observe, clock, metrics: metrics.store }
  const traced = (one: Store) => (traces ? tracedStore(one, traces) : one)
  const primary = await openStore({ ...watched, isService: true })
  resources.defer(() => primary.close())
  const replicated =
    readDatabase && (await openReads({ ...watched, readDatabase }, primary, new ReplicaMetrics(metrics)))
  if (replicated) resources.defer(replicated.close)
  const store = traced(primary)
  const slowQueries = new SlowQueryWriter(store, clock)
  resources.defer(() => slowQueries.stop())
  const records = replicated ? traced(replicated.reads.store) : store
  const read = replicated ? replicated.reads.read : undefined
  return { store, records, read, slowQueries, clock, newId, environment, metrics, observe, traces }
}

/**
 * Looks for the replica once. When it is not there, or is behind, the primary answers until it is. Throws for a
 * database that has no replicas.
 */
async function openReads(
  settings: StoreSettings & { readonly readDatabase: string },
  primary: Store,
  metrics: ReplicaMetrics,
): Promise<{ reads: ReplicatedReads; close(): Promise<void> }> {
  const driver = driverAt(settings)
  const opened = { ...withDefaults(settings), slow: primary.slow }
  const replica = driver.openReplica?.(opened, settings.readDatabase)
  if (!replica) throw new Error(`--read-database: ${driver.title} has no replicas that can be read from`)
  const watch = new ReplicaWatch(replica, settings.observe)
  metrics.behindSeconds = () => (watch.isUsable ? watch.behindMs / 1000 : undefined)
  await watch.start()
  const close = async () => {
    watch.stop()
    await replica.close()
  }
  return { reads: replicatedReads({ primary, replica, watch, metrics }), close }
}
