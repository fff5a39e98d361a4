// Entries of the log with their texts, read in the order of their numbers and bounded in bytes.
import { ERASED_KEY } from '../../store/journal/erasure/erased-entry.ts'
import { DAMAGED, textOfInstant, unpackTexts } from '../../store/journal/packed-entry.ts'
import type { ReadTx } from '../../store/store.ts'
import { ChangesGone } from '../changes-gone.ts'
import { findDictionaries, findTexts, type HeadRow, type TextRow } from './log-store.ts'

/** An entry without its texts. */
export interface LogHead {
  readonly number: number
  readonly entity: string
  readonly operation: 'create' | 'update' | 'delete'
  /** The parts of the key below the company, as a JSON array. */
  readonly recordKey: string
  readonly at: string
  readonly userId: string
  readonly clientId: string
  readonly requestId: string
}

export interface LogEntry extends LogHead {
  readonly before: string
  readonly after: string
}

export type Key = readonly (string | number)[]

export function keyOf({ recordKey }: Pick<LogHead, 'recordKey'>): Key {
  return JSON.parse(recordKey) as Key
}

/** Throws `ChangesGone` for an entry that was erased. */
export function headOf(row: HeadRow): LogHead {
  if (row.record_key === ERASED_KEY) throw new ChangesGone([])
  return {
    number: row.entry_no,
    entity: row.entity,
    operation: row.operation as LogHead['operation'],
    recordKey: row.record_key,
    at: textOfInstant(row.at),
    userId: row.user_id,
    clientId: row.client_id,
    requestId: row.request_id,
  }
}

/** Stored bytes that are read at once; an entry may have two texts of a mebibyte. */
const STORED_BYTES = 4 * 1024 * 1024

/** The entries of these heads with their texts, up to about `mostBytes` of text and at least one. */
export async function readTexts(
  tx: ReadTx,
  heads: readonly (LogHead & { readonly bytes: number })[],
  mostBytes: number,
): Promise<LogEntry[]> {
  const entries: LogEntry[] = []
  let bytes = 0
  for (let start = 0; start < heads.length && bytes < mostBytes; ) {
    const some = slice(heads, start)
    const texts = await textsOf(
      tx,
      some.map(({ number }) => number),
    )
    for (const head of some) {
      const found = texts.get(head.number)
      if (found === undefined || found.recordKey !== head.recordKey) throw new ChangesGone([])
      const { before, after } = found.read()
      entries.push({ ...head, before, after })
      bytes += before.length + after.length
      if (bytes >= mostBytes) break
    }
    start += some.length
  }
  return entries
}

/** As many of the next heads as may be read at once. */
function slice<Head extends { readonly bytes: number }>(heads: readonly Head[], start: number): readonly Head[] {
  let end = start + 1
  let bytes = heads[start]?.bytes ?? 0
  while (end < heads.length) {
    bytes += heads[end]?.bytes ?? 0
    if (bytes > STORED_BYTES) break
    end += 1
  }
  return heads.slice(start, end)
}

interface PackedTexts {
  readonly recordKey: string
  /** Throws `ChangesGone` when a text is damaged. */
  read(): { readonly before: string; readonly after: string }
}

/** An entry and its dictionary are read one after the other, and an erasure in between may replace both. */
const TRIES = 3

/** The texts of entries by their numbers. */
export async function textsOf(tx: ReadTx, numbers: readonly number[]): Promise<ReadonlyMap<number, PackedTexts>> {
  if (numbers.length === 0) return new Map()
  for (let tries = 0; ; tries++) {
    const rows = await findTexts(tx, numbers)
    const dictionaries = await findDictionaries(tx, new Set(rows.map(({ dictionary_no }) => dictionary_no)))
    const isReadable = ({ before, after, dictionary_no }: TextRow) =>
      before.length + after.length === 0 || (dictionaries.get(dictionary_no)?.length ?? 0) > 0
    if (tries === TRIES || rows.every(isReadable))
      return new Map(rows.map((row) => [row.entry_no, packed(row, dictionaries)]))
  }
}

const NO_DICTIONARY = new Uint8Array()

function packed(row: TextRow, dictionaries: ReadonlyMap<number, Uint8Array>): PackedTexts {
  return {
    recordKey: row.record_key,
    read() {
      const texts = unpackTexts(row, dictionaries.get(row.dictionary_no) ?? NO_DICTIONARY)
      if (texts.before === DAMAGED || texts.after === DAMAGED) throw new ChangesGone([])
      return texts
    },
  }
}
