// Reads the number of a company's last change and an answer from one snapshot: the transaction of a connection that
// never writes.
import type { StatementSync } from 'node:sqlite'
import { getOrInsert } from '../../../base/memo.ts'
import type { SharedReads } from '../../../base/shared-reads.ts'
import { type Connection, firstColumn, prepareArrays } from './connection.ts'

export class Snapshots implements SharedReads {
  readonly #connection: Connection
  readonly #begin: StatementSync
  readonly #end: StatementSync
  readonly #number: StatementSync
  /** The numbers of the snapshot that is shared, by company. */
  #shared: Map<string, number> | undefined

  constructor(connection: Connection) {
    this.#connection = connection
    this.#begin = connection.prepare('begin')
    this.#end = connection.prepare('commit')
    this.#number = prepareArrays(connection, 'select last_entry from journal_counter where company_id = ?')
  }

  /** Runs `read` on the snapshot that it gets the number of. */
  read<T>(companyId: string, read: (changeNumber: number) => T): T {
    if (this.#shared && this.#connection.isTransaction) return read(this.numberOf(companyId))
    // `get` runs it too, without an object for the counts.
    this.#begin.get()
    try {
      return read(this.numberOf(companyId))
    } finally {
      this.#finish()
    }
  }

  begin(): void {
    this.#begin.get()
    this.#shared = new Map()
  }

  end(): void {
    if (!this.#shared) return
    this.#shared = undefined
    this.#finish()
  }

  /** The number now, or in the snapshot that is being read. */
  numberOf(companyId: string): number {
    const find = () => Number(firstColumn(this.#number, [companyId]) ?? 0)
    return this.#shared ? getOrInsert(this.#shared, companyId, find) : find()
  }

  #finish(): void {
    // Some errors of the disk have ended the transaction already, and so has a stop.
    if (this.#connection.isOpen && this.#connection.isTransaction) this.#end.get()
  }
}
