// Opens the configured store and checks everything that must hold before the first request.
import { StoreMetrics } from '../../observe/store-metrics.ts'
import { SlowQueries } from '../../store/slow-queries.ts'
import type { Store } from '../../store/store.ts'
import type { OpenSettings, StoreSettings } from '../driver.ts'
import { driverAt, EMBEDDED } from './drivers.ts'

/** The timeout of a query, in milliseconds. Nobody waits interactively for longer. */
export const QUERY_TIMEOUT_MS = 30_000
/** In milliseconds: long enough for a person to notice. */
const SLOW_QUERY_MS = 200

/**
 * Throws with a clear message when the folder is in use, the file is no database, the schema is newer than this
 * program, or the database does not make commits durable.
 */
export async function openStore(settings: StoreSettings): Promise<Store> {
  return driverAt(settings).openStore(withDefaults(settings))
}

/** An empty store in a temporary folder that is removed on close, for work that stores nothing. */
export function openScratchStore(settings: StoreSettings): Promise<Store> {
  return EMBEDDED.openScratchStore(withDefaults({ ...settings, slowQueryMs: QUERY_TIMEOUT_MS }))
}

export function withDefaults(settings: StoreSettings): OpenSettings {
  const { observe, metrics = new StoreMetrics(), queryTimeoutMs = QUERY_TIMEOUT_MS } = settings
  const slow = new SlowQueries({ thresholdMs: settings.slowQueryMs ?? SLOW_QUERY_MS, observe, metrics })
  const { attached = [], isWorker = false, isBulk = false, isPooled = false, leavesLog = false } = settings
  return { ...settings, attached, queryTimeoutMs, isWorker, isBulk, isPooled, leavesLog, metrics, slow }
}
