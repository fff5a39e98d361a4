import { readStored } from '../../model/fill-record.ts'
import { AttributeValue } from '../../model/records/attribute-value.ts'
import { rowOf } from '../../sql/record-statements.ts'
import { ENTITY } from '../attribute-values/attribute-value.ts'
import { findValue } from '../attribute-values/attribute-value-store.ts'
import { type JournaledKind, textOf } from './kind.ts'
import { RELATION_TABLE, relatedRows } from './related-rows.ts'

export const valueKind: JournaledKind = {
  name: AttributeValue.document.name,
  journalEntity: ENTITY,
  document: AttributeValue.document.name,
  keyNames: ['attributeId', 'attributeValue', 'periodFrom'],
  hasEtag: true,
  showsStamp: false,
  showsRelations: true,
  valueOf: (_company, [attributeId, attributeValue]) => ({
    attributeId: String(attributeId),
    attributeValue: String(attributeValue),
  }),
  async find(tx, _company, [attributeId, attributeValue, periodFrom]) {
    const key = { attributeId: String(attributeId), attributeValue: String(attributeValue) }
    return textOf(await findValue(tx, { ...key, periodFrom: Number(periodFrom) }))
  },
  rowOf(company, text, unseen) {
    const value = readStored(AttributeValue.schema, text)
    const { attributeId, attributeValue, relatedValues } = value
    return {
      columns: { ...rowOf(AttributeValue.fields, value), company_id: company.id, ...unseen },
      items: { [RELATION_TABLE]: relatedRows(company, { attributeId, attributeValue }, relatedValues) },
    }
  },
}
