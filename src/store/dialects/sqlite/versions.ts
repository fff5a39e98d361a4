// A cache of the table versions in this process. A process invalidates it after its own
// commits; SQLite reports to a connection when another one has committed.
import type { StatementSync } from 'node:sqlite'
import type { Validity } from '../../../base/validity.ts'
import { tagOf } from '../../versions/table-versions.ts'
import { type Connection, firstColumn, prepareArrays } from './connection.ts'

export class FileVersions {
  readonly #dataVersion: StatementSync
  readonly #read: (companyId: string, table: string) => number | undefined
  #lastDataVersion: unknown
  /** Incremented whenever a check finds that another connection has committed. */
  #generation = 0
  /** Company -> table -> version. */
  #versions = new Map<string, Map<string, number>>()

  /** `reader`: a connection of this process that never writes. */
  constructor(read: (companyId: string, table: string) => number | undefined, reader: Connection) {
    this.#dataVersion = prepareArrays(reader, 'pragma data_version')
    this.#read = read
  }

  /** Called when this process has committed, before it answers. */
  invalidate(): void {
    this.#generation += 1
    this.#versions.clear()
  }

  /** The current state of the tables. */
  validityOf(companyId: string, tables: readonly string[]): Validity {
    let generation = this.#currentGeneration()
    const tag = this.#tagOf(companyId, tables)
    return {
      tag,
      isCurrent: () => {
        const now = this.#currentGeneration()
        if (generation === now) return true
        if (this.#tagOf(companyId, tables) !== tag) return false
        generation = now
        return true
      },
    }
  }

  #currentGeneration(): number {
    const dataVersion = firstColumn(this.#dataVersion, [])
    if (dataVersion !== this.#lastDataVersion) {
      // This is read before the versions: cached versions are never older than their generation.
      this.#lastDataVersion = dataVersion
      this.invalidate()
    }
    return this.#generation
  }

  #tagOf(companyId: string, tables: readonly string[]): string {
    let versions = this.#versions.get(companyId)
    if (!versions) {
      versions = new Map()
      this.#versions.set(companyId, versions)
    }
    return tagOf(tables, (table) => {
      let version = versions.get(table)
      if (version === undefined) {
        version = this.#read(companyId, table) ?? 0
        versions.set(table, version)
      }
      return version
    })
  }
}
