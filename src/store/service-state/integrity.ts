// The integrity state of a database file, and the check that determines it.
import type { ReportProgress } from '../database-copy.ts'
import { checkServer } from '../dialects/postgres/copy/check-server.ts'
import { checkDatabaseFile } from '../dialects/sqlite/file/integrity-check.ts'

export interface Integrity {
  /**
   * `sound`: since the file was created or last checked, the service was always shut down cleanly; `unchecked`: it was
   * not; `damaged`: the last completed check found faults.
   */
  readonly condition: 'sound' | 'unchecked' | 'damaged'
  readonly isChecking: boolean
  /** The last completed check. */
  readonly lastCheck?: {
    readonly endedAt: string
    readonly seconds: number
    /** The number of faults found; `first` describes the first one. */
    readonly faults: number
    readonly first?: string
  }
}

export interface IntegrityTask {
  readonly data: string
  readonly database: string | undefined
  /** Skips the comparison of indexes with their tables, which takes most of the time. */
  readonly isQuick: boolean
  readonly progress: ReportProgress
  report(fault: string): void
  /** Called for parts that could not be checked. */
  note(text: string): void
}

/**
 * Checks the configured database, also while a service writes to it, and changes nothing. Returns the number of its
 * tables.
 */
export function checkIntegrity(task: IntegrityTask): Promise<number> {
  return task.database === undefined ? checkDatabaseFile(task) : checkServer(task, task.database)
}
