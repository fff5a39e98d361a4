// The versions of tables as this process knows them. A process that has the data folder to itself is told of its own
// commits; otherwise SQLite tells a connection when any other has committed. Until then what was read of them holds.
import type { StatementSync } from 'node:sqlite'
import type { Validity } from '../../../base/validity.ts'
import { tagOf } from '../../versions/table-versions.ts'
import { type Connection, firstColumn, prepareArrays } from './connection.ts'

export class FileVersions {
  /** Nothing where no other process writes. */
  readonly #dataVersion: StatementSync | undefined
  readonly #read: (companyId: string, table: string) => number | undefined
  #seen: unknown
  /** Grows with every look that finds that somebody has committed. */
  #generation = 0
  /** Company -> table -> version. */
  #known = new Map<string, Map<string, number>>()

  /** `shared`: others write, too; a connection of this process that never does. */
  constructor(read: (companyId: string, table: string) => number | undefined, shared: Connection | undefined) {
    this.#dataVersion = shared && prepareArrays(shared, 'pragma data_version')
    this.#read = read
  }

  /** This process has committed, and has not answered yet. */
  forget(): void {
    this.#generation += 1
    this.#known.clear()
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
    if (!this.#dataVersion) return this.#generation
    const dataVersion = firstColumn(this.#dataVersion, [])
    if (dataVersion !== this.#seen) {
      // First this and then the versions: what is read of them is never older than what it is kept for.
      this.#seen = dataVersion
      this.forget()
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
