import { readStored } from '../../model/fill-record.ts'
import { AttributeRelation } from '../../model/records/attribute-relation.ts'
import { rowOf } from '../../sql/record-statements.ts'
import { RELATIONS } from '../attribute-relations/attribute-relation.ts'
import { findRelation } from '../attribute-relations/attribute-relation-store.ts'
import { createAttributeRelation } from '../attribute-relations/create-relation.ts'
import { RELATION_ENTITY } from '../shared/master-data/relation-store.ts'
import { valueKind } from './attribute-values.ts'
import { type JournaledKind, textOf } from './kind.ts'

export const relationKind: JournaledKind = {
  name: AttributeRelation.document.name,
  journalEntity: RELATION_ENTITY,
  document: AttributeRelation.document.name,
  keyNames: RELATIONS.keyNames,
  hasEtag: true,
  showsStamp: false,
  showsRelations: false,
  valueBehind: valueKind.valueBehind,
  create: createAttributeRelation,
  async find(tx, _company, key) {
    const [attributeId = '', attributeValue = '', relatedAttributeId = '', relationValue = ''] = key.map(String)
    return textOf(await findRelation(tx, { attributeId, attributeValue, relatedAttributeId, relationValue }))
  },
  rowOf(company, text, unseen) {
    const relation = readStored(AttributeRelation.schema, text)
    return {
      columns: { ...rowOf(AttributeRelation.fields, relation), company_id: company.id, ...unseen },
      items: {},
    }
  },
}
