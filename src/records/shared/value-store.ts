// Questions about attribute values that several resources ask: which values are legal.
import { sql } from 'kysely'
import { statement } from '../../store/statement.ts'
import type { ReadTx } from '../../store/store.ts'

const anyOpenValue = statement<{ companyId: string; attributeId: string; attributeValue: string }, { found: number }>(
  'find_open_value',
  (db, p) =>
    db
      .selectFrom('attribute_value')
      .select(sql.lit(1).as('found'))
      .where('company_id', '=', p('companyId'))
      .where('attribute_id', '=', p('attributeId'))
      .where('attribute_value', '=', p('attributeValue'))
      .where('status', '<>', sql.lit('C'))
      .limit(sql.lit(1)),
)

/** Whether the value may be referred to: it exists, in any period, and is not closed. */
export async function isLegalValue(tx: ReadTx, attributeId: string, attributeValue: string): Promise<boolean> {
  return (await tx.first(anyOpenValue, { companyId: tx.companyId, attributeId, attributeValue })) !== undefined
}
