// The lock of the commands beside a service, which share it. The process that holds the folder has it alone while the
// schema may change, and finds out with it whether a command goes on. A command never keeps a service from starting.
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { keepPrivate } from '../../../base/process/files.ts'
import { BUSY } from '../../file-lock.ts'

export class CommandsLock {
  /** Open until the end: the folder may be gone by then. */
  readonly #lock: DatabaseSync

  constructor(folder: string) {
    const file = join(folder, 'commands.lock')
    keepPrivate(file)
    this.#lock = new DatabaseSync(file)
  }

  /** Keeps commands out until `letIn`, new ones while it waits too; false when there are any after `waitMs`. */
  keepOut(waitMs = 0): boolean {
    return this.#lock.isTransaction || this.#take('begin exclusive', waitMs)
  }

  letIn(): void {
    if (this.#lock.isTransaction) this.#lock.exec('rollback')
  }

  /** For a command: false when commands are kept out. */
  share(): boolean {
    return this.#take('begin; select count(*) from sqlite_schema', 0)
  }

  close(): void {
    this.#lock.close()
  }

  #take(statements: string, waitMs: number): boolean {
    try {
      // A full disk has no room for a journal, and the file is never written to. The mode too is read under the lock.
      this.#lock.exec(`pragma busy_timeout = ${waitMs}; pragma journal_mode = memory; ${statements}`)
      return true
    } catch (error) {
      this.letIn()
      if ((error as { errcode?: number }).errcode !== BUSY) throw error
      return false
    }
  }
}
