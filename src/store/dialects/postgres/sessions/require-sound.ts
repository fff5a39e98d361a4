// What must hold of a database before the first request.

import type pg from 'pg'
import type { Observe } from '../../../../observe/observation.ts'

/**
 * Throws when a session bound to a company of the setup cannot read its journal counter, which every company has.
 * Row-level security hides rows without an error: a wrong role, policy or pooler would make every company look empty.
 */
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

/** Throws when commits would not be durable. */
export async function requireDurable(pool: pg.Pool, observe: Observe): Promise<void> {
  for (const setting of ['fsync', 'full_page_writes', 'synchronous_commit']) {
    const { rows } = await pool.query<Record<string, string>>(`show ${setting}`)
    if (rows[0]?.[setting] === 'off')
      throw new Error(`PostgreSQL runs with ${setting} = off: acknowledged writes could be lost`)
  }
  const { rows } = await pool.query<{ free: boolean }>(
    'select rolsuper or rolbypassrls as free from pg_roles where rolname = current_user',
  )
  if (!rows[0]?.free) return
  const message = 'the database role bypasses row-level security; use an ordinary role'
  observe({ kind: 'store-warning', message })
}
