// Opens SQLite with settings that make every acknowledged write durable, and verifies that they are in effect.
import { resolve } from 'node:path'
import { constants, DatabaseSync, type StatementSync } from 'node:sqlite'
import { keepPrivate, takeFromOthers } from '../../../base/process/files.ts'
import { DOCUMENT_TABLES, TABLE_NAMES } from '../../../sql/tables.ts'
import { AttachedFault } from './faults.ts'
import { addJournalText } from './journal-text.ts'

export type Connection = DatabaseSync

/** Older releases can corrupt a WAL when two connections write and checkpoint at the same instant. */
const OLDEST_SQLITE = '3.51.3'
const BUSY_TIMEOUT_MS = 5_000
const JOURNAL_SIZE_LIMIT = 64 * 1024 * 1024

/**
 * The settings of the writing connection and the values that they must read back as. `synchronous` 2 is FULL: WAL alone
 * would use NORMAL, which can lose acknowledged commits in a power failure.
 */
const SETTINGS: readonly (readonly [pragma: string, value: string, readBack: string | number])[] = [
  ['journal_mode', 'WAL', 'wal'],
  ['synchronous', 'FULL', 2],
  ['foreign_keys', 'ON', 1],
  ['trusted_schema', 'OFF', 0],
  ['mmap_size', '0', 0],
  ['temp_store', 'MEMORY', 2],
  ['journal_size_limit', String(JOURNAL_SIZE_LIMIT), JOURNAL_SIZE_LIMIT],
  ['cell_size_check', 'ON', 1],
]

/** Limits of a reader's statements, far above those in use. */
const READER_LIMITS = {
  /** Bytes of a text or a row: a longer answer is streamed in chunks. */
  length: 64 * 1024 * 1024,
  sqlLength: 1024 * 1024,
  column: 1_000,
  compoundSelect: 10,
  likePatternLength: 2_048,
  triggerDepth: 1,
}

/** The default cache of a connection: it reads much of the file, and few pages twice. */
const SCAN_CACHE_KIB = 4 * 1024

/**
 * An import dirties pages all over the indexes. A larger cache writes them once for many rows, and a checkpoint at each
 * 256 MiB of the log writes each of them back once for many commits.
 */
const BULK = { cacheKib: 256 * 1024, checkpointPages: 65_536 }
/**
 * A checkpoint follows the commit after which the log has this many pages, 16 MiB. After SQLite's own 1,000, most pages
 * are written back for a single write. Above 4,062 a reader looks for a page in two parts of the log's index.
 */
const CHECKPOINT_PAGES = 4_000

interface WriterSettings {
  readonly cacheKib?: number
  readonly isBulk?: boolean
  /** No commit is followed by a checkpoint. */
  readonly leavesLog?: boolean
}

/** Opens the writing connection. Throws when the file is no database or the settings were not accepted. */
export function openWriter(
  file: string,
  { cacheKib = SCAN_CACHE_KIB, isBulk = false, leavesLog = false }: WriterSettings = {},
): Connection {
  // Its log gets the permissions of the file.
  keepPrivate(file)
  for (const beside of ['-wal', '-shm']) takeFromOthers(file + beside)
  // What readers could not read is not written.
  const connection = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS, limits: { column: READER_LIMITS.column } })
  requireSoundVersion(connection)
  const usual = { cacheKib, checkpointPages: CHECKPOINT_PAGES }
  const { cacheKib: cache, checkpointPages } = isBulk ? BULK : usual
  const pages = leavesLog ? 0 : checkpointPages
  const settings = [
    ...SETTINGS,
    ['cache_size', `-${cache}`, -cache] as const,
    ['wal_autocheckpoint', String(pages), pages] as const,
  ]
  for (const [name, value] of settings) connection.exec(`pragma ${name} = ${value}`)
  for (const [name, value, readBack] of settings) {
    const found = pragma(connection, name) ?? 0
    if (found !== readBack) throw new Error(`SQLite did not take ${name} = ${value}: it answers ${found}`)
  }
  return connection
}

/** Opens a connection that only reads what is committed, with other database files attached. */
export function openReader(
  file: string,
  attached: readonly string[] = [],
  cacheKib: number = SCAN_CACHE_KIB,
): Connection {
  const connection = new DatabaseSync(file, {
    timeout: BUSY_TIMEOUT_MS,
    readOnly: true,
    limits: { ...READER_LIMITS, attach: attached.length },
  })
  for (const setting of ['trusted_schema = OFF', 'mmap_size = 0', 'temp_store = MEMORY', `cache_size = -${cacheKib}`]) {
    connection.exec(`pragma ${setting}`)
  }
  addJournalText(connection)
  connection.exec('pragma query_only = ON')
  attach(connection, attached)
  return connection
}

/**
 * Takes the counts of a statement without rows as bigints. With the number of changed rows Node.js tells that of the
 * last row that the connection has inserted, which in the word index is above what a number holds: from version 26 on
 * it throws instead, after the statement has done its work.
 */
export function countingInBigints(statement: StatementSync): StatementSync {
  statement.setReadBigInts(true)
  return statement
}

/** Prepares a statement whose rows are arrays, which is the fastest form for answers of one column. */
export function prepareArrays(connection: Connection, text: string): StatementSync {
  return connection.prepare(text, { returnArrays: true })
}

/** The first column of the first row of a statement prepared by `prepareArrays`. */
export function firstColumn(statement: StatementSync, parameters: readonly (string | number)[]): unknown {
  return (statement.get(...parameters) as unknown as unknown[] | undefined)?.[0]
}

/** The first value that a pragma returns. */
export function pragma(connection: Connection, text: string): string | number | undefined {
  return firstColumn(prepareArrays(connection, `pragma ${text}`), []) as string | number | undefined
}

function requireSoundVersion(connection: Connection): void {
  const version = firstColumn(prepareArrays(connection, 'select sqlite_version()'), []) as string
  const asNumbers = (text: string) => text.split('.').map(Number)
  const [found, oldest] = [asNumbers(version), asNumbers(OLDEST_SQLITE)]
  const difference = found.map((part, index) => part - (oldest[index] ?? 0)).find((part) => part !== 0) ?? 0
  if (difference < 0) throw new Error(`SQLite ${version} is too old: ${OLDEST_SQLITE} or newer is needed`)
}

/** Attaches further database files, each under a name: `name=file`. */
function attach(connection: Connection, attached: readonly string[]): void {
  for (const one of attached) {
    const [name = '', file = ''] = splitOnce(one)
    try {
      // The file is opened read-only, like the connection, and never created. An absolute path is not interpreted as a
      // URI.
      connection.prepare(`attach ? as "${name}"`).run(resolve(file))
      connection.prepare(`select count(*) from "${name}".sqlite_schema`).get()
    } catch (cause) {
      const reason = (cause as Error).message
      throw new AttachedFault(`the database ${file}, attached as ${name}, cannot be read: ${reason}`, { cause })
    }
  }
}

function splitOnce(text: string): [string, string] {
  const equals = text.indexOf('=')
  return [text.slice(0, equals), text.slice(equals + 1)]
}

/** The setup, stored responses, counters, the schema and everything that pragmas expose. */
const PRIVATE_TABLES = new Set(TABLE_NAMES.filter((name) => !DOCUMENT_TABLES.has(name)))
const INTERNAL_TABLE = /^(?:sqlite_|pragma_|kysely_)/i
/** Functions that could access anything but their arguments. */
const FORBIDDEN_FUNCTION = /^(?:load_extension|readfile|writefile|edit|fts3_tokenizer|zeroblob|randomblob)$/i

/**
 * Returns what prepares the queries of clients on a connection: they may only read, and read no private table. SQLite
 * calls the authorizer when it compiles a statement, so it costs nothing at run time.
 */
export function authorizeReading(connection: Connection): (query: string) => StatementSync {
  let isPreparing = false
  connection.setAuthorizer((action, table, column, database) =>
    !isPreparing || isAllowed(action, table ?? '', column ?? '', database)
      ? constants.SQLITE_OK
      : constants.SQLITE_DENY,
  )
  return (query) => {
    isPreparing = true
    try {
      return prepareArrays(connection, query)
    } finally {
      isPreparing = false
    }
  }
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
    case constants.SQLITE_PRAGMA:
      // FTS5 checks whether other connections have written.
      return table === 'data_version' && column === ''
    default:
      return false
  }
}

/** A setup may declare a document on any table of the database file; attached files have no private tables. */
function isReadable(table: string, database: string | null): boolean {
  if (INTERNAL_TABLE.test(table)) return false
  return (database !== null && database !== 'main' && database !== 'temp') || !PRIVATE_TABLES.has(table)
}
