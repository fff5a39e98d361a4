import { readStored } from '../model/fill-record.ts'
import { AttributeRelation } from '../model/records/attribute-relation.ts'
import { RELATION_ENTITY } from '../records/shared/master-data/relation-store.ts'
import { rowOf } from '../sql/record-statements.ts'
import type { ChangeKind } from './change-kind.ts'

export const relationKind: ChangeKind = {
  name: AttributeRelation.document.name,
  journalEntity: RELATION_ENTITY,
  document: AttributeRelation.document.name,
  keyNames: ['attributeId', 'attributeValue', 'relatedAttributeId', 'relationValue'],
  hasEtag: true,
  showsStamp: false,
  rowOf(company, text, unseen) {
    const relation = readStored(AttributeRelation.schema, text)
    return {
      columns: { ...rowOf(AttributeRelation.fields, relation), company_id: company.id, ...unseen },
      items: {},
    }
  },
}
