// The versions of tables as this process knows them. SQLite tells a connection when any other has committed, also one of
// another process; until then what was read of them holds, so that asking costs about a microsecond.
import type { StatementSync } from 'node:sqlite'
import type { Validity } from '../../../base/validity.ts'
import { tagOf } from '../../table-versions.ts'
import { type Connection, firstColumn, prepareArrays } from './connection.ts'

export class FileVersions {
  readonly #dataVersion: StatementSync
  readonly #read: (companyId: string, table: string) => number | undefined
  #seen: unknown
  /** Grows with every look that finds that somebody has committed. */
  #generation = 0
  /** Company -> table -> version. */
  #known = new Map<string, Map<string, number>>()

  /** `connection` must be one that never writes: its own commits would not be told. */
  constructor(connection: Connection, read: (companyId: string, table: string) => number | undefined) {
    this.#dataVersion = prepareArrays(connection, 'pragma data_version')
    this.#read = read
  }

  /** The state of the tables as it is now. */
  validityOf(companyId: string, tables: readonly string[]): Validity {
    let generation = this.#look()
    const tag = this.#tagOf(companyId, tables)
    return {
      tag,
      isCurrent: () => {
        const now = this.#look()
        if (generation === now) return true
        if (this.#tagOf(companyId, tables) !== tag) return false
        generation = now
        return true
      },
    }
  }

  #look(): number {
    const dataVersion = firstColumn(this.#dataVersion, [])
    if (dataVersion !== this.#seen) {
      // First this and then the versions: what is read of them is never older than what it is kept for.
      this.#seen = dataVersion
      this.#generation += 1
      this.#known.clear()
    }
    return this.#generation
  }

  #tagOf(companyId: string, tables: readonly string[]): string {
    let known = this.#known.get(companyId)
    if (!known) {
      known = new Map()
      this.#known.set(companyId, known)
    }
    return tagOf(tables, (table) => {
      let version = known.get(table)
      if (version === undefined) {
        version = this.#read(companyId, table) ?? 0
        known.set(table, version)
      }
      return version
    })
  }
}
