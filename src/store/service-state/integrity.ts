// What is known of a database as a whole, and the work of looking through it.
import type { TellProgress } from '../database-copy.ts'
import { checkServer } from '../dialects/postgres/copy/check-server.ts'
import { checkDatabaseFile } from '../dialects/sqlite/file/integrity-check.ts'

export interface Integrity {
  /**
   * `sound`: the service has always ended in good order since the file was made or last checked; `unchecked`: it has
   * not; `damaged`: the last check that came to its end has found faults.
   */
  readonly condition: 'sound' | 'unchecked' | 'damaged'
  readonly isChecking: boolean
  /** The last check that came to its end. */
  readonly lastCheck?: {
    readonly endedAt: string
    readonly seconds: number
    /** How many it has found, and the first of them in words. */
    readonly faults: number
    readonly first?: string
  }
}

export interface IntegrityTask {
  readonly data: string
  readonly database: string | undefined
  /** Leaves out the comparison of indexes with their tables, which takes most of the time. */
  readonly isQuick: boolean
  readonly progress: TellProgress
  tell(fault: string): void
  /** Told of what could not be looked at. */
  note(text: string): void
}

/**
 * Looks through the database of the settings, also while a service writes to it, and changes nothing; gives how many
 * tables it has.
 */
export function checkIntegrity(task: IntegrityTask): Promise<number> {
  return task.database === undefined ? checkDatabaseFile(task) : checkServer(task, task.database)
}
