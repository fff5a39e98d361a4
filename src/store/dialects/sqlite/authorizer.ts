// What statements made from query texts may do: read tables of documents, and nothing else. SQLite asks when it
// compiles a statement, so this costs nothing when one runs.
import { constants, type DatabaseSync } from 'node:sqlite'
import { DOCUMENT_TABLES, TABLE_NAMES } from '../../tables.ts'

/** The setup, stored responses, counters, the schema and everything that pragmas tell. */
const PRIVATE_TABLES = new Set(TABLE_NAMES.filter((name) => !DOCUMENT_TABLES.has(name)))
const INTERNAL_TABLE = /^(?:sqlite_|pragma_|kysely_)/i
/** Functions that could read or change something else than their arguments. */
const FORBIDDEN_FUNCTION = /^(?:load_extension|readfile|writefile|edit|fts3_tokenizer|zeroblob|randomblob)$/i

/**
 * While `appliesNow` says so, the connection compiles only statements that read, and nothing that is private.
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
      // The full-text search asks whether others have written.
      return table === 'data_version' && column === ''
    default:
      return false
  }
}

/** A setup may name a table of the database as its own document; attached files hold nothing of ours. */
function isReadable(table: string, database: string | null): boolean {
  if (INTERNAL_TABLE.test(table)) return false
  return (database !== null && database !== 'main' && database !== 'temp') || !PRIVATE_TABLES.has(table)
}
