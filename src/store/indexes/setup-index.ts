// Indexes that a setup asks for, beside those that the tables are made with.
import { createHash } from 'node:crypto'
import type { TableIndex, TextIndex } from '../../model/document.ts'

/** Serves `eq`, ranges, starts of texts and orders. */
export interface OrderIndex extends TableIndex {
  readonly kind: 'order'
  readonly table: string
  /** Of the longest text of each column, in characters. */
  readonly lengths: readonly number[]
}

/** Serves `contains`: finds the rows in whose text three characters stand beside each other. */
export interface SearchedText extends TextIndex {
  readonly kind: 'text'
  readonly table: string
  readonly company: string
}

/** Its name says all of it: two of one name are the same. */
export type SetupIndex = OrderIndex | SearchedText

/** What has to be done so that just the wanted indexes are there. */
export interface IndexChanges {
  readonly create: readonly SetupIndex[]
  /** Names. */
  readonly drop: readonly string[]
}

/** No other index of ours begins so, also none that PostgreSQL names after a table. */
export const ORDER_INDEX_PREFIX = 'setup_index_'
/** Tables that belong to a text index begin so, and go on behind its name. */
export const TEXT_INDEX_PREFIX = 'setup_text_'
/** PostgreSQL cuts names at 63 bytes; what belongs to a text index has some more behind its own. */
const READABLE_LENGTH = 44
const HASH_LENGTH = 8
const TEXT_INDEX_NAME = new RegExp(`^${TEXT_INDEX_PREFIX}.*_[0-9a-f]{${HASH_LENGTH}}$`)
/** Texts that may be longer, in characters, have their start in an index where whole ones do not fit. */
export const LONGEST_WHOLE = 255
/** Characters that a text must have to be found by such an index. */
export const GRAM_LENGTH = 3

/**
 * An index by the company, then `columns`, then what they lack of the key, so that rows are found in the order of the
 * key.
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
  // The primary key has whole texts, and rows are asked for in its order.
  const starts = all.filter((column, at) => !key.includes(column) && (lengths[at] ?? 0) > LONGEST_WHOLE)
  const telling = columns.filter((column) => !key.includes(column))
  // An earlier version has made indexes of whole texts: those of starts have other names.
  const parts = starts.length > 0 ? [...all, starts] : all
  const name = nameOf(ORDER_INDEX_PREFIX, [table, ...(telling.length > 0 ? telling : columns)], parts)
  return { kind: 'order', name, table, columns: all, lengths, starts }
}

export function textIndex(table: string, company: string, column: string, key: readonly string[]): SearchedText {
  const rest = key.filter((one) => one !== company)
  return { kind: 'text', name: nameOf(TEXT_INDEX_PREFIX, [table, column], key), table, column, company, key: rest }
}

function nameOf(prefix: string, telling: readonly string[], columns: readonly unknown[]): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([telling[0], columns]))
    .digest('hex')
  return `${(prefix + telling.join('_')).slice(0, READABLE_LENGTH)}_${hash.slice(0, HASH_LENGTH)}`
}

/** Whether it is the name of a text index, not of something that belongs to one. */
export function isTextIndex(name: string): boolean {
  return TEXT_INDEX_NAME.test(name)
}

/** What is missing of the wanted, and what is there of a setup's and no longer wanted. */
export function indexChanges(wanted: readonly SetupIndex[], existing: ReadonlySet<string>): IndexChanges {
  const names = new Set(wanted.map(({ name }) => name))
  return {
    create: wanted.filter(({ name }) => !existing.has(name)),
    drop: [...existing].filter((name) => !names.has(name)),
  }
}

/**
 * Three characters each that together cover a text, the last three among them; no more than are needed to find few
 * rows. Those between would be found in nearly the same rows, and each is one more list to walk.
 */
export function gramsOf(text: string): readonly string[] {
  const characters = [...text]
  const last = characters.length - GRAM_LENGTH
  const grams = new Set<string>()
  for (let at = 0; at < last && grams.size < MOST_GRAMS; at += GRAM_LENGTH) grams.add(gramAt(characters, at))
  grams.add(gramAt(characters, last))
  return [...grams]
}

function gramAt(characters: readonly string[], at: number): string {
  return characters.slice(at, at + GRAM_LENGTH).join('')
}

const MOST_GRAMS = 32
