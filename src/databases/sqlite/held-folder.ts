// The data folder of the embedded database while this process holds it, with the database's integrity state.
import { DatabaseSync } from 'node:sqlite'
import type { Observe } from '../../observe/observation.ts'
import type { InstanceLock } from '../file-lock.ts'
import { BackgroundCheck } from './file/background-check.ts'
import { CommandsLock } from './file/commands-lock.ts'
import {
  databaseFile,
  explainFolderError,
  hasDatabase,
  removeTemporaryFiles,
  requireNotLost,
  writeBallast,
} from './file/data-folder.ts'
import { lockDataFolder } from './file/folder-lock.ts'
import { noteClosed, noteIntegrity, noteOpened } from './file/integrity-record.ts'
import { requireSoundLog } from './file/log-damage.ts'

/** How long a start waits for the commands whose schema it changes. One that has just begun ends for it at once. */
const COMMANDS_END_MS = 5_000

export class HeldFolder {
  readonly #folder: string
  readonly #lock: InstanceLock
  readonly #commands: CommandsLock
  readonly #isNew: boolean
  readonly #isTrusted: boolean
  /**
   * Kept open so that a process that finds a replaced lock file still finds the database in use, also while no process
   * serves.
   */
  readonly #opened: DatabaseSync | undefined
  #check: BackgroundCheck | undefined

  /** Keeps new commands out until `letCommandsIn`. Throws when another process holds it, or its database is lost. */
  constructor(folder: string) {
    this.#folder = folder
    using taken = new DisposableStack()
    try {
      // Before anything is written.
      requireNotLost(folder)
      this.#lock = taken.adopt(lockDataFolder(folder), (lock) => lock.release())
      this.#commands = taken.adopt(new CommandsLock(folder), (lock) => lock.close())
      const isAlone = this.#commands.keepOut()
      writeBallast(folder)
      this.#isNew = !hasDatabase(folder)
      this.#isTrusted = noteOpened(folder).condition === 'sound'
      // A command that goes on writes both, and whoever held the folder before it has looked at them.
      if (isAlone) {
        removeTemporaryFiles(folder)
        requireSoundLog(databaseFile(folder))
      }
      this.#opened = this.#isNew ? undefined : open(databaseFile(folder))
    } catch (error) {
      throw explainFolderError(error, folder)
    }
    taken.move()
  }

  /** Starts a low-priority check of the database, unless the last service was shut down cleanly. */
  checkUnlessTrusted(observe: Observe): void {
    if (!this.#isTrusted) this.#check = new BackgroundCheck(databaseFile(this.#folder), observe)
  }

  /** Keeps commands out while the schema changes. Throws when one goes on. */
  beforeMigration(): void {
    if (this.#commands.keepOut(COMMANDS_END_MS)) return
    throw new Error(`a command still uses the data folder ${this.#folder}, whose schema must change: wait for its end`)
  }

  /** Called when the schema is that of this program. */
  letCommandsIn(): void {
    if (this.#isNew) noteIntegrity(this.#folder, { condition: 'sound', isChecking: false })
    this.#commands.letIn()
  }

  /** Must come before the database is closed: a reader would prevent the removal of the write-ahead log. */
  async stopCheck(): Promise<void> {
    await this.#check?.stop()
  }

  /**
   * Releases the folder after the database was closed. After any other end than a clean one, or while a command goes
   * on, the next start checks the database.
   */
  async release(isClean: boolean): Promise<void> {
    await this.stopCheck()
    this.#opened?.close()
    if (isClean && this.#commands.keepOut()) noteClosed(this.#folder)
    this.#lock.release()
    // The last: a command that begins now may hold the folder itself.
    this.#commands.close()
  }
}

function open(file: string): DatabaseSync {
  const connection = new DatabaseSync(file)
  connection.prepare('select count(*) from sqlite_schema').get()
  return connection
}
