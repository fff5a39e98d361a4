// The data folder of the embedded database while a process holds it, with what is known of the database as a whole.
import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import type { Observe } from '../../../../observe/observation.ts'
import { BackgroundCheck } from './background-check.ts'
import { databaseFile, explainFolder, type InstanceLock, layBallast, sweepTemporaryFiles } from './data-folder.ts'
import { lockDataFolder } from './folder-lock.ts'
import { noteClosed, noteOpened } from './integrity-record.ts'
import { requireWholeLog } from './log-damage.ts'

export class HeldFolder {
  readonly #folder: string
  readonly #lock: InstanceLock
  readonly #isTrusted: boolean
  /** Who finds another lock file than ours still finds the database open, also while no process serves. */
  readonly #opened: DatabaseSync | undefined
  #check: BackgroundCheck | undefined

  /** Throws when another process holds it. */
  constructor(folder: string) {
    this.#folder = folder
    try {
      this.#lock = lockDataFolder(folder)
    } catch (error) {
      throw explainFolder(error, folder)
    }
    try {
      sweepTemporaryFiles(folder)
      layBallast(folder)
      this.#isTrusted = noteOpened(folder).condition === 'sound'
      requireWholeLog(databaseFile(folder))
      this.#opened = open(databaseFile(folder))
    } catch (error) {
      this.#lock.release()
      throw explainFolder(error, folder)
    }
  }

  /** Looks through the database at low priority, unless the service has ended in good order. */
  checkUnlessTrusted(observe: Observe): void {
    if (!this.#isTrusted) this.#check = new BackgroundCheck(databaseFile(this.#folder), observe)
  }

  /** Before the database is closed: a reader would keep the write-ahead log. */
  async stopCheck(): Promise<void> {
    await this.#check?.stop()
  }

  /** Lets go of it when the database is closed; after any other end than a good one the next start will check. */
  async release(wasInGoodOrder: boolean): Promise<void> {
    await this.stopCheck()
    this.#opened?.close()
    if (wasInGoodOrder) noteClosed(this.#folder)
    this.#lock.release()
  }
}

function open(file: string): DatabaseSync | undefined {
  if (!existsSync(file)) return undefined
  const connection = new DatabaseSync(file)
  connection.prepare('select count(*) from sqlite_schema').get()
  return connection
}
