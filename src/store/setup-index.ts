// Indexes that a setup asks for, beside those that the tables are made with.
import { createHash } from 'node:crypto'

export interface SetupIndex {
  /** Says all of it: two indexes of one name are the same. */
  readonly name: string
  readonly table: string
  /** In the order of the index: the company first, the rest of the key last. */
  readonly columns: readonly string[]
}

/** What has to be done so that just the wanted indexes are there. */
export interface IndexChanges {
  readonly create: readonly SetupIndex[]
  /** Names. */
  readonly drop: readonly string[]
}

/** No other index of ours begins so, also none that PostgreSQL names after a table. */
export const SETUP_INDEX_PREFIX = 'setup_index_'
/** PostgreSQL cuts names at 63 bytes. */
const READABLE_LENGTH = 54
const HASH_LENGTH = 8

/** An index by the company, then `columns`, then what they lack of the key, so that rows are found in the order of the key. */
export function setupIndex(
  table: string,
  company: string,
  columns: readonly string[],
  key: readonly string[],
): SetupIndex {
  const all = [...new Set([company, ...columns, ...key])]
  const telling = columns.filter((column) => !key.includes(column))
  const whole = SETUP_INDEX_PREFIX + [table, ...(telling.length > 0 ? telling : columns)].join('_')
  const hash = createHash('sha256')
    .update(JSON.stringify([table, all]))
    .digest('hex')
    .slice(0, HASH_LENGTH)
  return { name: `${whole.slice(0, READABLE_LENGTH)}_${hash}`, table, columns: all }
}

/** What is missing of the wanted, and what is there of a setup's and no longer wanted. */
export function indexChanges(wanted: readonly SetupIndex[], existing: ReadonlySet<string>): IndexChanges {
  const names = new Set(wanted.map(({ name }) => name))
  return {
    create: wanted.filter(({ name }) => !existing.has(name)),
    drop: [...existing].filter((name) => !names.has(name)),
  }
}
