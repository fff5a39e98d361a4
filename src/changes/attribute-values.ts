import { readStored } from '../model/fill-record.ts'
import { AttributeValue } from '../model/records/attribute-value.ts'
import { ENTITY } from '../records/attribute-values/attribute-value.ts'
import { rowOf } from '../sql/record-statements.ts'
import type { ChangeKind } from './change-kind.ts'
import { RELATION_TABLE, relatedRows } from './related-rows.ts'

export const valueKind: ChangeKind = {
  name: AttributeValue.document.name,
  journalEntity: ENTITY,
  document: AttributeValue.document.name,
  keyNames: ['attributeId', 'attributeValue', 'periodFrom'],
  hasEtag: true,
  showsStamp: false,
  rowOf(company, text, unseen) {
    const value = readStored(AttributeValue.schema, text)
    const { attributeId, attributeValue, relatedValues } = value
    return {
      columns: { ...rowOf(AttributeValue.fields, value), company_id: company.id, ...unseen },
      items: { [RELATION_TABLE]: relatedRows(company, { attributeId, attributeValue }, relatedValues) },
    }
  },
}
