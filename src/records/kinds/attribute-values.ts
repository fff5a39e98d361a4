import { VALUES } from '../attribute-values/attribute-value-record.ts'
import { findPeriods } from '../attribute-values/attribute-value-store.ts'
import { insertNewValue } from '../attribute-values/create-attribute-value.ts'
import { keyOf } from '../engine/record.ts'
import type { ValueName } from '../shared/master-data/value-store.ts'
import { engineKind } from './engine-records.ts'
import type { JournalKey, RemovableKind } from './kind.ts'
import { emptyPeriods, removePeriod } from './removal-store.ts'

// Imports neither update values nor add others that they name.
const { kindIn: _kindIn, batches, ...values } = engineKind(VALUES, () => VALUES, insertNewValue)

export const valueKind: RemovableKind = {
  ...values,
  showsStamp: false,
  subjectParts: 2,
  batches(...asked) {
    const { missing: _missing, ...rules } = batches(...asked)
    return rules
  },
  async keysOf(tx, { stored }) {
    const value = valueIn(stored)
    const periods = await findPeriods(tx, value.attributeId, value.attributeValue)
    return periods.map(({ period_from }) => keyOf(VALUES, { ...value, periodFrom: Number(period_from) }))
  },
  remove: async (tx, _company, { stored }) => ({
    records: await removePeriod(tx, valueIn(stored), Number(stored[2])),
    contents: [],
  }),
  empty: async (tx, _company, { stored }) => emptyPeriods(tx, valueIn(stored)),
}

function valueIn([attributeId, attributeValue]: JournalKey): ValueName {
  return { attributeId: String(attributeId), attributeValue: String(attributeValue) }
}
