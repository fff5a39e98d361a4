// The version of the setup that was applied last, in a table that every session reads: a write whose rules are older is
// refused.
import { sql } from 'kysely'
import { OutdatedRules } from '../errors/problem.ts'
import { statement } from '../sql/statement.ts'
import type { ReadTx, Tx } from './store.ts'

export const readAppliedSetup = statement<Record<string, never>, { version: number }>('read_applied_setup', (db) =>
  db.selectFrom('setup_version').select('version').where('id', '=', sql.lit(1)),
)

/** The version of the setup; it grows with every setup that is applied. */
export async function findSetupVersion(tx: Pick<ReadTx, 'first'>): Promise<number> {
  return (await tx.first(readAppliedSetup, {}))?.version ?? 0
}

const put = statement<{ version: number }>('put_applied_setup', (db, p) =>
  db
    .insertInto('setup_version')
    .values({ id: sql.lit(1), version: p('version') })
    .onConflict((conflict) => conflict.columns(['id']).doUpdateSet((eb) => ({ version: eb.ref('excluded.version') }))),
)

/** The last step of a setup. */
export async function putAppliedSetup(tx: Tx, version: number): Promise<void> {
  await tx.run(put, { version })
}

/** Throws when a later setup was applied than the one whose rules the write follows. */
export function requireLatestRules({ setupVersion: applied }: Pick<Tx, 'setupVersion'>, followed: number): void {
  if (applied > followed) throw new OutdatedRules()
}
