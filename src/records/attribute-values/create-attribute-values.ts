// Creates many values in one transaction, for imports.
import type { Caller } from '../../access/caller.ts'
import type { JsonObject } from '../../base/strict-json.ts'
import type { CompanyRules } from '../../setup/rules/rules.ts'
import type { Tx } from '../../store/store.ts'
import { BatchLookups } from '../shared/master-data/lookups.ts'
import { valueAccess } from './attribute-value-document.ts'
import { insertNewValue, type NewValue, readNewValue } from './create-attribute-value.ts'

/**
 * Applies the rules of a single new value. All values must be visible to the caller, because no write is checked for
 * visibility.
 */
export function attributeValueBatches(caller: Caller, company: CompanyRules, keepsIds: boolean) {
  const access = valueAccess(caller, company, 'create')
  return {
    read: (record: JsonObject): NewValue => readNewValue(company, access, record, keepsIds),
    prepare: async (batch: Tx, values: readonly NewValue[]) => {
      const lookups = new BatchLookups(batch)
      await lookups.findPresent(values.map(({ draft }) => [draft.attributeId, draft.attributeValue]))
      return async (tx: Tx, value: NewValue): Promise<void> => {
        const { key } = await insertNewValue(tx, lookups, value)
        lookups.add([key.attributeId, key.attributeValue])
      }
    },
  }
}
