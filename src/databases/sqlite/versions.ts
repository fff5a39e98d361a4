// A cache of the table versions in this process. A process invalidates it after its own
// commits; SQLite reports to a connection when another one has committed.

import type { StatementSync } from 'node:sqlite'
import { getOrInsert } from '../../base/memo.ts'
import type { Validity } from '../../base/validity.ts'
import { tagOf } from '../../store/table-versions.ts'
import { type Connection, firstColumn, prepareArrays } from './dialect/connection.ts'

export class FileVersions {
  readonly #dataVersion: StatementSync
  readonly #read: (companyId: string, table: string) => number | undefined
  readonly #readNumber: (companyId: string) => number
  #lastDataVersion: unknown
  /** Incremented whenever a check finds that another connection has committed. */
  #generation = 0
  readonly #versions = new Map<string, CompanyVersions>()

  /** `reader`: a connection of this process that never writes. */
  constructor(
    read: (companyId: string, table: string) => number | undefined,
    readNumber: (companyId: string) => number,
    reader: Connection,
  ) {
    this.#dataVersion = prepareArrays(reader, 'pragma data_version')
    this.#read = read
    this.#readNumber = readNumber
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
    let { changeNumber } = this.#of(companyId)
    return {
      tag,
      get changeNumber() {
        return changeNumber
      },
      isCurrent: () => {
        const now = this.#currentGeneration()
        if (generation === now) return true
        if (this.#tagOf(companyId, tables) !== tag) return false
        generation = now
        changeNumber = this.#of(companyId).changeNumber
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
    const { tables: known } = this.#of(companyId)
    return tagOf(tables, (table) => getOrInsert(known, table, () => this.#read(companyId, table) ?? 0))
  }

  #of(companyId: string): CompanyVersions {
    // Read before any version, so that none is older than the number.
    return getOrInsert(this.#versions, companyId, () => ({
      changeNumber: this.#readNumber(companyId),
      tables: new Map(),
    }))
  }
}

interface CompanyVersions {
  readonly changeNumber: number
  /** By table. */
  readonly tables: Map<string, number>
}
