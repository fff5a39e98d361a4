// A copy of the SQLite file while another process writes it, by SQLite's own backup.
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import type { CheckTask, CopyTask, DatabaseCopy, ReferredContent } from '../../../database-copy.ts'
import { TABLE_NAMES } from '../../../tables.ts'
import { type Connection, firstColumn, openReader, prepareArrays } from '../connection.ts'
import { sqliteExpressions } from '../expressions.ts'
import { requireDatabaseFile } from './data-folder.ts'
import { integrityFaults } from './integrity-check.ts'

const FILE = 'tabularium.db'
/** 4 MiB: the rest of the program gets its turn between two of them. */
const PAGES_AT_ONCE = 1_000

const MIGRATIONS = 'select name from kysely_migration order by name'
const OURS = `select name from sqlite_schema where type = 'table' order by name`
const REFERRED = `
  select company_id as companyId, file_hash as hash, max(doc_size) as size
  from document_revision group by company_id, file_hash order by company_id, file_hash`

/** Copies the file of the data folder and looks whether the copy is sound. Takes no lock: writers go on. */
export async function copyFile({ data, folder, progress, onReferred }: CopyTask): Promise<DatabaseCopy> {
  const source = requireDatabaseFile(data)
  const target = join(folder, FILE)
  await copyPages(source, target, progress)
  chmodSync(target, 0o600)
  const copy = new DatabaseSync(target)
  try {
    // One file without a log beside it, that can be read from a medium which cannot be written.
    copy.exec('pragma journal_mode = delete')
    const [fault] = integrityFaults(copy, 'quick_check')
    if (fault !== undefined) throw new Error(fault)
    const migrations = names(copy, MIGRATIONS)
    for (const content of referredIn(copy)) await onReferred(content)
    return { kind: 'sqlite', migrations, files: [FILE], tables: countRows(copy) }
  } finally {
    copy.close()
  }
}

/** In an open transaction all steps see one moment: without it, each write meanwhile would begin the copy again. */
async function copyPages(source: string, target: string, progress: CopyTask['progress']): Promise<void> {
  const connection = openReader(source)
  try {
    connection.exec('begin')
    connection.prepare('select count(*) from sqlite_schema').get()
    await backup(connection, target, {
      rate: PAGES_AT_ONCE,
      progress: ({ totalPages, remainingPages }) => progress(totalPages - remainingPages, totalPages),
    })
  } finally {
    connection.close()
  }
}

/** Looks through the whole file: pages, indexes, references, counts. */
export async function checkFile({ folder, copy, tell, onReferred }: CheckTask): Promise<void> {
  const connection = openReader(join(folder, FILE))
  try {
    for (const fault of integrityFaults(connection)) tell(fault)
    const found = countRows(connection)
    for (const [table, rows] of Object.entries(copy.tables)) {
      if (found[table] !== rows) tell(`the table ${table} has ${found[table] ?? 0} rows instead of ${rows}`)
    }
    for (const content of referredIn(connection)) await onReferred?.(content)
  } finally {
    connection.close()
  }
}

export function* referredIn(connection: Connection): Generator<ReferredContent, void, void> {
  if (!hasTable(connection, 'document_revision')) return
  yield* connection.prepare(REFERRED).iterate() as unknown as Iterable<ReferredContent>
}

/** The first column of every row. */
function names(connection: Connection, text: string): string[] {
  return (prepareArrays(connection, text).all() as unknown as [string][]).map(([name]) => name)
}

function hasTable(connection: Connection, name: string): boolean {
  return connection.prepare(`select 1 from sqlite_schema where type = 'table' and name = ?`).get(name) !== undefined
}

function countRows(connection: Connection): Record<string, number> {
  const ours = names(connection, OURS).filter((name) => TABLE_NAMES.includes(name) || name.startsWith('own_'))
  const count = (name: string) =>
    firstColumn(prepareArrays(connection, `select count(*) from ${sqliteExpressions.quote(name)}`), []) as number
  return Object.fromEntries(ours.map((name) => [name, count(name)]))
}
