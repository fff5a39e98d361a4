// T4: defence in depth. On PostgreSQL every table with a company is under forced row-level security: a statement
// without a predicate reads one company only, and fails in a transaction that is bound to none.
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { COMPANIES, GRANIT, JASPER, KOPPER } from '../../support/isolation/companies.ts'
import { type IsolationWorld, startIsolationWorld } from '../../support/isolation/records.ts'
import { reliabilityTest } from '../../support/reliability-test.ts'
import { STORE_KINDS } from '../../support/world.ts'

/** Read completely when a setup comes into force; no request reads it (T4, statements). */
const UNGUARDED = ['setup_item']

const TABLES = `
  select c.relname as name, c.relrowsecurity as "isOn", c.relforcerowsecurity as "isForced",
    (select json_agg(json_build_object('command', p.polcmd, 'using', pg_get_expr(p.polqual, p.polrelid),
        'check', pg_get_expr(p.polwithcheck, p.polrelid), 'isPermissive', p.polpermissive))
      from pg_policy p where p.polrelid = c.oid) as policies
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'company_id' and not a.attisdropped
  where c.relkind in ('r', 'p') and pg_table_is_visible(c.oid)
  order by c.relname`

interface FoundTable {
  readonly name: string
  readonly isOn: boolean
  readonly isForced: boolean
  readonly policies: readonly object[] | null
}

const OWN = `(company_id = rtrim(current_setting(
CASE COALESCE(current_setting('tabularium.bound_company'::text, true), ''::text)
    WHEN ''::text THEN 'tabularium.company'::text
    ELSE 'tabularium.bound_company'::text
END)))`
const UNBOUND = 'unrecognized configuration parameter "tabularium.company"'

describe.runIf(STORE_KINDS.includes('postgres'))('T4 row-level security', () => {
  let world: IsolationWorld
  let tables: FoundTable[]
  let session: pg.Client

  beforeAll(async () => {
    world = await startIsolationWorld('postgres')
    tables = (await world.query(TABLES)) as unknown as FoundTable[]
    session = await sessionOf(world)
  })
  afterAll(async () => {
    await session?.end()
    await world?.stop()
  })

  it('is forced on every table with a company, by one policy for all commands', async () => {
    await reliabilityTest('T4', 'forced row-level security', async () => {
      expect(tables.length).toBeGreaterThan(15)
      const guarded = tables.filter(({ name }) => !UNGUARDED.includes(name))
      for (const table of guarded) {
        expect(table).toEqual({
          name: table.name,
          isOn: true,
          isForced: true,
          policies: [{ command: '*', using: OWN, check: OWN, isPermissive: true }],
        })
      }
      return `${guarded.length} tables`
    })
  })

  it('hides every company from a transaction of none, and other companies from one of a company', async () => {
    const { rows } = await session.query<{ bypasses: boolean }>(
      'select rolsuper or rolbypassrls as bypasses from pg_roles where rolname = current_user',
    )
    expect(rows).toEqual([{ bypasses: false }])
    let filled = 0
    for (const { name } of tables.filter((table) => !UNGUARDED.includes(table.name))) {
      await bind(' ')
      const none = await companiesIn(name)
      expect([name, none.filter((id) => COMPANIES.some((company) => company.id === id))]).toEqual([name, []])
      await bind(JASPER.id)
      const seen = await companiesIn(name)
      expect([[name], [name, JASPER.id]]).toContainEqual([name, ...seen])
      filled += seen.length
    }
    expect(filled).toBeGreaterThan(12)
  })

  it('fails in a transaction that is bound to no company, also after one that was', async () => {
    const fresh = await sessionOf(world)
    try {
      await expect(fresh.query('select * from customer')).rejects.toThrow(UNBOUND)
      for (const text of ['begin', `set local tabularium.bound_company = '${JASPER.id}'`]) await fresh.query(text)
      expect((await fresh.query('select * from customer')).rows).not.toEqual([])
      await fresh.query('commit')
      for (const text of [
        'select * from customer',
        "update customer set customer_name = 'forged'",
        'delete from customer',
        'select count(*) from audit_entry',
      ])
        await expect(fresh.query(text)).rejects.toThrow(UNBOUND)
    } finally {
      await fresh.end()
    }
  })

  it('takes the company of the whole session, as an earlier version and a reporting role set it', async () => {
    const older = await sessionOf(world)
    try {
      await older.query(`select set_config('tabularium.company', '${JASPER.id}', false)`)
      const { rows } = await older.query('select distinct company_id as id from customer')
      expect(rows).toEqual([{ id: JASPER.id }])
      await older.query("select set_config('tabularium.company', '', false)")
      expect((await older.query('select distinct company_id as id from journal_counter')).rows).toEqual([{ id: '' }])
    } finally {
      await older.end()
    }
  })

  it('lets no session insert, change or delete a row of another company', async () => {
    await bind(JASPER.id)
    const insert = `insert into customer (company_id, customer_id) values ('${KOPPER.id}', 'FORGED')`
    await expect(session.query(insert)).rejects.toThrow('row-level security')
    const moved = session.query(`update customer set company_id = '${GRANIT.id}' where company_id = '${JASPER.id}'`)
    await expect(moved).rejects.toThrow('row-level security')
    const before = await world.query(`select * from customer where company_id <> '${JASPER.id}' order by 1, 2`)
    expect(before.length).toBeGreaterThan(2)
    await session.query("update customer set customer_name = 'forged'")
    await session.query('delete from customer')
    expect(await world.query(`select * from customer where company_id <> '${JASPER.id}' order by 1, 2`)).toEqual(before)
    expect(await world.query(`select * from customer where company_id = '${JASPER.id}'`)).toEqual([])
  })

  const bind = (company: string) => session.query(`select set_config('tabularium.bound_company', $1, false)`, [company])
  const companiesIn = async (table: string): Promise<string[]> => {
    const text = `select distinct company_id as id from ${table} order by 1`
    return (await session.query<{ id: string }>(text)).rows.map(({ id }) => id)
  }
})

/** A session of the service's own role. */
async function sessionOf(world: IsolationWorld): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: world.databaseUrl() })
  await client.connect()
  return client
}
