// Opens SQLite the one way that keeps every acknowledged write, and reads back that it really is open that way.
import Database from 'better-sqlite3'

export type Connection = Database.Database

/** Older releases can corrupt a WAL when two connections write and checkpoint at the same instant. */
const OLDEST_SQLITE = '3.51.3'
const BUSY_TIMEOUT_MS = 5_000
const JOURNAL_SIZE_LIMIT = 64 * 1024 * 1024

/** Pages that a connection keeps: the default of 2 MiB reads most of a company's values from the file again and again. */
const CACHE_KIB = 32 * 1024

/** What is set on every connection, and what reading it back must give. `synchronous` 2 is FULL: WAL alone would be NORMAL, which can lose acknowledged commits at a power cut. */
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
  ['cache_size', `-${CACHE_KIB}`, -CACHE_KIB],
]

/** The connection that writes. Throws when the file is no sound database or the settings did not take. */
export function openWriter(file: string): Connection {
  const connection = new Database(file, { timeout: BUSY_TIMEOUT_MS })
  requireSoundVersion(connection)
  for (const [pragma, value] of SETTINGS) connection.pragma(`${pragma} = ${value}`)
  for (const [pragma, value, readBack] of SETTINGS) {
    const found = connection.pragma(pragma, { simple: true }) ?? 0
    if (found !== readBack) throw new Error(`SQLite did not take ${pragma} = ${value}: it answers ${found}`)
  }
  return connection
}

/** A connection that can only read what is committed. */
export function openReader(file: string): Connection {
  const connection = new Database(file, { timeout: BUSY_TIMEOUT_MS, readonly: true })
  for (const pragma of [
    'query_only = ON',
    'trusted_schema = OFF',
    'mmap_size = 0',
    'temp_store = MEMORY',
    `cache_size = -${CACHE_KIB}`,
  ]) {
    connection.pragma(pragma)
  }
  return connection
}

/** Looks through the file once at start: damage is better found now than in an answer. */
export function requireSoundFile(connection: Connection): void {
  const found = connection.pragma('quick_check(1)', { simple: true })
  if (found !== 'ok') throw new Error(`the database is damaged: ${found}. Restore a backup`)
  const orphans = connection.pragma('foreign_key_check') as unknown[]
  if (orphans.length > 0) throw new Error(`the database is damaged: ${orphans.length} rows refer to nothing`)
}

function requireSoundVersion(connection: Connection): void {
  const version = connection.prepare('select sqlite_version()').pluck().get() as string
  const asNumbers = (text: string) => text.split('.').map(Number)
  const [found, oldest] = [asNumbers(version), asNumbers(OLDEST_SQLITE)]
  const difference = found.map((part, index) => part - (oldest[index] ?? 0)).find((part) => part !== 0) ?? 0
  if (difference < 0) throw new Error(`SQLite ${version} is too old: ${OLDEST_SQLITE} or newer is needed`)
}

/** Adds database files to read beside our own, each under a name: `name=file`. */
export function attach(connection: Connection, attached: readonly string[]): void {
  for (const one of attached) {
    const [name = '', file = ''] = splitOnce(one)
    try {
      // As the connection is, the file is opened to be read alone, and never made. It is no address: this build takes none.
      connection.prepare(`attach ? as "${name}"`).run(file)
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
