// The SQL of attribute values.

import { sql } from 'kysely'
import { statement, whereEqual } from '../../sql/statement.ts'
import type { AttributeValueTable } from '../../sql/tables.ts'
import type { ReadTx } from '../../store/store.ts'

export type Period = Pick<AttributeValueTable, 'period_from' | 'period_to'>

const periods = statement<{ companyId: string; attributeId: string; attributeValue: string }, Period>(
  'find_value_periods',
  (db, p) =>
    db
      .selectFrom('attribute_value')
      .select(['period_from', 'period_to'])
      .$call(whereEqual(p, 'companyId', 'attributeId', 'attributeValue'))
      .orderBy('period_from'),
)

/** The stored periods of a value in ascending order. */
export function findPeriods(tx: ReadTx, attributeId: string, attributeValue: string): Promise<Period[]> {
  return tx.all(periods, { companyId: tx.companyId, attributeId, attributeValue })
}

/** The starts of the stored periods that overlap the given one, which may itself be stored. */
export function overlapsWith(stored: readonly Period[], periodFrom: number, periodTo: number): number[] {
  return stored
    .filter((one) => one.period_from <= periodTo && one.period_to >= periodFrom)
    .map((one) => one.period_from)
}

const descriptions = statement<
  { companyId: string; attributeId: string; attributeValues: string; characters: number },
  Pick<AttributeValueTable, 'attribute_value' | 'period_from' | 'description'>
>(
  'list_value_descriptions',
  (_db, p, dialect) => sql`
    select attribute_value, period_from, substr(description, 1, ${p('characters')}) as description from attribute_value
    where company_id = ${p('companyId')} and attribute_id = ${p('attributeId')}
      and attribute_value ${dialect.isOneOfTexts(p('attributeValues'))}`,
)

/**
 * The periods of these values of an attribute, each with as much of its description as tells it from the one that a
 * setup wants: older ones may be of any length.
 */
export async function listDescriptions(
  tx: ReadTx,
  attributeId: string,
  wanted: Readonly<Record<string, string>>,
): Promise<Map<string, { periodFrom: number; description: string }[]>> {
  const byValue = new Map<string, { periodFrom: number; description: string }[]>()
  const longest = Object.values(wanted).reduce((most, { length }) => Math.max(most, length), 0)
  const attributeValues = JSON.stringify(Object.keys(wanted))
  const values = { companyId: tx.companyId, attributeId, attributeValues, characters: longest + 1 }
  for (const row of await tx.all(descriptions, values)) {
    const period = { periodFrom: row.period_from, description: row.description }
    byValue.set(row.attribute_value, [...(byValue.get(row.attribute_value) ?? []), period])
  }
  return byValue
}
