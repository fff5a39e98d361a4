// Row-level security hides rows without an error: a wrong role or policy would make records look lost. So what must be
// visible is compared with what the catalogue and the counters of the database say.
import type pg from 'pg'
import { binding } from '../sessions/company-transaction.ts'

type Queryable = Pick<pg.ClientBase, 'query'>

/**
 * Throws when a transaction, which must be open, cannot see every company of the setup, or every row of one. Each
 * company has a counter, and all tables have the policy of the counters.
 */
export async function requireVisibleRows(session: Queryable): Promise<void> {
  const table = await session.query<{ isThere: boolean }>(`select to_regclass('setup_item') is not null as "isThere"`)
  if (!table.rows[0]?.isThere) return
  const hidden = await hiddenCompanies(session)
  if (hidden.length > 0) {
    await reject(session, `nothing of ${hidden.length === 1 ? 'the company' : 'the companies'} ${hidden.join(', ')}`)
  }
  const { rows } = await session.query<{ name: string }>(OTHER_POLICIES, [EARLIER])
  if (rows.length > 0) await reject(session, `not all of the tables ${rows.map(({ name }) => name).join(', ')}`)
}

async function hiddenCompanies(session: Queryable): Promise<string[]> {
  const { rows } = await session.query<{ company: string }>(
    "select distinct company_id as company from setup_item where kind = 'company' order by 1",
  )
  const hidden: string[] = []
  for (const { company } of rows) {
    if (await isHidden(session, company)) hidden.push(company)
  }
  return hidden
}

/** A server may be away that has the company: then its requests say so, and those of others need not wait. */
const UNREACHABLE = /^(08|57|58)/

async function isHidden(session: Queryable, company: string): Promise<boolean> {
  await session.query('savepoint visible')
  try {
    await session.query(binding(company))
    const { rows } = await session.query('select 1 from journal_counter where company_id = $1', [company])
    return rows.length === 0
  } catch (error) {
    if (!UNREACHABLE.test((error as { code?: string }).code ?? '')) throw error
    await session.query('rollback to visible')
    return false
  }
}

const SETTING = `
    CASE COALESCE(current_setting('tabularium.bound_company'::text, true), ''::text)
        WHEN ''::text THEN 'tabularium.company'::text
        ELSE 'tabularium.bound_company'::text
    END`
/**
 * The policy of before migration 0107, which a server that goes on running gives a table that its setup declares. It
 * shows the same rows.
 */
const EARLIER = `own_company * t (company_id =
CASE current_setting(${SETTING})
    WHEN ' '::text THEN ''::text
    ELSE current_setting(${SETTING})
END) {0}`

/** The tables that limit this role by other policies than the counters do, or by more of them. */
const OTHER_POLICIES = `
  with policies as (
    select c.oid, c.relname as name, (select string_agg(
      concat_ws(' ', p.polname, p.polcmd, p.polpermissive, pg_get_expr(p.polqual, p.polrelid), p.polroles::text), '; ' order by p.polname)
      from pg_policy p where p.polrelid = c.oid) as text
    from pg_class c
    where c.relkind in ('r', 'p') and c.relrowsecurity and pg_table_is_visible(c.oid)
      and exists (select 1 from pg_attribute a where a.attrelid = c.oid and a.attname = 'company_id' and not a.attisdropped))
  select p.name from policies p join policies of_counters on of_counters.oid = to_regclass('journal_counter')
  where row_security_active(p.oid) and p.text is distinct from of_counters.text and p.text is distinct from $1
  order by 1`

async function reject(session: Queryable, what: string): Promise<never> {
  const { rows } = await session.query<{ name: string }>('select current_user as name')
  throw new Error(
    `the database role ${rows[0]?.name} reads ${what}, which the setup has: row-level security hides their rows. Use the role that owns the tables, or one that \`tabularium migrate --grant-to\` has named, with the policies as the service has made them`,
  )
}

/** Throws when a company has fewer entries of the change log than its counter says. A transaction must be open. */
export async function requireAllEntries(session: Queryable, companies: readonly string[]): Promise<void> {
  for (const company of companies) {
    await session.query(binding(company))
    const { rows } = await session.query<{ counted: string; found: string }>(ENTRIES, [company])
    for (const { counted, found } of rows) {
      if (Number(found) < Number(counted))
        throw new Error(
          `${found} of ${counted} entries of the change log of company ${company} can be read: nothing was accepted`,
        )
    }
  }
}

/** A schema of an early version, which is backed up too, has no count. */
const ENTRIES = `
  select coalesce(to_jsonb(c) ->> 'entry_count', '0') as counted,
    (select count(*) from journal_entry e where e.company_id = $1) as found
  from journal_counter c where company_id = $1`
