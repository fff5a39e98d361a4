// Migrations of a database on PostgreSQL that others use: they may take long, and wait for locks, while requests pass.
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { MIGRATION_NAMES, migrate } from '../../src/databases/migrations/migrate.ts'
import { openMigrationPool } from '../../src/databases/postgres/sessions/pools.ts'
import { whenFree } from '../../src/databases/postgres/sessions/when-free.ts'
import { postgresSchema } from '../../src/databases/postgres/tables/schema.ts'
import type { Rows } from '../support/direct-connection.ts'
import { asSuperuser, newDatabase, queryOn } from '../support/test-database.ts'
import { STORE_KINDS, startWorld } from '../support/world.ts'

/** Creating each table takes longer than a query may run. */
const SLOW_TABLES = `
  create function slow_tables() returns event_trigger language plpgsql as $$
  begin
    if exists (select from pg_event_trigger_ddl_commands() where object_identity = 'public.slow_query') then
      perform pg_sleep(5);
    end if;
  end $$;
  create event trigger slow_tables on ddl_command_end when tag in ('CREATE TABLE') execute function slow_tables();`

/** Those of the ledger. */
const BEFORE = MIGRATION_NAMES.slice(0, 1)

const ON = 'ledger_transaction (company_id, description)'
const NAME = 'ledger_description'

describe.runIf(STORE_KINDS.includes('postgres'))('A migration on PostgreSQL', () => {
  let url = ''
  let pool: pg.Pool
  const clients: pg.Client[] = []

  beforeEach(async () => {
    url = await newDatabase()
    pool = openMigrationPool(url)
  })
  afterEach(async () => {
    for (const client of clients.splice(0)) await client.end()
    await pool.end()
  })

  const schemaOf = () => new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  const look = (text: string): Promise<Rows> => queryOn(asSuperuser(url), text)

  /** A session of someone else, in a transaction that writes to the ledger. */
  async function writer(): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: url, application_name: 'a report' })
    clients.push(client)
    await client.connect()
    await client.query('begin; lock table ledger_transaction in row exclusive mode')
    return client
  }

  it('takes the time that it needs, whatever a query may take', async () => {
    const world = await startWorld('postgres', 'test/fixtures/company.yaml', '', {
      isNew: true,
      prepare: SLOW_TABLES,
      queryTimeoutMs: 4_000,
    })
    try {
      // On a busy machine a query may take as long as it may here.
      const read = async () => (await world.send({ as: 'integration', url: '/v1/attribute-values/C1' })).status
      await expect.poll(read).toBe(200)
    } finally {
      await world.stop()
    }
  })

  it('gives way while others use its table, and goes on when they have ended', async () => {
    await migrate(schemaOf(), postgresSchema, BEFORE)
    const other = await writer()
    const changing = whenFree(pool, () => pool.query('alter table ledger_transaction add column later bigint'))
    const queued = "select from pg_locks where relation = 'ledger_transaction'::regclass and not granted"
    await expect.poll(() => look(queued), { interval: 20 }).toHaveLength(1)
    // The transaction is open still: the migration leaves the queue for a while, so that a request gets its lock at once.
    const request = () =>
      look('begin; lock table ledger_transaction in row exclusive mode nowait').then(
        () => 'locked',
        (error: Error) => error.message,
      )
    await expect.poll(request, { interval: 20 }).toBe('locked')
    await other.query('commit')
    await changing
    expect(await look('select later from ledger_transaction')).toEqual([])
  })

  it('names the transaction that it has waited for in vain', async () => {
    await migrate(schemaOf(), postgresSchema, BEFORE)
    const other = await writer()
    const { rows } = await other.query<{ pid: number }>('select pg_backend_pid() as pid')
    const change = () => pool.query("set lock_timeout = '100ms'; alter table ledger_transaction add column x bigint")
    await expect(whenFree(pool, change, 2)).rejects.toThrow(
      new RegExp(
        '^canceling statement due to lock timeout: other sessions have held a lock at each of 2 tries: ' +
          'end their transactions and try again; ' +
          `the oldest transaction is that of process ${rows[0]?.pid} \\(a report\\), open since \\d{4}-[^ ]*Z$`,
      ),
    )
  })

  it('builds an index while others write, and again when it was killed', async () => {
    const db = schemaOf()
    await migrate(db, postgresSchema, BEFORE)
    const other = await writer()
    const building = postgresSchema.buildIndex(db, NAME, ON)
    const killed = expect(building).rejects.toThrow()
    const build = "from pg_stat_activity where query like 'create index concurrently%' and wait_event_type = 'Lock'"
    await expect.poll(() => look(`select pid ${build}`)).toHaveLength(1)
    await look("insert into ledger_transaction (company_id, transaction_number) values ('EN', 1)")
    await look(`select pg_terminate_backend(pid) ${build}`)
    await killed
    const validity = `select indisvalid as valid from pg_index where indexrelid = to_regclass('${NAME}')`
    expect(await look(validity)).toEqual([{ valid: false }])
    await other.query('commit')
    await postgresSchema.buildIndex(db, NAME, ON)
    expect(await look(validity)).toEqual([{ valid: true }])
    const indexes = `select indexrelid::regclass::text as name from pg_index i
      where indrelid = 'ledger_transaction'::regclass and not indisvalid`
    expect(await look(indexes)).toEqual([])
    await postgresSchema.dropIndex(db, NAME)
    expect(await look(validity)).toEqual([])
  })

  it('leaves the limit of locks as it was after an index', async () => {
    const db = schemaOf()
    await migrate(db, postgresSchema, BEFORE)
    const limit = (await pool.query('show lock_timeout')).rows
    await postgresSchema.buildIndex(db, NAME, ON)
    expect((await pool.query('show lock_timeout')).rows).toEqual(limit)
    const locks = `select from pg_locks where locktype = 'advisory'
      and database = (select oid from pg_database where datname = current_database())`
    expect(await look(locks)).toEqual([])
  })

  it('lets one process build an index at a time', async () => {
    const db = schemaOf()
    await migrate(db, postgresSchema, BEFORE)
    const second = openMigrationPool(url)
    const db2 = new Kysely<unknown>({ dialect: new PostgresDialect({ pool: second }) })
    await Promise.all([db, db2].map((each) => postgresSchema.buildIndex(each, NAME, ON)))
    expect(await look(`select from pg_index where indexrelid = to_regclass('${NAME}') and indisvalid`)).toHaveLength(1)
    await second.end()
  })
})
