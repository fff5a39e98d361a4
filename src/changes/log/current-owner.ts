// The values, the customer and the relations of one value of an attribute as they are stored now.
import { ENTITY as VALUE } from '../../records/attribute-values/attribute-value.ts'
import { findPeriods, findValue } from '../../records/attribute-values/attribute-value-store.ts'
import { findRecord } from '../../records/engine/record-store.ts'
import { CUSTOMER_ENTITY as CUSTOMER, customersOf } from '../../records/kinds/customers.ts'
import { journaledRelation, relationsOf } from '../../records/shared/master-data/relation-store.ts'
import type { CompanyRules } from '../../setup/rules/rules.ts'
import type { ReadTx } from '../../store/store.ts'
import type { ChangeKind } from '../change-kind.ts'

/** A record as it is now. */
export interface CurrentState {
  readonly entity: string
  readonly recordKey: string
  readonly text: string
  readonly number: number
}

/** `own`: the kinds of the setup whose records are values of the attribute. */
export async function currentOwner(
  tx: ReadTx,
  company: CompanyRules,
  subject: string,
  own: readonly ChangeKind[],
): Promise<CurrentState[]> {
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
  const key = [attributeValue]
  for (const { journalEntity, own: rules } of own) {
    const found = rules && (await findRecord(tx, rules, { stored: key, texts: key }))
    if (found) states.push({ entity: journalEntity, recordKey: JSON.stringify(key), text: found.body, number: 0 })
  }
  if (attributeId === company.customers?.attributeId) {
    const found = await findRecord(tx, customersOf(company), { stored: key, texts: key })
    if (found)
      states.push({ entity: CUSTOMER, recordKey: JSON.stringify([attributeValue]), text: found.body, number: 0 })
  }
  return states
}
