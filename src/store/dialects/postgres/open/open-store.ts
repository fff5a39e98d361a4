// Opens the store on PostgreSQL, and those of its replicas.
import { metricsOfReplica } from '../../../../observe/store-metrics.ts'
import type { Replica } from '../../../replica/replica.ts'
import type { Store } from '../../../store.ts'
import type { OpenSettings } from '../../driver.ts'
import { requireWhole } from '../distribution/placed-tables.ts'
import { migrateSchema, requireSchema } from '../migrations/migrate-schema.ts'
import { renewStalePolicies } from '../migrations/stale-policies.ts'
import { watchedReplica } from '../replicas/watched-replica.ts'
import { asOwner, withSchemaRights } from '../roles/schema-rights.ts'
import { requireVisibleRows } from '../roles/visible-rows.ts'
import { openPools } from '../sessions/pools.ts'
import { inSnapshot, withSession } from '../sessions/reading-session.ts'
import { reportUnlimited, requireDurable, requireReachable } from '../sessions/require-usable.ts'
import { whenFree } from '../sessions/when-free.ts'
import { PostgresStore } from '../store.ts'

/** Connects, migrates the schema and checks that commits are durable. */
export async function openPostgresStore(url: string, settings: OpenSettings): Promise<Store> {
  await requireReachable(url, settings.observe)
  const pools = openPools(url, settings)
  const { pool, probe } = pools
  try {
    await requireDurable(pool)
    if (settings.isPooled) await requireSchema(pool, settings.observe)
    else await withSchemaRights(pool, () => migrateSchema(url, settings.observe))
    await asOwner(() => whenFree(pool, () => renewStalePolicies(pool)))
    await withSession(url, 'tabularium start', async (session) => {
      await requireWhole(session)
      await inSnapshot(session, () => requireVisibleRows(session))
    })
    await reportUnlimited(pool, settings)
    return new PostgresStore(pools, url, settings)
  } catch (error) {
    await Promise.all([pool.end(), probe.end()])
    throw error
  }
}

/** A replica has the schema of its primary, so nothing is migrated. */
export function openPostgresReplica(primaryUrl: string, url: string, settings: OpenSettings): Replica {
  const pools = openPools(url, settings)
  const metrics = metricsOfReplica(settings.metrics)
  return watchedReplica(new PostgresStore(pools, url, { ...settings, metrics }), primaryUrl, url)
}
