// Copies the SQLite file with SQLite's backup API while another process writes it.

import { chmodSync } from 'node:fs'
import { backup, DatabaseSync } from 'node:sqlite'
import { isRecordTable, TABLE_NAMES } from '../../sql/tables.ts'
import type { CheckTask, CopyTask, DatabaseCopy, ReferencedContent } from '../driver.ts'
import { type EntryCount, lackingEntries } from '../lacking-entries.ts'
import { type Connection, firstColumn, openReader, prepareArrays } from './dialect/connection.ts'
import { sqliteDialect } from './dialect/dialect.ts'
import { DATABASE_NAME, databaseFile, requireDatabaseFile } from './file/data-folder.ts'
import { integrityFaults } from './file/integrity-check.ts'

/** 4 MiB: other work of the program runs between two chunks. */
const PAGES_AT_ONCE = 1_000

const MIGRATIONS = 'select name from kysely_migration order by name'
const TABLES = `select name from sqlite_schema where type = 'table' order by name`
/** A mirror may not have fetched a content yet: it has no hash. */
const REFERENCED_CONTENTS = `
  select company_id as companyId, file_hash as hash, max(doc_size) as size
  from document_revision where file_hash <> '' group by company_id, file_hash order by company_id, file_hash`

const HAS_COUNTS = `select count(*) from pragma_table_info('journal_counter') where name = 'entry_count'`
const ENTRY_COUNTS = `
  select company_id as company, entry_count as counted,
    (select count(*) from journal_entry e where e.company_id = c.company_id) as found
  from journal_counter c order by company_id`

/** Copies the database file of the data folder and checks the copy. Takes no lock: writers continue. */
export async function copyFile({ data, folder, progress, onReferenced }: CopyTask): Promise<DatabaseCopy> {
  const source = requireDatabaseFile(data)
  const target = databaseFile(folder)
  await copyPages(source, target, progress)
  chmodSync(target, 0o600)
  using copy = new DatabaseSync(target)
  // A single file without a log, which can be read from read-only media.
  copy.exec('pragma journal_mode = delete')
  const [fault] = integrityFaults(copy, 'quick_check')
  if (fault !== undefined) throw new Error(fault)
  const migrations = names(copy, MIGRATIONS)
  for (const content of referencedContents(copy)) await onReferenced(content)
  return { migrations, files: [DATABASE_NAME], tables: countRows(copy) }
}

/**
 * An open read transaction makes all steps read one snapshot; without it, each concurrent write would restart the copy.
 */
async function copyPages(source: string, target: string, progress: CopyTask['progress']): Promise<void> {
  using connection = openReader(source)
  connection.exec('begin')
  connection.prepare('select count(*) from sqlite_schema').get()
  await backup(connection, target, {
    rate: PAGES_AT_ONCE,
    progress: ({ totalPages, remainingPages }) => progress(totalPages - remainingPages, totalPages),
  })
}

/** Checks the complete file: pages, indexes, references, row counts, and the entries that the counters say. */
export async function checkFile({ folder, copy, report, onReferenced }: CheckTask): Promise<boolean> {
  using connection = openReader(databaseFile(folder))
  for (const fault of integrityFaults(connection)) report(fault)
  const found = countRows(connection)
  for (const [table, rows] of Object.entries(copy.tables)) {
    if (found[table] !== rows) report(`the table ${table} has ${found[table] ?? 0} rows instead of ${rows}`)
  }
  for (const count of entryCounts(connection)) {
    const fault = lackingEntries(count)
    if (fault !== undefined) report(fault)
  }
  for (const content of referencedContents(connection)) await onReferenced?.(content)
  return true
}

export function* referencedContents(connection: Connection): Generator<ReferencedContent, void, void> {
  if (!hasTable(connection, 'document_revision')) return
  yield* connection.prepare(REFERENCED_CONTENTS).iterate() as unknown as Iterable<ReferencedContent>
}

/** None in a schema of an early version, which has no counts. */
function entryCounts(connection: Connection): readonly EntryCount[] {
  if (firstColumn(prepareArrays(connection, HAS_COUNTS), []) === 0) return []
  return connection.prepare(ENTRY_COUNTS).all() as unknown as EntryCount[]
}

/** The first column of every row. */
function names(connection: Connection, text: string): string[] {
  return (prepareArrays(connection, text).all() as unknown as [string][]).map(([name]) => name)
}

function hasTable(connection: Connection, name: string): boolean {
  return connection.prepare(`select 1 from sqlite_schema where type = 'table' and name = ?`).get(name) !== undefined
}

function countRows(connection: Connection): Record<string, number> {
  const tables = names(connection, TABLES).filter((name) => TABLE_NAMES.includes(name) || isRecordTable(name))
  const count = (name: string) =>
    firstColumn(prepareArrays(connection, `select count(*) from ${sqliteDialect.quote(name)}`), []) as number
  return Object.fromEntries(tables.map((name) => [name, count(name)]))
}
