// The data folder of the embedded database while this process holds it, with the database's integrity state.
import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import type { Observe } from '../../observe/observation.ts'
import type { InstanceLock } from '../file-lock.ts'
import { BackgroundCheck } from './file/background-check.ts'
import { databaseFile, explainFolderError, removeTemporaryFiles, writeBallast } from './file/data-folder.ts'
import { keepCommandsOut, lockDataFolder } from './file/folder-lock.ts'
import { noteClosed, noteOpened } from './file/integrity-record.ts'
import { requireSoundLog } from './file/log-damage.ts'

export class HeldFolder {
  readonly #folder: string
  readonly #lock: InstanceLock
  readonly #isTrusted: boolean
  /**
   * Kept open so that a process that finds a replaced lock file still finds the database in use, also while no process
   * serves.
   */
  readonly #opened: DatabaseSync | undefined
  #check: BackgroundCheck | undefined

  /** Throws when another process holds it. */
  constructor(folder: string) {
    this.#folder = folder
    try {
      this.#lock = lockDataFolder(folder)
    } catch (error) {
      throw explainFolderError(error, folder)
    }
    try {
      removeTemporaryFiles(folder)
      writeBallast(folder)
      this.#isTrusted = noteOpened(folder).condition === 'sound'
      requireSoundLog(databaseFile(folder))
      this.#opened = open(databaseFile(folder))
    } catch (error) {
      this.#lock.release()
      throw explainFolderError(error, folder)
    }
  }

  /** Starts a low-priority check of the database, unless the last service was shut down cleanly. */
  checkUnlessTrusted(observe: Observe): void {
    if (!this.#isTrusted) this.#check = new BackgroundCheck(databaseFile(this.#folder), observe)
  }

  /** Keeps commands out while the schema changes. Throws when there are any. */
  beforeMigration(): InstanceLock {
    const alone = keepCommandsOut(this.#folder)
    if (alone) return alone
    throw new Error(`a command still uses the data folder ${this.#folder}, whose schema must change: wait for its end`)
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
    const alone = keepCommandsOut(this.#folder)
    if (isClean && alone) noteClosed(this.#folder)
    alone?.release()
    this.#lock.release()
  }
}

function open(file: string): DatabaseSync | undefined {
  if (!existsSync(file)) return undefined
  const connection = new DatabaseSync(file)
  connection.prepare('select count(*) from sqlite_schema').get()
  return connection
}
