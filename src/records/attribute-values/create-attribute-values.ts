// Many new values in one write, for an import.
import type { Caller } from '../../access/caller.ts'
import type { JsonObject } from '../../base/strict-json.ts'
import type { CompanyRules } from '../../setup/rules.ts'
import type { Tx } from '../../store/store.ts'
import { BatchLookups } from '../shared/lookups.ts'
import { valueSight } from './attribute-value-document.ts'
import { insertNewValue, type NewValue, readNewValue } from './create-attribute-value.ts'

/** By the rules of a single new value. The caller must see all values: nothing is undone because of what is not seen. */
export function attributeValueBatches(caller: Caller, company: CompanyRules) {
  const sight = valueSight(caller, company, 'create')
  return {
    read: (record: JsonObject): NewValue => readNewValue(company, sight, record),
    begin: async (batch: Tx, values: readonly NewValue[]) => {
      const lookups = new BatchLookups(batch)
      await lookups.findPresent(values.map(({ draft }) => [draft.attributeId, draft.attributeValue]))
      return async (tx: Tx, value: NewValue): Promise<void> => {
        const { key } = await insertNewValue(tx, lookups, value)
        lookups.add([key.attributeId, key.attributeValue])
      }
    },
  }
}
