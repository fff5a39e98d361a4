// The change log for queries: a function that decompresses texts, and the view that calls it. The view is a temporary
// one of each connection, because a view in the schema must only call built-in functions.
import type { DatabaseSync } from 'node:sqlite'
import { NO_INSTANT, unpackText } from '../../journal/packed-entry.ts'
import { type JournalSql, journalView } from '../schema.ts'

const sqliteJournal: JournalSql = {
  text: (packed, dictionary, prefix = `x''`) =>
    `iif(length(${packed}) = 0, '', journal_text(${packed}, ${dictionary}, ${prefix}))`,
  hex: (bytes) => `lower(hex(${bytes}))`,
  instant: (milliseconds) =>
    `iif(${milliseconds} = ${NO_INSTANT}, '', strftime('%Y-%m-%dT%H:%M:%fZ', ${milliseconds} / 1000.0, 'unixepoch'))`,
}

/** Must be called after the migrations: changing a table recompiles all views on it. */
export function addJournalView(connection: DatabaseSync): void {
  connection.function('journal_text', { deterministic: true }, (packed, dictionary, prefix) =>
    unpackText(bytesOf(packed), bytesOf(dictionary), bytesOf(prefix)),
  )
  connection.exec(`create temp view ${journalView(sqliteJournal)}`)
}

/** An entry whose dictionary was deleted has none. */
function bytesOf(value: unknown): Uint8Array {
  return value instanceof Uint8Array ? value : new Uint8Array()
}
