// Queries on attribute values that several resources use.
import { sql } from 'kysely'
import { statement, whereEqual } from '../../../sql/statement.ts'
import type { ReadTx } from '../../../store/store.ts'

const anyOpenValue = statement<{ companyId: string; attributeId: string; attributeValue: string }, { found: number }>(
  'find_open_value',
  (db, p) =>
    db
      .selectFrom('attribute_value')
      .select(sql.lit(1).as('found'))
      .$call(whereEqual(p, 'companyId', 'attributeId', 'attributeValue'))
      .where('status', '<>', sql.lit('C'))
      .limit(sql.lit(1)),
)

const presentValues = statement<
  { companyId: string; attributeId: string; attributeValues: string },
  { attribute_value: string }
>(
  'list_present_values',
  (_db, p, dialect) => sql`
    select distinct attribute_value from attribute_value
    where company_id = ${p('companyId')} and attribute_id = ${p('attributeId')}
      and attribute_value in (${dialect.selectTexts(p('attributeValues'))})`,
)

/** Returns those of the values that exist in any period. */
export async function findPresent(
  tx: ReadTx,
  attributeId: string,
  attributeValues: readonly string[],
): Promise<string[]> {
  const values = { companyId: tx.companyId, attributeId, attributeValues: JSON.stringify(attributeValues) }
  return (await tx.all(presentValues, values)).map((row) => row.attribute_value)
}

/** Reports which values may be referred to: those that are not closed in at least one period. */
export interface LegalValues {
  isLegalValue(attributeId: string, attributeValue: string): Promise<boolean>
}

export async function isLegalValue(tx: ReadTx, attributeId: string, attributeValue: string): Promise<boolean> {
  return (await tx.first(anyOpenValue, { companyId: tx.companyId, attributeId, attributeValue })) !== undefined
}
