// The change log as a view of a connection to SQLite, where PostgreSQL has one in its schema.
import type { DatabaseSync } from 'node:sqlite'
import { addJournalText, sqliteJournal } from '../../src/databases/sqlite/dialect/journal-text.ts'
import { journalView } from '../../src/sql/schema.ts'

/** Must be called after the migrations: changing a table recompiles all views on it. */
export function addJournalView(connection: DatabaseSync): void {
  addJournalText(connection)
  connection.exec(`create temp view ${journalView(sqliteJournal)}`)
}
