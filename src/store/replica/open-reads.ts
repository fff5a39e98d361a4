// Opens the replica that reads of requests go to.
import type { ReplicaMetrics } from '../../observe/store-metrics.ts'
import type { StoreSettings } from '../dialects/driver.ts'
import { driverAt } from '../dialects/drivers.ts'
import { withDefaults } from '../open-store.ts'
import type { Store } from '../store.ts'
import { ReplicaWatch } from './replica-watch.ts'
import { ReplicatedReads } from './replicated-reads.ts'

export interface ReadSettings extends StoreSettings {
  /** The URL of the replica. */
  readonly readDatabase: string
  readonly replicaMetrics: ReplicaMetrics
}

/**
 * Looks for the replica once. When it is not there, or is behind, the primary answers until it is. Throws for a
 * database that has no replicas.
 */
export async function openReads(
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
