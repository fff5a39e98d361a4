// Indexes that a setup declares, in addition to those that the tables are created with.
import { createHash } from 'node:crypto'
import type { TableIndex, TextIndex } from '../model/document.ts'

/** An index for `eq`, ranges, text prefixes and orders. */
export interface OrderIndex extends TableIndex {
  readonly kind: 'order'
  readonly table: string
  /** The maximum text length of each column, in characters. */
  readonly lengths: readonly number[]
}

/** An index for `contains`: finds rows by trigrams (three adjacent characters) of a text column. */
export interface SearchedText extends TextIndex {
  readonly kind: 'text'
  readonly table: string
  readonly company: string
}

/** The name includes a hash of the definition: indexes with the same name are the same. */
export type SetupIndex = OrderIndex | SearchedText

/** The changes after which exactly the wanted indexes exist. */
export interface IndexChanges {
  readonly create: readonly SetupIndex[]
  /** Index names. */
  readonly drop: readonly string[]
}

/** No other index of this schema has this prefix, also none that PostgreSQL names after a table. */
export const ORDER_INDEX_PREFIX = 'setup_index_'
/** The prefix of the indexes of unique properties. */
export const UNIQUE_INDEX_PREFIX = 'setup_unique_'
/** The prefix of text indexes; the tables of one start with its name. */
export const TEXT_INDEX_PREFIX = 'setup_text_'
/** PostgreSQL truncates names at 63 bytes; the parts of a text index append a suffix to its name. */
const READABLE_LENGTH = 44
const HASH_LENGTH = 8
const TEXT_INDEX_NAME = new RegExp(`^${TEXT_INDEX_PREFIX}.*_[0-9a-f]{${HASH_LENGTH}}$`)
/** Texts that may be longer than this number of characters are indexed by a prefix, where complete ones do not fit. */
const MAX_INDEXED_LENGTH = 255
/** The length of a gram, and of the shortest text that such an index can find. */
export const GRAM_LENGTH = 3

/**
 * An index on the company, then `columns`, then the missing columns of the key, so that rows are found in the order of
 * the key.
 */
export function orderIndex(
  table: string,
  company: string,
  columns: readonly string[],
  key: readonly string[],
  longest: ReadonlyMap<string, number>,
): OrderIndex {
  const all = [...new Set([company, ...columns, ...key])]
  const lengths = all.map((column) => longest.get(column) ?? 0)
  // The primary key has complete texts, and rows are requested in its order.
  const starts = all.filter((column, at) => !key.includes(column) && (lengths[at] ?? 0) > MAX_INDEXED_LENGTH)
  const named = columns.filter((column) => !key.includes(column))
  // A text that became longer is indexed by its start, in an index of another name.
  const parts = starts.length > 0 ? [...all, starts] : all
  const name = indexName(ORDER_INDEX_PREFIX, [table, ...(named.length > 0 ? named : columns)], parts)
  return { kind: 'order', name, table, columns: all, lengths, starts }
}

export function textIndex(table: string, company: string, column: string, key: readonly string[]): SearchedText {
  const rest = key.filter((one) => one !== company)
  return { kind: 'text', name: indexName(TEXT_INDEX_PREFIX, [table, column], key), table, column, company, key: rest }
}

export function uniqueIndexName(table: string, column: string): string {
  return indexName(UNIQUE_INDEX_PREFIX, [table, column], [column])
}

function indexName(prefix: string, named: readonly string[], columns: readonly unknown[]): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([named[0], columns]))
    .digest('hex')
  return `${(prefix + named.join('_')).slice(0, READABLE_LENGTH)}_${hash.slice(0, HASH_LENGTH)}`
}

/** Whether this is the name of a text index, rather than of one of its parts. */
export function isTextIndex(name: string): boolean {
  return TEXT_INDEX_NAME.test(name)
}

/** Creates the missing indexes; drops those of a setup that are no longer wanted. */
export function indexChanges(wanted: readonly SetupIndex[], existing: ReadonlySet<string>): IndexChanges {
  const names = new Set(wanted.map(({ name }) => name))
  return {
    create: wanted.filter(({ name }) => !existing.has(name)),
    drop: [...existing].filter((name) => !names.has(name)),
  }
}

/**
 * Trigrams that together cover a text, including the last one, but no more than are needed to find few rows. The
 * trigrams between them would match nearly the same rows, and each is another posting list to scan.
 */
export function gramsOf(text: string): readonly string[] {
  const characters = [...text]
  const last = characters.length - GRAM_LENGTH
  const grams = new Set<string>()
  for (let at = 0; at < last && grams.size < MAX_GRAMS; at += GRAM_LENGTH) grams.add(gramAt(characters, at))
  grams.add(gramAt(characters, last))
  return [...grams]
}

function gramAt(characters: readonly string[], at: number): string {
  return characters.slice(at, at + GRAM_LENGTH).join('')
}

const MAX_GRAMS = 32
