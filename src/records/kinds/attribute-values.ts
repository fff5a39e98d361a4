import { readStored } from '../../model/fill-record.ts'
import { AttributeRelation } from '../../model/records/attribute-relation.ts'
import { AttributeValue } from '../../model/records/attribute-value.ts'
import { RelatedValue } from '../../model/records/related-value.ts'
import type { CompanyRules } from '../../setup/rules/rules.ts'
import { rowOf } from '../../sql/record-statements.ts'
import { ENTITY } from '../attribute-values/attribute-value.ts'
import { valueRecord } from '../attribute-values/attribute-value-record.ts'
import { findPeriods, findValue, VALUES } from '../attribute-values/attribute-value-store.ts'
import { attributeValueBatches, createAttributeValue } from '../attribute-values/create-attribute-value.ts'
import { keyOf } from '../engine/record.ts'
import { patchRecord } from '../shared/record-pipeline.ts'
import { type Columns, type JournalKey, type RemovableKind, textOf, type ValueName } from './kind.ts'
import { emptyPeriods, removePeriod } from './removal-store.ts'

export const valueKind: RemovableKind = {
  name: AttributeValue.document.name,
  journalEntity: ENTITY,
  document: AttributeValue.document.name,
  ...VALUES,
  hasEtag: true,
  showsStamp: false,
  showsRelations: true,
  create: createAttributeValue,
  patches: {
    fields: AttributeValue.fields,
    patch(service, request) {
      const [attributeId = '', attributeValue = '', periodFrom = ''] = request.key
      return patchRecord(service, valueRecord, { ...request, key: { attributeId, attributeValue, periodFrom } })
    },
  },
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

export const RELATION_TABLE = AttributeRelation.document.table

/** The rows behind the related values of a record, which keep the order of the list. */
export function relatedRows(company: CompanyRules, owner: ValueName, items: readonly RelatedValue[]): Columns[] {
  return items.map((item, index) => ({
    ...rowOf(RelatedValue.fields, item),
    company_id: company.id,
    attribute_id: owner.attributeId,
    attribute_value: owner.attributeValue,
    related_attribute_id: company.relationById(item.relationId)?.relatedAttributeId ?? '',
    created_no: index + 1,
  }))
}
