// The stored form of a change log entry: its texts are compressed, `before` with `after` as a prefix, because they
// resemble each other most. Hashes and answers use the unpacked entry.

import type { JournalEntryTable, JournalOriginTable } from '../../sql/service-tables.ts'
import { type EntryMembers, HASH_BYTES, type LinkedEntry } from './audit-chain.ts'
import type { KnownDictionary } from './dictionaries.ts'
import { compress, decompress } from './lz77.ts'

/** Returned instead of a text whose bytes cannot be decompressed; `audit verify` reports the entry. */
export const DAMAGED = '(damaged)'
/** Stored when an entry has no time. */
export const NO_INSTANT = -(2 ** 52)

/** Members with another stored form. */
export type PackedMembers = { at: number; before: Uint8Array; after: Uint8Array; hash: Uint8Array }

const NO_BYTES = new Uint8Array()

export function packEntry(entry: LinkedEntry, known: KnownDictionary): PackedMembers {
  return {
    at: instantOf(entry.at),
    before: packText(entry.before, known, entry.after),
    after: packText(entry.after, known),
    hash: Buffer.from(entry.hash + entry.link, 'hex'),
  }
}

function packText(text: string, known: KnownDictionary, prefix?: string): Uint8Array {
  if (text === '') return NO_BYTES
  const bytes = compress(text, known.dictionary, prefix)
  known.note(text, bytes.length)
  return Buffer.from(bytes)
}

/** A stored entry joined with its origin. */
export type PackedEntry = JournalEntryTable & Omit<JournalOriginTable, 'company_id' | 'origin_no'>

export function unpackEntry(entry: PackedEntry, dictionary: Uint8Array): LinkedEntry {
  return {
    company_id: entry.company_id,
    entry_no: Number(entry.entry_no),
    entity: entry.entity,
    record_key: entry.record_key,
    operation: entry.operation,
    user_id: entry.user_id,
    client_id: entry.client_id,
    at: textOfInstant(Number(entry.at)),
    request_id: entry.request_id,
    ...unpackTexts(entry, dictionary),
    ...unpackHash(entry.hash),
  }
}

/** Decompresses both texts of an entry. */
export function unpackTexts(
  { before, after }: Pick<JournalEntryTable, 'before' | 'after'>,
  dictionary: Uint8Array,
): { readonly before: string; readonly after: string } {
  const bytes = decompress(after, dictionary)
  return { before: textOf(before, decompress(before, dictionary, bytes)), after: textOf(after, bytes) }
}

/** Decompresses a text. `prefix` is itself compressed. */
export function unpackText(bytes: Uint8Array, dictionary: Uint8Array, prefix?: Uint8Array): string {
  if (bytes.length === 0) return ''
  return textOf(bytes, decompress(bytes, dictionary, prefix && decompress(prefix, dictionary)))
}

function textOf(packed: Uint8Array, bytes: Buffer | undefined): string {
  return packed.length === 0 ? '' : (bytes?.toString() ?? DAMAGED)
}

function unpackHash(bytes: Uint8Array): Pick<LinkedEntry, 'hash' | 'link'> {
  const all = Buffer.from(bytes).toString('hex')
  return { hash: all.slice(0, 2 * HASH_BYTES), link: all.slice(2 * HASH_BYTES) }
}

/** Parses a time as `toISOString` writes it. */
function instantOf(at: EntryMembers['at']): number {
  if (at === '') return NO_INSTANT
  const instant = Date.parse(at)
  if (Number.isNaN(instant)) throw new Error(`'${at}' is no time of an entry`)
  return instant
}

/** The time of an entry, as `toISOString` writes it. */
export function textOfInstant(instant: number): string {
  return instant === NO_INSTANT ? '' : new Date(instant).toISOString()
}
