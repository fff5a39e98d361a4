// Copies all tables without external programs: one transaction reads one snapshot, and a cursor fetches rows in chunks
// of bounded size. Writers continue.

import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import type { CopyTask, DatabaseCopy } from '../driver.ts'
import { MIGRATION_NAMES } from '../migrations/migrate.ts'
import { inSnapshot, withSession } from './sessions/reading-session.ts'
import { isDistributed } from './tables/placement.ts'
import {
  allCompanies,
  bind,
  type CopySession,
  companiesOf,
  type FoundTable,
  fileOf,
  findTables,
  headerOf,
  quote,
  referencedContents,
  rowsOf,
} from './tables/table-file.ts'
import { requireAllEntries, requireVisibleRows } from './tables/visible-rows.ts'

/** The approximate size of one fetch. */
const BYTES_AT_ONCE = 2 * 1024 * 1024
const FIRST_ROWS = 20
const MAX_ROWS = 5_000

/** Copies every table to its own file. */
export function dumpTables({ folder, progress, onReferenced }: CopyTask, url: string): Promise<DatabaseCopy> {
  return withSession(url, 'tabularium backup', (session) =>
    inSnapshot(session, async () => {
      if (!(await isSetUp(session))) throw new Error('there are no records of Tabularium in the database')
      await requireVisibleRows(session)
      await requireAllEntries(session, await allCompanies(session))
      const migrations = await executedMigrations(session)
      const tables = await findTables(session)
      const counts: Record<string, number> = {}
      for (const [at, table] of tables.entries()) {
        progress(at, tables.length)
        counts[table.name] = await dumpTable(session, table, join(folder, fileOf(table.name)))
      }
      for await (const content of referencedContents(session, tables)) await onReferenced(content)
      const files = tables.map(({ name }) => fileOf(name))
      return { migrations, files, tables: counts, isOfManyMoments: await isDistributed(session) }
    }),
  )
}

/** Throws when the schema is newer: it may have tables that this program does not know, and would leave out. */
async function executedMigrations(session: CopySession): Promise<string[]> {
  const { rows } = await session.query<{ name: string }>('select name from kysely_migration order by name')
  const names = rows.map(({ name }) => name)
  const newer = names.filter((name) => !MIGRATION_NAMES.includes(name))
  if (newer.length === 0) return names
  throw new Error(`a newer version of Tabularium has changed the database (${newer.join(', ')}): back it up with that`)
}

export async function isSetUp(session: CopySession): Promise<boolean> {
  const { rows } = await session.query<{ table: string | null }>(`select to_regclass('kysely_migration') as "table"`)
  return rows[0]?.table !== null
}

/** Returns the number of rows. */
async function dumpTable(session: CopySession, table: FoundTable, path: string): Promise<number> {
  await using handle = await open(path, 'wx', 0o600)
  await handle.writeFile(`${JSON.stringify(headerOf(table))}\n`)
  let rows = 0
  for (const company of await companiesOf(session, table)) {
    await bind(session, company)
    rows += await dumpRows(session, table, company, handle)
  }
  return rows
}

async function dumpRows(session: CopySession, table: FoundTable, company: string, handle: FileHandle): Promise<number> {
  // Each value is dumped as PostgreSQL's text of it. Rows are in the order of companies, which loading needs.
  const values = table.columns.map(({ name }) => `${quote(name)}::text`)
  const order =
    !table.isByCompany && table.columns.some(({ name }) => name === 'company_id') ? 'order by company_id' : ''
  await session.query(
    `declare dumped no scroll cursor for
      select array_to_json(array[${values.join(', ')}])::text from ${quote(table.name)} ${rowsOf(table, company)} ${order}`,
  )
  let count = 0
  for (let fetchCount = FIRST_ROWS; ; ) {
    const { rows } = await session.query<string[]>({ text: `fetch ${fetchCount} from dumped`, rowMode: 'array' })
    if (rows.length > 0) await handle.writeFile(rows.map(([line]) => `${line}\n`).join(''))
    count += rows.length
    if (rows.length < fetchCount) break
    const bytes = rows.reduce((sum, [line = '']) => sum + line.length, 0)
    const fitting = Math.floor((BYTES_AT_ONCE / bytes) * rows.length)
    fetchCount = Math.max(1, Math.min(fitting, fetchCount * 4, MAX_ROWS))
  }
  await session.query('close dumped')
  return count
}
