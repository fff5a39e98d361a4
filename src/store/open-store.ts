// Opens the store that the settings name, with everything that has to be sound before the first request.
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
  /** The data folder: holds the database when no other is named. */
  readonly data: string
  /** `postgres://...`, or nothing for SQLite in the data folder. */
  readonly database?: string | undefined
  /** Database files to read beside the embedded one, each as `name=file`. */
  readonly attached?: readonly string[] | undefined
  /** Memory for pages of the embedded database, in KiB; default 32 MiB. */
  readonly cacheKib?: number | undefined
  /** How long a query may take; default 30 s. */
  readonly queryTimeoutMs?: number | undefined
  /** Questions that take longer are remembered; default 200 ms. */
  readonly slowQueryMs?: number | undefined
  /** One of several processes on the store: the first of them has brought it up to date and holds the data folder. */
  readonly isWorker?: boolean
  /** The process that holds the data folder, where it is the one that has started this one. */
  readonly heldBy?: number
  /** One program alone brings records in: commits and checkpoints may be large. */
  readonly isBulk?: boolean
  /** Looks through the embedded database in the background when its last service has not ended in good order. */
  readonly checksInBackground?: boolean
  readonly clock: Clock
  readonly observe: Observe
  /** Where the store counts what it does. */
  readonly figures?: StoreMetrics | undefined
  /** Called once when the disk fails under a write: nothing may be acknowledged any more. */
  onFatal(fault: FatalStoreFault): void
}

const SPACE_CHECK_MS = 1_000
const CACHE_KIB = 32 * 1024
/** A query that takes longer is not one that somebody waits for. */
export const QUERY_TIMEOUT_MS = 30_000
/** Long enough that a person notices. */
const SLOW_QUERY_MS = 200

/**
 * Throws with a clear message when the folder is in use, the file no database, the schema newer or the database unsafe.
 */
export async function openStore(settings: StoreSettings): Promise<Store> {
  const { database, isBulk = false, clock, observe, figures = new StoreMetrics() } = settings
  const { queryTimeoutMs = QUERY_TIMEOUT_MS } = settings
  const slow = new SlowQueries({ thresholdMs: settings.slowQueryMs ?? SLOW_QUERY_MS, observe, figures })
  if (database !== undefined) {
    const onWarning = (message: string) => observe({ kind: 'store-warning', message })
    return openPostgresStore({ url: database, clock, figures, slow, onWarning, queryTimeoutMs, isBulk })
  }
  return openEmbedded(settings, figures, slow, queryTimeoutMs)
}

/** Throws when no setup was ever applied there; makes nothing. */
export async function requireMade({ data, database }: Pick<StoreSettings, 'data' | 'database'>): Promise<void> {
  if (database === undefined) requireDatabaseFile(data)
  else if (!(await isMadeOn(database))) throw new Error('no company is set up in the database')
}

/** Whether a setup was ever applied there. */
export async function isMade({ data, database }: Pick<StoreSettings, 'data' | 'database'>): Promise<boolean> {
  return database === undefined ? existsSync(databaseFile(data)) : isMadeOn(database)
}

function isMadeOn(url: string): Promise<boolean> {
  return withSession(url, 'tabularium', isSetUp)
}

/** An empty store in a folder that is gone with it, for work of which nothing is kept. */
export async function openScratchStore(settings: StoreSettings): Promise<Store> {
  const folder = mkdtempSync(join(tmpdir(), 'tabularium-'))
  const { clock, observe, onFatal, figures = new StoreMetrics(), cacheKib = CACHE_KIB } = settings
  const store = await openSqliteStore({
    file: databaseFile(folder),
    attached: [],
    cacheKib,
    queryTimeoutMs: QUERY_TIMEOUT_MS,
    isWorker: false,
    isBulk: false,
    clock,
    figures,
    slow: new SlowQueries({ thresholdMs: QUERY_TIMEOUT_MS, observe, figures }),
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
  figures: StoreMetrics,
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
      figures,
      slow,
      mayWrite: () => space.isEnough,
      requireHeld: () => heldBy !== undefined && requireHolder(heldBy),
      onFatal: fail,
    })
    space.remember()
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

/** A folder that cannot be asked counts as full: nothing could be written there either. */
function hasRoom(folder: string): boolean {
  try {
    return freeBytes(folder) >= LOW_WATER_BYTES
  } catch {
    return false
  }
}

interface Space {
  isEnough: boolean
  /** The database is open: from now on this file has to stay. */
  remember(): void
  stop(): void
}

/**
 * Looks at the free space now and then: a disk is better found nearly full than full. `onGone`: the database is not
 * there any more.
 */
function watchSpace(folder: string, observe: Observe, onGone: () => void): Space {
  const file = databaseFile(folder)
  const find = () => statSync(file, { bigint: true, throwIfNoEntry: false })?.ino
  let isOpen = false
  let opened: bigint | undefined
  const space: Space = {
    isEnough: hasRoom(folder),
    // At once: it may be gone before the first look.
    remember: () => {
      isOpen = true
      opened = find()
    },
    stop: () => clearInterval(timer),
  }
  const timer = setInterval(() => {
    const found = find()
    if (isOpen && (found === undefined || found !== opened)) {
      space.isEnough = false
      clearInterval(timer)
      onGone()
      return
    }
    const isEnough = hasRoom(folder)
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
