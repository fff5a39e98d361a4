// Restricts statements compiled from query texts to reading document tables. SQLite calls the authorizer when it
// compiles a statement, so it costs nothing at run time.
import { constants, type DatabaseSync } from 'node:sqlite'
import { DOCUMENT_TABLES, TABLE_NAMES } from '../../tables.ts'

/** The setup, stored responses, counters, the schema and everything that pragmas expose. */
const PRIVATE_TABLES = new Set(TABLE_NAMES.filter((name) => !DOCUMENT_TABLES.has(name)))
const INTERNAL_TABLE = /^(?:sqlite_|pragma_|kysely_)/i
/** Functions that could access anything but their arguments. */
const FORBIDDEN_FUNCTION = /^(?:load_extension|readfile|writefile|edit|fts3_tokenizer|zeroblob|randomblob)$/i

/**
 * While `appliesNow` returns true, the connection compiles only statements that read, and that read no private table.
 */
export function authorizeReading(connection: DatabaseSync, appliesNow: () => boolean = () => true): void {
  connection.setAuthorizer((action, table, column, database) =>
    !appliesNow() || isAllowed(action, table ?? '', column ?? '', database)
      ? constants.SQLITE_OK
      : constants.SQLITE_DENY,
  )
}

function isAllowed(action: number, table: string, column: string, database: string | null): boolean {
  switch (action) {
    case constants.SQLITE_SELECT:
    case constants.SQLITE_RECURSIVE:
      return true
    case constants.SQLITE_READ:
      return isReadable(table, database)
    case constants.SQLITE_FUNCTION:
      return !FORBIDDEN_FUNCTION.test(column)
    case constants.SQLITE_PRAGMA:
      // FTS5 checks whether other connections have written.
      return table === 'data_version' && column === ''
    default:
      return false
  }
}

/** A setup may declare a document on any table of the database file; attached files have no private tables. */
function isReadable(table: string, database: string | null): boolean {
  if (INTERNAL_TABLE.test(table)) return false
  return (database !== null && database !== 'main' && database !== 'temp') || !PRIVATE_TABLES.has(table)
}
