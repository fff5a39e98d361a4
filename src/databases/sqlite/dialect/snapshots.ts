// Reads the number of a company's last change and an answer from one snapshot: the transaction of a connection that
// never writes.
import type { StatementSync } from 'node:sqlite'
import { type Connection, firstColumn, prepareArrays } from './connection.ts'

export class Snapshots {
  readonly #connection: Connection
  readonly #begin: StatementSync
  readonly #end: StatementSync
  readonly #number: StatementSync

  constructor(connection: Connection) {
    this.#connection = connection
    this.#begin = connection.prepare('begin')
    this.#end = connection.prepare('commit')
    this.#number = prepareArrays(connection, 'select last_entry from journal_counter where company_id = ?')
  }

  /** Runs `read` on the snapshot that it gets the number of. */
  read<T>(companyId: string, read: (changeNumber: number) => T): T {
    // `get` runs it too, without an object for the counts.
    this.#begin.get()
    try {
      return read(this.numberOf(companyId))
    } finally {
      // Some errors of the disk have ended the transaction already.
      if (this.#connection.isTransaction) this.#end.get()
    }
  }

  /** The number now, or in the snapshot that is being read. */
  numberOf(companyId: string): number {
    return Number(firstColumn(this.#number, [companyId]) ?? 0)
  }
}
