// The change log as a view of a connection to SQLite, where PostgreSQL has one in its schema.
import type { DatabaseSync } from 'node:sqlite'
import { journalView } from '../../src/store/dialects/schema.ts'
import { addJournalText, sqliteJournal } from '../../src/store/dialects/sqlite/journal-text.ts'

/** Must be called after the migrations: changing a table recompiles all views on it. */
export function addJournalView(connection: DatabaseSync): void {
  addJournalText(connection)
  connection.exec(`create temp view ${journalView(sqliteJournal)}`)
}
