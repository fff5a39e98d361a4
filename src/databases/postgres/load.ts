// Loads copied tables into a database without records, in one transaction, so that all of them are there or none.
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { linesOf } from '../../base/lines.ts'
import type { LoadTask, RestoreTarget } from '../driver.ts'
import { migrate } from '../migrations/migrate.ts'
import { isSetUp } from './dump.ts'
import { NO_COMPILATION } from './sessions/pools.ts'
import { requireReachable } from './sessions/require-usable.ts'
import { ensureTable, ensureUnique } from './tables/declared-tables.ts'
import { isDistributed } from './tables/placement.ts'
import { postgresSchema } from './tables/schema.ts'
import { withSchemaRights } from './tables/schema-rights.ts'
import {
  bind,
  type FoundTable,
  fileOf,
  findTables,
  isDeclaredTable,
  quote,
  readHeader,
  readRow,
  referencedContents,
  type TableHeader,
} from './tables/table-file.ts'

/** The size of one batch. */
const CHARACTERS_AT_ONCE = 1024 * 1024
const ROWS_AT_ONCE = 5_000

/** `migrations` are those that created the schema of the copy. */
export async function openEmptyDatabase(
  url: string,
  migrations: readonly string[],
  validateOnly: boolean,
): Promise<RestoreTarget | undefined> {
  await requireReachable(url)
  const pool = new pg.Pool({
    connectionString: url,
    max: 2,
    application_name: 'tabularium restore',
    onConnect: async (client) => void (await client.query(`set ${NO_COMPILATION}`)),
  })
  pool.on('error', () => {})
  try {
    await requireEmpty(pool, migrations)
    if (!validateOnly) return new EmptyDatabase(pool, migrations)
  } catch (error) {
    await pool.end()
    throw error
  }
  await pool.end()
  return undefined
}

type Session = pg.Pool | pg.PoolClient

async function requireEmpty(session: Session, migrations: readonly string[]): Promise<void> {
  if (!(await isSetUp(session))) return
  if (await isDistributed(session)) {
    throw new Error('the database is distributed: restore into one that is not, and distribute that')
  }
  const { rows } = await session.query<{ name: string }>('select name from kysely_migration')
  const unknown = rows.find(({ name }) => !migrations.includes(name))
  if (unknown) throw new Error('the database has a newer schema than the backup: restore into a new database')
  const found = await session.query(`select to_regclass('setup_item') as "table"`)
  if (found.rows[0]?.table === null) return
  // There are no records before a setup was applied.
  const items = await session.query('select 1 from setup_item limit 1')
  if (items.rows.length > 0) throw new Error('the database has records already: restore into a new database')
}

class EmptyDatabase implements RestoreTarget {
  readonly #pool: pg.Pool
  readonly #migrations: readonly string[]
  #session: pg.PoolClient | undefined

  constructor(pool: pg.Pool, migrations: readonly string[]) {
    this.#pool = pool
    this.#migrations = migrations
  }

  async load({ copy, read, progress, onReferenced }: LoadTask): Promise<void> {
    const schema = new Kysely<unknown>({ dialect: new PostgresDialect({ pool: this.#pool }) })
    await withSchemaRights(this.#pool, () => migrate(schema, postgresSchema, this.#migrations))
    const session = await this.#pool.connect()
    this.#session = session
    session.on('error', () => {})
    await session.query('set statement_timeout = 0; set idle_in_transaction_session_timeout = 0')
    await session.query('set synchronous_commit = on')
    await session.query('begin; lock table setup_item in exclusive mode')
    await requireEmpty(session, this.#migrations)
    for (const [at, [table, rows]] of Object.entries(copy.tables).entries()) {
      progress(at, copy.files.length)
      await loadTable(session, fileOf(table), rows, read)
    }
    for await (const content of referencedContents(session, await findTables(session))) await onReferenced(content)
  }

  async accept(): Promise<void> {
    await this.#session?.query('commit')
  }

  async close(): Promise<void> {
    // An uncommitted transaction is rolled back with its session.
    this.#session?.release(true)
    await this.#pool.end()
  }
}

async function loadTable(session: pg.PoolClient, file: string, rows: number, read: LoadTask['read']): Promise<void> {
  const lines = linesOf(read(file))
  const header = readHeader(file, (await lines.next()).value ?? undefined)
  if (header.own && isDeclaredTable(header.table)) {
    const own = { ...header.own, name: header.table }
    await ensureTable(session, own)
    await ensureUnique(session, own)
  }
  const table = (await findTables(session)).find(({ name }) => name === header.table)
  if (!table) throw new Error(`the schema of the backup has no table ${header.table}`)
  const loader = new Loader(session, table, header)
  for await (const line of lines) await loader.add(line)
  await loader.flush()
  if (loader.rows !== rows) throw new Error(`the table ${table.name} has ${loader.rows} rows instead of ${rows}`)
}

/** Batches the rows of one company. */
class Loader {
  rows = 0
  readonly #session: pg.PoolClient
  readonly #header: TableHeader
  readonly #text: string
  /** The position of the company in a row; -1 for a table without companies. */
  readonly #companyAt: number
  #company = ''
  #batch: string[] = []
  #characters = 0

  constructor(session: pg.PoolClient, table: FoundTable, header: TableHeader) {
    this.#session = session
    this.#header = header
    this.#text = insertOf(table, header)
    this.#companyAt = header.columns.indexOf('company_id')
  }

  async add(line: string): Promise<void> {
    const company = readRow(this.#header, line)[this.#companyAt] ?? ''
    if (company !== this.#company) await this.flush()
    this.#company = company
    this.#batch.push(line)
    this.#characters += line.length
    if (this.#batch.length >= ROWS_AT_ONCE || this.#characters >= CHARACTERS_AT_ONCE) await this.flush()
  }

  async flush(): Promise<void> {
    if (this.#batch.length === 0) return
    await bind(this.#session, this.#company)
    await this.#session.query(this.#text, [`[${this.#batch.join(',')}]`])
    this.rows += this.#batch.length
    this.#batch = []
    this.#characters = 0
  }
}

/** The types come from the table, not from the file. */
function insertOf({ name, columns }: FoundTable, header: TableHeader): string {
  const values = header.columns.map((columnName, at) => {
    const column = columns.find((one) => one.name === columnName)
    if (!column) throw new Error(`the table ${name} has no column ${columnName}`)
    return `(line ->> ${at})::${column.type}`
  })
  return `insert into ${quote(name)} (${header.columns.map(quote).join(', ')})
    select ${values.join(', ')} from jsonb_array_elements($1::jsonb) as line`
}
