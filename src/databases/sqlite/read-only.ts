// Opens a database file read-only, beside the process that writes it or while there is none.
import type { ReadOnlyDatabase } from '../../store/audit/audit-store.ts'
import { openReader } from './dialect/connection.ts'
import { tableColumns } from './dialect/declared-tables.ts'
import { sqliteDialect } from './dialect/dialect.ts'
import { addFunctions } from './dialect/functions.ts'
import { setupIndexes } from './file/setup-indexes.ts'
import { allRows, SqliteSession } from './writing/session.ts'

export function openReadOnlyFile(file: string, attached: readonly string[]): ReadOnlyDatabase {
  const connection = openReader(file, attached)
  addFunctions(connection)
  const session = new SqliteSession(connection)
  return {
    all: async (_companyId, declared, values) => allRows(session.bind(declared, values)),
    dialect: sqliteDialect,
    setupIndexes: async () => setupIndexes(connection),
    columnsOf: async (table) => tableColumns(connection, table),
    explain: async (_companyId, { text, parameters }) => {
      const steps = connection.prepare(`explain query plan ${text}`).all(...parameters)
      return steps.map(({ detail }) => String(detail))
    },
    [Symbol.asyncDispose]: async () => {
      connection.close()
    },
  }
}
