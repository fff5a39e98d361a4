// Opens the configured store and checks everything that must hold before the first request.
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Clock } from '../base/clock.ts'
import { StoreMetrics } from '../observe/figures.ts'
import type { Observe } from '../observe/observation.ts'
import { isSetUp, withSession } from './dialects/postgres/copy/dump-tables.ts'
import { openPostgresStore } from './dialects/postgres/postgres-store.ts'
import { databaseFile, freeBytes, LOW_WATER_BYTES, requireDatabaseFile } from './dialects/sqlite/file/data-folder.ts'
import { requireHolder, shareDataFolder } from './dialects/sqlite/file/folder-lock.ts'
import { HeldFolder } from './dialects/sqlite/file/held-folder.ts'
import { openSqliteStore } from './dialects/sqlite/sqlite-store.ts'
import { SlowQueries } from './service-state/slow-queries.ts'
import type { Store } from './store.ts'
import { FatalStoreFault } from './store-fault.ts'

export interface StoreSettings {
  /** The data folder. It holds the embedded database when `database` is not given. */
  readonly data: string
  /** A `postgres://...` URL; absent for SQLite in the data folder. */
  readonly database?: string | undefined
  /** SQLite database files to attach read-only, each as `name=file`. */
  readonly attached?: readonly string[] | undefined
  /** The page cache of the embedded database in KiB; default 32 MiB. */
  readonly cacheKib?: number | undefined
  /** The query timeout; default 30 s. */
  readonly queryTimeoutMs?: number | undefined
  /** Queries that take longer are recorded as slow; default 200 ms. */
  readonly slowQueryMs?: number | undefined
  /** True in the further processes on a store: the first one has run the migrations and holds the data folder. */
  readonly isWorker?: boolean
  /** The id of the process that holds the data folder, when it has started this process. */
  readonly heldBy?: number
  /** True for an import by a single program: commits and checkpoints may be large. */
  readonly isBulk?: boolean
  /**
   * Checks the integrity of the embedded database in the background when its last service was not shut down cleanly.
   */
  readonly checksInBackground?: boolean
  readonly clock: Clock
  readonly observe: Observe
  /** Where the store counts its work. */
  readonly metrics?: StoreMetrics | undefined
  /** Called once when the disk fails during a write: nothing may be acknowledged any more. */
  onFatal(fault: FatalStoreFault): void
}

const SPACE_CHECK_MS = 1_000
const CACHE_KIB = 32 * 1024
/** The timeout of a query, in milliseconds. Nobody waits interactively for longer. */
export const QUERY_TIMEOUT_MS = 30_000
/** In milliseconds: long enough for a person to notice. */
const SLOW_QUERY_MS = 200

/**
 * Throws with a clear message when the folder is in use, the file is no database, the schema is newer than this
 * program, or the database does not make commits durable.
 */
export async function openStore(settings: StoreSettings): Promise<Store> {
  const { database, isBulk = false, clock, observe, metrics = new StoreMetrics() } = settings
  const { queryTimeoutMs = QUERY_TIMEOUT_MS } = settings
  const slow = new SlowQueries({ thresholdMs: settings.slowQueryMs ?? SLOW_QUERY_MS, observe, metrics })
  if (database !== undefined) {
    const onWarning = (message: string) => observe({ kind: 'store-warning', message })
    return openPostgresStore({ url: database, clock, metrics, slow, onWarning, queryTimeoutMs, isBulk })
  }
  return openEmbedded(settings, metrics, slow, queryTimeoutMs)
}

/** Throws when no setup was ever applied to the database. Creates nothing. */
export async function requireDatabaseSetUp({
  data,
  database,
}: Pick<StoreSettings, 'data' | 'database'>): Promise<void> {
  if (database === undefined) requireDatabaseFile(data)
  else if (!(await isSetUpOn(database))) throw new Error('no company is set up in the database')
}

/** Whether a setup was ever applied to the database. */
export async function isDatabaseSetUp({ data, database }: Pick<StoreSettings, 'data' | 'database'>): Promise<boolean> {
  return database === undefined ? existsSync(databaseFile(data)) : isSetUpOn(database)
}

function isSetUpOn(url: string): Promise<boolean> {
  return withSession(url, 'tabularium', isSetUp)
}

/** An empty store in a temporary folder that is removed on close, for work that stores nothing. */
export async function openScratchStore(settings: StoreSettings): Promise<Store> {
  const folder = mkdtempSync(join(tmpdir(), 'tabularium-'))
  const { clock, observe, onFatal, metrics = new StoreMetrics(), cacheKib = CACHE_KIB } = settings
  const store = await openSqliteStore({
    file: databaseFile(folder),
    attached: [],
    cacheKib,
    queryTimeoutMs: QUERY_TIMEOUT_MS,
    isWorker: false,
    isBulk: false,
    clock,
    metrics,
    slow: new SlowQueries({ thresholdMs: QUERY_TIMEOUT_MS, observe, metrics }),
    mayWrite: () => true,
    requireHeld: () => {},
    onFatal,
  })
  const close = store.close.bind(store)
  store.close = async () => {
    await close()
    rmSync(folder, { recursive: true, force: true })
  }
  return store
}

async function openEmbedded(
  {
    data,
    attached = [],
    cacheKib = CACHE_KIB,
    isWorker = false,
    heldBy,
    isBulk = false,
    checksInBackground = false,
    clock,
    observe,
    onFatal,
  }: StoreSettings,
  metrics: StoreMetrics,
  slow: SlowQueries,
  queryTimeoutMs: number,
): Promise<Store> {
  const folder = isWorker ? undefined : new HeldFolder(data)
  if (heldBy !== undefined) shareDataFolder(data, heldBy)
  const fail = (fault: FatalStoreFault) => {
    observe({ kind: 'store-failed', error: fault })
    onFatal(fault)
  }
  const space = watchSpace(data, observe, () => fail(new FatalStoreFault(`the data folder ${data} is gone`)))
  try {
    const store = await openSqliteStore({
      file: databaseFile(data),
      attached,
      cacheKib,
      queryTimeoutMs,
      isWorker,
      isBulk,
      clock,
      metrics,
      slow,
      mayWrite: () => space.isEnough,
      requireHeld: () => heldBy !== undefined && requireHolder(heldBy),
      onFatal: fail,
    })
    space.databaseOpened()
    if (checksInBackground) folder?.checkUnlessTrusted(observe)
    const close = store.close.bind(store)
    store.close = async () => {
      space.stop()
      await folder?.stopCheck()
      await close()
      await folder?.release(true)
    }
    return store
  } catch (error) {
    space.stop()
    await folder?.release(false)
    throw error
  }
}

/** A folder that cannot be inspected counts as full: nothing could be written there either. */
function hasFreeSpace(folder: string): boolean {
  try {
    return freeBytes(folder) >= LOW_WATER_BYTES
  } catch {
    return false
  }
}

interface Space {
  isEnough: boolean
  /** Called when the database is open: from now on its file must stay the same. */
  databaseOpened(): void
  stop(): void
}

/**
 * Checks the free space periodically, so that writes stop before the disk is full. `onGone` is called when the database
 * file was removed or replaced.
 */
function watchSpace(folder: string, observe: Observe, onGone: () => void): Space {
  const file = databaseFile(folder)
  const findInode = () => statSync(file, { bigint: true, throwIfNoEntry: false })?.ino
  let isOpen = false
  let opened: bigint | undefined
  const space: Space = {
    isEnough: hasFreeSpace(folder),
    // Recorded immediately: the file may be gone before the first check.
    databaseOpened: () => {
      isOpen = true
      opened = findInode()
    },
    stop: () => clearInterval(timer),
  }
  const timer = setInterval(() => {
    const found = findInode()
    if (isOpen && (found === undefined || found !== opened)) {
      space.isEnough = false
      clearInterval(timer)
      onGone()
      return
    }
    const isEnough = hasFreeSpace(folder)
    if (isEnough !== space.isEnough) {
      const message = isEnough
        ? 'there is room on the disk again: writing works'
        : 'the disk is nearly full: only reading works'
      observe({ kind: 'store-warning', message })
    }
    space.isEnough = isEnough
  }, SPACE_CHECK_MS)
  timer.unref()
  return space
}
