import { readStored } from '../../model/fill-record.ts'
import { AttributeValue } from '../../model/records/attribute-value.ts'
import { rowOf } from '../../sql/record-statements.ts'
import { ENTITY } from '../attribute-values/attribute-value.ts'
import { findPeriods, findValue, VALUES } from '../attribute-values/attribute-value-store.ts'
import { attributeValueBatches, createAttributeValue } from '../attribute-values/create-attribute-value.ts'
import { keyOf } from '../engine/record.ts'
import { type JournalKey, type RemovableKind, textOf, type ValueName } from './kind.ts'
import { RELATION_TABLE, relatedRows } from './related-rows.ts'
import { emptyPeriods } from './removal-store.ts'
import { removePeriod } from './remove-record.ts'

export const valueKind: RemovableKind = {
  name: AttributeValue.document.name,
  journalEntity: ENTITY,
  document: AttributeValue.document.name,
  ...VALUES,
  hasEtag: true,
  showsStamp: false,
  showsRelations: true,
  create: createAttributeValue,
  batches: (caller, company, _documents, keepsIds) => attributeValueBatches(caller, company, keepsIds),
  word: 'value',
  subjectParts: 2,
  valueBehind: (_company, key) => valueIn(key),
  find: async (tx, _company, key) => textOf(await findValue(tx, { ...valueIn(key), periodFrom: Number(key[2]) })),
  rowOf(company, text, unseen) {
    const value = readStored(AttributeValue.schema, text)
    const { attributeId, attributeValue, relatedValues } = value
    return {
      columns: { ...rowOf(AttributeValue.fields, value), company_id: company.id, ...unseen },
      items: { [RELATION_TABLE]: relatedRows(company, { attributeId, attributeValue }, relatedValues) },
    }
  },
  async keysOf(tx, { stored }) {
    const value = valueIn(stored)
    const periods = await findPeriods(tx, value.attributeId, value.attributeValue)
    return periods.map(({ period_from }) => keyOf(valueKind, { ...value, periodFrom: Number(period_from) }))
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
