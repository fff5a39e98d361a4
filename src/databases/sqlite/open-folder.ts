// Opens the store of a data folder: takes the folder, and watches the disk while the store is open.
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { freeBytes } from '../../base/process/files.ts'
import { orUndefined } from '../../base/thrown.ts'
import type { Observe } from '../../observe/observation.ts'
import type { Store } from '../../store/store.ts'
import { FatalStoreFault } from '../../store/store-fault.ts'
import type { OpenSettings } from '../driver.ts'
import { CommandsLock } from './file/commands-lock.ts'
import { databaseFile, hasDatabase, LOW_WATER_BYTES, requireDatabaseFile } from './file/data-folder.ts'
import { FolderInUse, requireHolder, shareDataFolder } from './file/folder-lock.ts'
import { HeldFolder } from './held-folder.ts'
import { openSqliteStore } from './store.ts'

const SPACE_CHECK_MS = 1_000
/** How long a command waits for a service that starts. */
const START_MS = 15_000
const TRY_AGAIN_MS = 50

/** Whoever holds the folder has not made its schema that of this program. */
class OtherSchema extends Error {
  constructor(data: string) {
    super(
      `the service on the data folder ${data} is still starting, or of another version: start it with this one first`,
    )
  }
}

/** Opens the store of a data folder, which one service holds. A command shares it with that service. */
export async function openFolder(settings: OpenSettings): Promise<Store> {
  for (const giveUpAt = performance.now() + START_MS; ; await delay(TRY_AGAIN_MS)) {
    try {
      return await openOnce(settings)
    } catch (error) {
      if (!(error instanceof OtherSchema) || performance.now() > giveUpAt) throw error
    }
  }
}

async function openOnce(settings: OpenSettings): Promise<Store> {
  const { data, isWorker, heldBy, observe } = settings
  // Made before a worker may open it.
  if (isWorker) requireDatabaseFile(data)
  const folder = isWorker ? undefined : holdOrShare(settings)
  if (heldBy !== undefined) shareDataFolder(data, heldBy)
  const fail = (fault: FatalStoreFault) => {
    observe({ kind: 'store-failed', error: fault })
    settings.onFatal(fault)
  }
  const space = watchSpace(data, observe, () => fail(new FatalStoreFault(`the data folder ${data} is gone`)))
  try {
    const store = await openSqliteStore({
      ...settings,
      file: databaseFile(data),
      mayWrite: () => space.isEnough,
      requireHeld: () => heldBy !== undefined && requireHolder(heldBy),
      beforeMigration: () => folder?.beforeMigration(),
      onFatal: fail,
      beforeClose: async () => {
        space.stop()
        await folder?.stopCheck()
      },
      afterClose: () => folder?.release(true),
    })
    space.databaseOpened()
    folder?.letCommandsIn()
    if (settings.checksInBackground) folder?.checkUnlessTrusted(observe)
    return store
  } catch (error) {
    space.stop()
    await folder?.release(false)
    throw error
  }
}

type Folder = Pick<HeldFolder, 'beforeMigration' | 'letCommandsIn' | 'checkUnlessTrusted' | 'stopCheck' | 'release'>

function holdOrShare({ data, isService }: OpenSettings): Folder {
  try {
    return new HeldFolder(data)
  } catch (error) {
    if (isService || !(error instanceof FolderInUse)) throw error
    return shareFolder(data)
  }
}

/** The folder for a command beside the process that holds it, which looks after it. */
function shareFolder(data: string): Folder {
  const lock = new CommandsLock(data)
  const beforeMigration = () => {
    throw new OtherSchema(data)
  }
  if (!lock.share() || !hasDatabase(data)) {
    lock.close()
    beforeMigration()
  }
  return {
    beforeMigration,
    letCommandsIn: () => {},
    checkUnlessTrusted: () => {},
    stopCheck: async () => {},
    release: async () => lock.close(),
  }
}

/** An empty store in a temporary folder that is removed on close, for work that stores nothing. */
export async function openScratchStore(settings: Omit<OpenSettings, 'data'>): Promise<Store> {
  const folder = mkdtempSync(join(tmpdir(), 'tabularium-'))
  return openSqliteStore({
    ...settings,
    file: databaseFile(folder),
    attached: [],
    mayWrite: () => true,
    requireHeld: () => {},
    beforeMigration: () => {},
    beforeClose: async () => {},
    afterClose: () => rmSync(folder, { recursive: true, force: true }),
  })
}

/** A folder that cannot be inspected counts as full: nothing could be written there either. */
function hasFreeSpace(folder: string): boolean {
  return (orUndefined(() => freeBytes(folder)) ?? 0) >= LOW_WATER_BYTES
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
