// Policies of earlier versions. Those before '0026-strict-policies' bind sessions, not transactions: their tables would
// look empty here. Those before '0030-named-policies' read settings that a transaction need not have. Servers of these
// versions make tables of a new setup while they are being replaced.
import type pg from 'pg'
import { COMPANY_OF_SESSION, renewedPolicy } from '../../../sql/row-security.ts'

/** The tables with such a policy, in the order of their names. */
export const STALE_POLICIES = `
  select quote_ident(c.relname) as name from pg_policy p join pg_class c on c.oid = p.polrelid
  where p.polname = 'own_company' and pg_table_is_visible(c.oid)
    and strpos(pg_get_expr(p.polqual, p.polrelid), 'current_setting(''${COMPANY_OF_SESSION}''') > 0
  order by 1`

/** The older servers can use the renewed policies too. A policy that an administrator has written stays. */
export async function renewStalePolicies(session: Pick<pg.Pool, 'query'>): Promise<void> {
  const { rows } = await session.query<{ name: string }>(STALE_POLICIES)
  for (const { name } of rows) await session.query(renewedPolicy(name))
}
