// The values, the records and the relations of one value of an attribute as they are stored now.
import { findPeriods } from '../../records/attribute-values/attribute-value-store.ts'
import { valueKind } from '../../records/kinds/attribute-values.ts'
import type { JournaledKind } from '../../records/kinds/kind.ts'
import { journaledRelation, relationsOf } from '../../records/shared/master-data/relation-store.ts'
import type { CompanyRules } from '../../setup/rules/rules.ts'
import type { ReadTx } from '../../store/store.ts'

/** A record as it is now. */
export interface CurrentState {
  readonly entity: string
  readonly recordKey: string
  readonly text: string
}

/** `kinds`: those whose records are values of the attribute. */
export async function currentOwner(
  tx: ReadTx,
  company: CompanyRules,
  subject: string,
  kinds: readonly JournaledKind[],
): Promise<CurrentState[]> {
  const [attributeId, attributeValue] = JSON.parse(subject) as [string, string]
  const states: CurrentState[] = []
  for (const relation of await relationsOf(tx, attributeId, attributeValue)) {
    const { entity, key, text } = journaledRelation(relation)
    states.push({ entity, recordKey: JSON.stringify(key), text })
  }
  for (const { period_from } of await findPeriods(tx, attributeId, attributeValue)) {
    const key = [attributeId, attributeValue, Number(period_from)]
    const { text } = await valueKind.find(tx, company, key)
    if (text !== '') states.push({ entity: valueKind.journalEntity, recordKey: JSON.stringify(key), text })
  }
  const key = [attributeValue]
  for (const kind of kinds) {
    const { text } = await kind.find(tx, company, key)
    if (text !== '') states.push({ entity: kind.journalEntity, recordKey: JSON.stringify(key), text })
  }
  return states
}
