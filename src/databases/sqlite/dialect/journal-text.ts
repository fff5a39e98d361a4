// The change log for queries: SQL of its stored columns, and the function that decompresses texts.
import type { DatabaseSync } from 'node:sqlite'
import type { JournalSql } from '../../../sql/schema.ts'
import { NO_INSTANT, unpackText } from '../../../store/chain/packed-entry.ts'

export const sqliteJournal: JournalSql = {
  text: (packed, dictionary, prefix = `x''`) =>
    `iif(length(${packed}) = 0, '', journal_text(${packed}, ${dictionary}, ${prefix}))`,
  hex: (bytes) => `lower(hex(${bytes}))`,
  instant: (milliseconds) =>
    `iif(${milliseconds} = ${NO_INSTANT}, '', strftime('%Y-%m-%dT%H:%M:%fZ', ${milliseconds} / 1000.0, 'unixepoch'))`,
}

export function addJournalText(connection: DatabaseSync): void {
  connection.function('journal_text', { deterministic: true }, (packed, dictionary, prefix) =>
    unpackText(bytesOf(packed), bytesOf(dictionary), bytesOf(prefix)),
  )
}

/** An entry whose dictionary was deleted has none. */
function bytesOf(value: unknown): Uint8Array {
  return value instanceof Uint8Array ? value : new Uint8Array()
}
