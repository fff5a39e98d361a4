// `distribute`: what it prints, what it refuses, and that it can be ended at any moment. The extension is pretended.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { blocksOf } from '../support/guides.ts'
import { PostgresServer } from '../support/postgres.ts'
import { delayTable, pretendExtension } from '../support/pretended-extension.ts'
import { kill, linesOf, run, serve, start, temporaryFolder } from '../support/process.ts'
import { asSuperuser, copyOfDatabase, newDatabase, queryOn } from '../support/test-database.ts'
import { STORE_KINDS } from '../support/world.ts'

/** Its documents have a table of their own, and a text index. */
const SETUP = 'test/fixtures/life-cycle.yaml'

const folder = temporaryFolder()
afterAll(() => folder.remove())

/** The commands of the guide, in their order. */
const [PREVIEW = [], DISTRIBUTE = []] = blocksOf('guides/administration/distribute.md')
  .filter(({ language }) => language === 'bash')
  .map(({ text }) => text.trim().split(' ').slice(1))

function onDatabase(command: readonly string[], database: string): string[] {
  return command.map((word) => (word.startsWith('postgres://') ? database : word))
}

const distribute = (database: string) => run(onDatabase(DISTRIBUTE, database))

it('distribute on SQLite is refused in one line', async () => {
  const refused = await run(['distribute', '--data', folder.path])
  expect(refused).toMatchObject({
    code: 1,
    stdout: '',
    stderr: 'tabularium: SQLite keeps all records in one file: name a PostgreSQL database with --database\n',
  })
})

describe.runIf(STORE_KINDS.includes('postgres'))('distribute on PostgreSQL', () => {
  let server: PostgresServer
  let source: string
  let database: string

  beforeAll(async () => {
    server = await PostgresServer.start(['-c', 'wal_level=logical', '-c', 'jit=off'])
    source = await newDatabase({ admin: server.admin })
    const applied = await run(['setup', SETUP, '--data', folder.path, '--database', source])
    expect(applied.stderr).toBe('')
  })
  afterAll(() => server?.remove())
  beforeEach(async () => {
    database = await copyOfDatabase(source)
  })

  const rowsIn = (text: string) => queryOn(asSuperuser(database), text)
  const distributed = async () =>
    (await rowsIn('select logicalrelid::text as name from pg_dist_partition')).map(({ name }) => name)

  it('is shown by the guide as the tests run it', () => {
    expect([PREVIEW.slice(0, 2), DISTRIBUTE.slice(0, 1)]).toEqual([['distribute', '--dry-run'], ['distribute']])
  })

  it('prints with --dry-run what it would do and what is missing, and changes nothing', async () => {
    const { code, stdout, stderr } = await run(onDatabase(PREVIEW, database))
    expect(code).toBe(1)
    expect(linesOf(stderr)).toEqual([
      'tabularium: the extension citus is not in the database: create extension citus, on every server, as superuser',
    ])
    const company = (table: string) =>
      `select create_distributed_table('"${table}"', 'company_id', colocate_with => 'journal_counter');`
    for (const table of ['customer', 'journal_entry', 'own_employees'])
      expect(linesOf(stdout)).toContain(company(table))
    for (const table of ['setup_item', 'setup_version', 'kysely_migration']) {
      expect(linesOf(stdout)).toContain(`select create_reference_table('"${table}"');`)
    }
    for (const table of ['client_usage', 'serving_process']) {
      expect(linesOf(stdout)).toContain(`select citus_add_local_table_to_metadata('"${table}"');`)
    }
    expect(stdout).toMatch(/^drop table "setup_text_[^"]*";$/m)
    const [first] = linesOf(stdout).filter((line) => line.includes('create_distributed_table'))
    expect(first).toBe(`select create_distributed_table('"journal_counter"', 'company_id', colocate_with => 'none');`)
  })

  it('distributes each table once, and says of each where it is', async () => {
    await pretendExtension(database)
    const { code, stdout, stderr } = await distribute(database)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^journal_counter: [1-9]\d* rows, by company\n/)
    expect(stdout).toMatch(/^setup_item: [1-9]\d* rows, a copy on each server$/m)
    expect(stdout).toMatch(/^serving_process: 0 rows, on the coordinator$/m)
    expect(stdout).toMatch(/^(\d+) tables distributed over 2 servers; (\d+) of \2 statements ask one shard\n$/m)
    expect(await rowsIn('select version > 0 as is_known from setup_version')).toEqual([{ is_known: true }])
    expect(await rowsIn('select relname from pg_class where relforcerowsecurity')).toEqual([])
    const tables = await distributed()
    expect(new Set(tables).size).toBe(tables.length)

    const again = await distribute(database)
    expect(again.code).toBe(0)
    expect(linesOf(again.stdout).filter((line) => line.endsWith(': is distributed'))).toHaveLength(tables.length)
    expect(await distributed()).toEqual(tables)
  })

  it('is told by check, which reads all rows and cannot look at indexes on other servers', async () => {
    const check = () => run(['check', '--database', database])
    const note = /^indexes were not looked at: they are those of the shards on each server/m
    expect((await check()).stdout).not.toMatch(note)
    await pretendExtension(database)
    await distribute(database)
    expect(await check()).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(note) })
  })

  it('goes on where it was killed, and no server starts in between', async () => {
    await pretendExtension(database)
    await delayTable(database, 'customer', 60)
    const running = start(onDatabase(DISTRIBUTE, database))
    await expect.poll(async () => (await distributed()).includes('company')).toBe(true)
    await kill(running)
    // The database ends the statement when its answer cannot be sent, which may be later.
    await rowsIn(
      "select pg_terminate_backend(pid, 10000) from pg_stat_activity where application_name = 'tabularium distribute'",
    )
    expect(await distributed()).not.toContain('customer')
    const refused = await run(['setup', SETUP, '--data', folder.path, '--database', database])
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toMatch(
      /^tabularium: the database is distributed in part .*: run `tabularium distribute` again\n$/,
    )

    await delayTable(database, 'customer', 0)
    const { code, stdout } = await distribute(database)
    expect(code).toBe(0)
    expect(linesOf(stdout)).toContain('company: is distributed')
    expect(stdout).toMatch(/^customer: \d+ rows, by company$/m)
    expect((await run(['setup', SETUP, '--data', folder.path, '--database', database])).code).toBe(0)
  })

  it.each([
    ['an older extension', { version: '12.1-1' }, ['the extension citus has version 12.1-1: it must be 13 or newer']],
    [
      'no servers and no address of its own',
      { workers: 0, hasCoordinator: false },
      [
        "the coordinator has no address: select citus_set_coordinator_host('HOST', 5432)",
        "there is no server to distribute to: select citus_add_node('HOST', 5432) for each",
      ],
    ],
    [
      'a server whose log is not logical',
      { walLevel: 'replica' },
      ['db1:5432: wal_level must be logical, or no company could be moved while the service runs'],
    ],
  ])('refuses %s, and changes nothing', async (_what, pretended, conditions) => {
    await pretendExtension(database, pretended)
    const { code, stdout, stderr } = await distribute(database)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(linesOf(stderr)).toEqual(conditions.map((condition) => `tabularium: ${condition}`))
    expect(await distributed()).toEqual([])
  })

  it('refuses while a server is connected', async () => {
    await pretendExtension(database)
    const service = await serve(['--data', folder.path, '--database', database])
    const { code, stderr } = await distribute(database)
    expect(code).toBe(1)
    expect(stderr).toBe('tabularium: a server is connected: stop all servers, and start them again afterwards\n')
    expect(await distributed()).toEqual([])
    await kill(service)
  })

  it('refuses a role that does not own the tables', async () => {
    await pretendExtension(database)
    const [{ name: owner } = {}] = await rowsIn(
      `select relowner::regrole::text as name from pg_class where relname = 'customer'`,
    )
    const other = new URL(await newDatabase({ admin: server.admin }))
    await rowsIn(
      `grant ${owner} to ${other.username} with inherit false; grant connect on database ${new URL(database).pathname.slice(1)} to ${other.username}; grant select on all tables in schema public to ${other.username}`,
    )
    other.pathname = new URL(database).pathname
    const { code, stderr } = await distribute(other.href)
    expect(code).toBe(1)
    expect(stderr).toContain(
      `tabularium: the tables belong to ${owner}: name it in --database instead of ${other.username}\n`,
    )
    expect(await distributed()).toEqual([])
  })
})
