// The values, the customer and the relations of one value of an attribute as they are stored now.
import { ENTITY as VALUE } from '../../records/attribute-values/attribute-value.ts'
import { findPeriods, findValue } from '../../records/attribute-values/attribute-value-store.ts'
import { ENTITY as CUSTOMER } from '../../records/customers/customer.ts'
import { findWithCustomFields } from '../../records/customers/customer-record.ts'
import { journaledRelation, relationsOf } from '../../records/shared/master-data/relation-store.ts'
import type { CompanyRules } from '../../setup/rules/rules.ts'
import type { ReadTx } from '../../store/store.ts'

/** A record as it is now. */
export interface CurrentState {
  readonly entity: string
  readonly recordKey: string
  readonly text: string
  readonly number: number
}

export async function currentOwner(tx: ReadTx, company: CompanyRules, subject: string): Promise<CurrentState[]> {
  const [attributeId, attributeValue] = JSON.parse(subject) as [string, string]
  const states: CurrentState[] = []
  for (const relation of await relationsOf(tx, attributeId, attributeValue)) {
    const { entity, key, text } = journaledRelation(relation)
    states.push({ entity, recordKey: JSON.stringify(key), text, number: relation.created_no })
  }
  for (const { period_from } of await findPeriods(tx, attributeId, attributeValue)) {
    const key = { attributeId, attributeValue, periodFrom: Number(period_from) }
    const found = await findValue(tx, key)
    const recordKey = JSON.stringify([attributeId, attributeValue, key.periodFrom])
    if (found) states.push({ entity: VALUE, recordKey, text: found.body, number: 0 })
  }
  if (attributeId === company.customers?.attributeId) {
    const found = await findWithCustomFields(tx, company, attributeValue)
    if (found)
      states.push({ entity: CUSTOMER, recordKey: JSON.stringify([attributeValue]), text: found.body, number: 0 })
  }
  return states
}
