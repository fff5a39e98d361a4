// Row-level security hides rows without an error: a wrong role, policy or pooler would make every company look empty.
import type pg from 'pg'

/** Throws when a session bound to a company of the setup cannot read its journal counter, which every company has. */
export async function requireVisibleRows(session: Pick<pg.Client, 'query'>): Promise<void> {
  const table = await session.query<{ isThere: boolean }>(`select to_regclass('setup_item') is not null as "isThere"`)
  if (!table.rows[0]?.isThere) return
  const { rows } = await session.query<{ company: string }>(
    "select distinct company_id as company from setup_item where kind = 'company' order by 1",
  )
  const hidden: string[] = []
  for (const { company } of rows) {
    await session.query("select set_config('tabularium.company', $1, false)", [company])
    const found = await session.query('select 1 from journal_counter where company_id = $1', [company])
    if (found.rows.length === 0) hidden.push(company)
  }
  if (hidden.length === 0) return
  const { rows: me } = await session.query<{ name: string }>('select current_user as name')
  throw new Error(
    `the database role ${me[0]?.name} reads nothing of ${hidden.length === 1 ? 'the company' : 'the companies'} ${hidden.join(', ')}, which the setup has: row-level security hides their rows. Use the role that owns the tables, with its policies as the service has made them, and no pooler that shares sessions between transactions`,
  )
}
