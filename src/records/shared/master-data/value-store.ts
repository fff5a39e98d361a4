// Queries on attribute values that several resources use.
import { type RawBuilder, sql } from 'kysely'
import type { Findings } from '../../../errors/findings.ts'
import type { CompanyRules } from '../../../setup/rules/rules.ts'
import { statement, whereEqual } from '../../../sql/statement.ts'
import type { ReadTx } from '../../../store/store.ts'

/** A value in all its periods. */
export interface ValueName {
  readonly attributeId: string
  readonly attributeValue: string
}

function oneValueThat(name: string, isOpen: boolean) {
  return statement<{ companyId: string; attributeId: string; attributeValue: string }, { found: number }>(
    name,
    (db, p) =>
      db
        .selectFrom('attribute_value')
        .select(sql.lit(1).as('found'))
        .$call(whereEqual(p, 'companyId', 'attributeId', 'attributeValue'))
        .$if(isOpen, (values) => values.where('status', '<>', sql.lit('C')))
        .limit(sql.lit(1)),
  )
}

const presentValues = valuesThat('list_present_values', sql``)
const openValues = valuesThat('list_open_values', sql`and status <> ${sql.lit('C')}`)

function valuesThat(name: string, condition: RawBuilder<unknown>) {
  return statement<{ companyId: string; attributeId: string; attributeValues: string }, { attribute_value: string }>(
    name,
    (_db, p, dialect) => sql`
    select distinct attribute_value from attribute_value
    where company_id = ${p('companyId')} and attribute_id = ${p('attributeId')}
      and attribute_value ${dialect.isOneOfTexts(p('attributeValues'))} ${condition}
    order by attribute_value`,
    { isInOrderOfIndex: true },
  )
}

/** Returns those of the values that exist in any period. */
export const findPresent = findingBy(presentValues)

/** Returns those of the values that may be referred to. */
export const findOpen = findingBy(openValues)

function findingBy(found: ReturnType<typeof valuesThat>) {
  return async (tx: ReadTx, attributeId: string, attributeValues: readonly string[]): Promise<string[]> => {
    const values = { companyId: tx.companyId, attributeId, attributeValues: JSON.stringify(attributeValues) }
    return (await tx.all(found, values)).map((row) => row.attribute_value)
  }
}

/** Reports which values may be referred to: those that are not closed in at least one period. */
export interface LegalValues {
  isLegalValue(attributeId: string, attributeValue: string): boolean | Promise<boolean>
}

/** What a record is checked by, and where what is wrong with it is noted. */
export interface Checking {
  readonly values: LegalValues
  readonly company: CompanyRules
  readonly findings: Findings
}

/** Whether a value may be referred to. */
export const isLegalValue = askingBy(oneValueThat('find_open_value', true))

/** Whether a value exists in any period. */
export const isPresentValue = askingBy(oneValueThat('find_any_value', false))

function askingBy(found: ReturnType<typeof oneValueThat>) {
  return async (tx: ReadTx, attributeId: string, attributeValue: string): Promise<boolean> =>
    (await tx.first(found, { companyId: tx.companyId, attributeId, attributeValue })) !== undefined
}
