// Servers of versions before '0026-strict-policies' give the tables of a new setup a policy that binds sessions, not
// transactions: they would look empty here. Such servers run beside this version only while they are being replaced.
import type pg from 'pg'
import { BOUND_COMPANY, COMPANY_OF_SESSION, renewedPolicy } from '../../row-security.ts'

const STALE = `
  select quote_ident(c.relname) as name from pg_policy p join pg_class c on c.oid = p.polrelid
  where p.polname = 'own_company' and pg_table_is_visible(c.oid)
    and strpos(pg_get_expr(p.polqual, p.polrelid), $1) = 0
    and strpos(pg_get_expr(p.polqual, p.polrelid), $2) > 0`

/** The older servers can use the renewed policies too. A policy that an administrator has written stays. */
export async function renewStalePolicies(session: Pick<pg.Pool, 'query'>): Promise<void> {
  const { rows } = await session.query<{ name: string }>(STALE, [BOUND_COMPANY, COMPANY_OF_SESSION])
  for (const { name } of rows) await session.query(renewedPolicy(name))
}
