// What statements made from query texts may do: read the tables of documents, and nothing else. SQLite asks when it
// compiles a statement, so this costs nothing when one runs.
import { constants, type DatabaseSync } from 'node:sqlite'

/** The tables that documents are made of, the index of words beside them. */
const READABLE = new Set([
  'attribute',
  'attribute_relation',
  'attribute_value',
  'company',
  'customer',
  'document',
  'document_index',
  'document_revision',
  'document_text',
  'journal_entry',
  'ledger_transaction',
  'relation',
  'value_list',
])
/** Tables of a setup's own documents. */
const CUSTOM_TABLE = /^own_/
/** The full-text index and the tables that it keeps itself in. */
const WORD_INDEX = /^document_words(?:_|$)/
/** Functions that could read or change something else than their arguments. */
const FORBIDDEN_FUNCTION = /^(?:load_extension|readfile|writefile|edit|fts3_tokenizer|zeroblob|randomblob)$/i

/**
 * While `appliesNow` says so, the connection compiles only statements that read declared tables; attached files may be
 * read whole.
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
    default:
      return false
  }
}

function isReadable(table: string, database: string | null): boolean {
  if (database !== null && database !== 'main' && database !== 'temp') return !table.startsWith('sqlite_')
  // Table-valued functions are read under their own names.
  return READABLE.has(table) || table === 'json_each' || CUSTOM_TABLE.test(table) || WORD_INDEX.test(table)
}
