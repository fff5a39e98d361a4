// Two roles: the owner of the tables migrates, and the role of the service reads and writes rows. Then row-level
// security need not limit the owner, whom tools that move tables as a whole log in as.
import type pg from 'pg'
import { quote } from '../../../sql/dialect.ts'
import { openMigrationPool } from '../sessions/pools.ts'
import { whenFree } from '../sessions/when-free.ts'

type Queryable = Pick<pg.ClientBase, 'query'>

interface Roles {
  readonly schema: string
  /** Whether it would be as unlimited as the owner. */
  readonly isUnlimited: boolean
}

const ROLES = `
  select current_schema() as schema, rolsuper or rolbypassrls or pg_has_role(oid, current_user, 'usage') as "isUnlimited"
  from pg_roles where rolname = $1`

/** Grants a role what a service needs. Run by the owner of the tables, also again. Returns the statements. */
export async function grantService(url: string, role: string): Promise<readonly string[]> {
  const pool = openMigrationPool(url)
  try {
    const { rows } = await pool.query<Roles>(ROLES, [role])
    const [found] = rows
    if (!found) throw new Error(`there is no role ${role}: create role ${quote(role)} login password '...'`)
    if (found.isUnlimited) {
      throw new Error(
        `row-level security does not limit the role ${role}: name one that neither owns the tables nor bypasses it`,
      )
    }
    const statements = grantsOf(quote(found.schema), quote(role))
    await whenFree(pool, () =>
      inTransaction(pool, async (session) => {
        for (const statement of [...statements, ...(await freeings(session))]) await session.query(statement)
      }),
    )
    return statements
  } finally {
    await pool.end()
  }
}

const RIGHTS = 'select, insert, update, delete'

function grantsOf(schema: string, role: string): string[] {
  return [
    `grant usage on schema ${schema} to ${role}`,
    `grant ${RIGHTS} on all tables in schema ${schema} to ${role}`,
    `alter default privileges in schema ${schema} grant ${RIGHTS} on tables to ${role}`,
  ]
}

/** The statements after which row-level security does not limit the owner. */
async function freeings(session: Queryable): Promise<string[]> {
  const { rows } = await session.query<{ name: string }>(`
    select quote_ident(c.relname) as name from pg_class c join pg_policy p on p.polrelid = c.oid
    where p.polname = 'own_company' and c.relforcerowsecurity and pg_table_is_visible(c.oid) order by 1`)
  return rows.map(({ name }) => `alter table ${name} no force row level security`)
}

/** Frees the owner of a new table from row-level security, where that does not limit it in others. */
export async function freeNewTable(session: Queryable, table: string): Promise<void> {
  const { rows } = await session.query<{ isForced: boolean }>(
    `select relforcerowsecurity as "isForced" from pg_class where oid = to_regclass('journal_counter')`,
  )
  if (rows[0]?.isForced === false) await session.query(`alter table ${quote(table)} no force row level security`)
}

async function inTransaction(pool: pg.Pool, work: (session: Queryable) => Promise<void>): Promise<void> {
  const session = await pool.connect()
  try {
    await session.query('begin')
    await work(session)
    await session.query('commit')
  } catch (error) {
    await session.query('rollback').catch(() => {})
    throw error
  } finally {
    session.release()
  }
}
