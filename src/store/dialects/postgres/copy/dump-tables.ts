// A copy of all tables of ours, without external programs: one transaction sees one moment, however long it takes, and
// a cursor fetches its rows in pieces of bounded size. Writers go on.
import { createReadStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { linesOf } from '../../../../base/lines.ts'
import type { CheckTask, CopyTask, DatabaseCopy } from '../../../database-copy.ts'
import { requireReachable } from '../sessions/require-reachable.ts'
import { requireRows } from '../sessions/require-rows.ts'
import {
  bind,
  type CopySession,
  companiesOf,
  type FoundTable,
  fileOf,
  findTables,
  headerOf,
  quote,
  readHeader,
  readRow,
  referredIn,
} from './table-file.ts'

/** Rows are fetched so many at a time that they take about this much. */
const BYTES_AT_ONCE = 2 * 1024 * 1024
const FIRST_ROWS = 20
const MOST_ROWS = 5_000
const BEGIN = 'begin isolation level repeatable read read only'

/** Copies every table to a file of its own. */
export function dumpTables({ folder, progress, onReferred }: CopyTask, url: string): Promise<DatabaseCopy> {
  return withSession(url, 'tabularium backup', async (session) => {
    await session.query(BEGIN)
    if (!(await isSetUp(session))) throw new Error('there are no records of Tabularium in the database')
    await requireRows(session)
    const { rows } = await session.query<{ name: string }>('select name from kysely_migration order by name')
    const tables = await findTables(session)
    const counts: Record<string, number> = {}
    for (const [at, table] of tables.entries()) {
      progress(at, tables.length)
      counts[table.name] = await dumpTable(session, table, join(folder, fileOf(table.name)))
    }
    for await (const content of referredIn(session, tables)) await onReferred(content)
    await session.query('commit')
    const files = tables.map(({ name }) => fileOf(name))
    return { kind: 'postgres', migrations: rows.map(({ name }) => name), files, tables: counts }
  })
}

/** One session of its own, without the bounds on the time of a request. */
export async function withSession<T>(url: string, name: string, work: (session: pg.Client) => Promise<T>): Promise<T> {
  await requireReachable(url)
  const session = new pg.Client({ connectionString: url, application_name: name })
  // A session that is lost is told by the statement that needs it.
  session.on('error', () => {})
  await session.connect()
  try {
    await session.query('set statement_timeout = 0; set idle_in_transaction_session_timeout = 0')
    await session.query('set synchronous_commit = on')
    return await work(session)
  } finally {
    await session.end()
  }
}

export async function isSetUp(session: CopySession): Promise<boolean> {
  const { rows } = await session.query<{ table: string | null }>(`select to_regclass('kysely_migration') as "table"`)
  return rows[0]?.table !== null
}

/** Gives the number of rows. */
async function dumpTable(session: CopySession, table: FoundTable, path: string): Promise<number> {
  const handle = await open(path, 'wx', 0o600)
  try {
    await handle.writeFile(`${JSON.stringify(headerOf(table))}\n`)
    let rows = 0
    for (const company of await companiesOf(session, table)) {
      await bind(session, company)
      rows += await dumpRows(session, table, handle)
    }
    return rows
  } finally {
    await handle.close()
  }
}

async function dumpRows(session: CopySession, table: FoundTable, handle: FileHandle): Promise<number> {
  // As a text each, so that PostgreSQL alone says what a value is; in the order of companies, as they are read again.
  const values = table.columns.map(({ name }) => `${quote(name)}::text`)
  const order = !table.isGuarded && table.columns.some(({ name }) => name === 'company_id') ? 'order by company_id' : ''
  await session.query(
    `declare dumped no scroll cursor for
      select array_to_json(array[${values.join(', ')}])::text from ${quote(table.name)} ${order}`,
  )
  let count = 0
  for (let wanted = FIRST_ROWS; ; ) {
    const { rows } = await session.query<string[]>({ text: `fetch ${wanted} from dumped`, rowMode: 'array' })
    if (rows.length > 0) await handle.writeFile(rows.map(([line]) => `${line}\n`).join(''))
    count += rows.length
    if (rows.length < wanted) break
    const bytes = rows.reduce((sum, [line = '']) => sum + line.length, 0)
    const fitting = Math.floor((BYTES_AT_ONCE / bytes) * rows.length)
    wanted = Math.max(1, Math.min(fitting, wanted * 4, MOST_ROWS))
  }
  await session.query('close dumped')
  return count
}

/** Looks whether every file has the rows that it had, each whole. */
export async function checkTables({ folder, copy, tell }: CheckTask): Promise<void> {
  for (const [table, rows] of Object.entries(copy.tables)) {
    const file = fileOf(table)
    try {
      const lines = linesOf(createReadStream(join(folder, file)))
      const header = readHeader(file, (await lines.next()).value ?? undefined)
      let found = 0
      for await (const line of lines) {
        readRow(header, line)
        found++
      }
      if (found !== rows) tell(`the table ${table} has ${found} rows instead of ${rows}`)
    } catch (error) {
      tell((error as Error).message)
    }
  }
}
