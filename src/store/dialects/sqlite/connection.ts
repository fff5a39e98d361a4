// Opens SQLite the one way that keeps every acknowledged write, and reads back that it really is open that way.
import { resolve } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { authorizeReading } from './authorizer.ts'
import { addJournalView } from './functions/journal-text.ts'

export type Connection = DatabaseSync

/** Older releases can corrupt a WAL when two connections write and checkpoint at the same instant. */
const OLDEST_SQLITE = '3.51.3'
const BUSY_TIMEOUT_MS = 5_000
const JOURNAL_SIZE_LIMIT = 64 * 1024 * 1024

/**
 * What is set on the connection that writes, and what reading it back must give. `synchronous` 2 is FULL: WAL alone
 * would be NORMAL, which can lose acknowledged commits at a power cut.
 */
const SETTINGS: readonly (readonly [pragma: string, value: string, readBack: string | number])[] = [
  ['journal_mode', 'WAL', 'wal'],
  ['synchronous', 'FULL', 2],
  ['foreign_keys', 'ON', 1],
  ['trusted_schema', 'OFF', 0],
  ['mmap_size', '0', 0],
  ['temp_store', 'MEMORY', 2],
  ['journal_size_limit', String(JOURNAL_SIZE_LIMIT), JOURNAL_SIZE_LIMIT],
  ['wal_autocheckpoint', '1000', 1000],
  ['cell_size_check', 'ON', 1],
]

/** Upper bounds of what a statement of a reader may be; none of ours comes near them. */
const READER_LIMITS = {
  /** Bytes of a text or of a row: an answer that is longer is sent in pieces. */
  length: 64 * 1024 * 1024,
  sqlLength: 1024 * 1024,
  column: 1_000,
  compoundSelect: 10,
  likePatternLength: 2_048,
  triggerDepth: 1,
}

/** Of a connection that no cache is set for. It looks through much of the file, and at few pages twice. */
const SCAN_CACHE_KIB = 4 * 1024

/**
 * An import dirties pages all over the indexes: in a larger cache they are written once for many rows, and a checkpoint
 * at each 256 MiB of the log writes each of them back once for many commits.
 */
const BULK_SETTINGS = ['wal_autocheckpoint = 65536', `cache_size = -${256 * 1024}`]

/**
 * The connection that writes, with a cache of so many KiB. Throws when the file is no database or the settings did not
 * take.
 */
export function openWriter(file: string, cacheKib: number = SCAN_CACHE_KIB, isBulk = false): Connection {
  const connection = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS })
  requireSoundVersion(connection)
  const settings = [...SETTINGS, ['cache_size', `-${cacheKib}`, -cacheKib] as const]
  for (const [name, value] of settings) connection.exec(`pragma ${name} = ${value}`)
  for (const [name, value, readBack] of settings) {
    const found = pragma(connection, name) ?? 0
    if (found !== readBack) throw new Error(`SQLite did not take ${name} = ${value}: it answers ${found}`)
  }
  if (isBulk) for (const setting of BULK_SETTINGS) connection.exec(`pragma ${setting}`)
  return connection
}

/** A connection that can only read what is committed, and with `attached` other database files beside it. */
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
  // Between the two: a change of temp_store takes temporary views away, and query_only lets none be made.
  addJournalView(connection)
  connection.exec('pragma query_only = ON')
  attach(connection, attached)
  return connection
}

/** A reader for queries of callers: it may read the declared tables alone. */
export function openQueryReader(file: string, attached: readonly string[]): Connection {
  const connection = openReader(file, attached)
  authorizeReading(connection)
  return connection
}

/** A statement whose rows are arrays: the fastest form for answers of one column. */
export function prepareArrays(connection: Connection, text: string): StatementSync {
  return connection.prepare(text, { returnArrays: true })
}

/** The first column of the first row that a statement prepared by `prepareArrays` answers. */
export function firstColumn(statement: StatementSync, parameters: readonly (string | number)[]): unknown {
  return (statement.get(...parameters) as unknown as unknown[] | undefined)?.[0]
}

/** The first value that a pragma answers. */
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

/** Adds database files to read beside our own, each under a name: `name=file`. */
function attach(connection: Connection, attached: readonly string[]): void {
  for (const one of attached) {
    const [name = '', file = ''] = splitOnce(one)
    try {
      // The file is opened to be read alone, as the connection is, and never made. An absolute path is no address.
      connection.prepare(`attach ? as "${name}"`).run(resolve(file))
      connection.prepare(`select count(*) from "${name}".sqlite_schema`).get()
    } catch (cause) {
      throw new Error(`the database ${file}, attached as ${name}, cannot be read: ${(cause as Error).message}`, {
        cause,
      })
    }
  }
}

function splitOnce(text: string): [string, string] {
  const equals = text.indexOf('=')
  return [text.slice(0, equals), text.slice(equals + 1)]
}
