import { readStored } from '../../model/fill-record.ts'
import { AttributeRelation } from '../../model/records/attribute-relation.ts'
import { rowOf } from '../../sql/record-statements.ts'
import { RELATIONS } from '../attribute-relations/attribute-relation.ts'
import { findRelation } from '../attribute-relations/attribute-relation-store.ts'
import { insertNewRelation } from '../attribute-relations/create-relation.ts'
import { createRecord } from '../engine/create-record.ts'
import { RELATION_ENTITY } from '../shared/master-data/relation-store.ts'
import { valueKind } from './attribute-values.ts'
import { type JournaledKind, recordTextOf } from './kind.ts'

export const relationKind: JournaledKind = {
  name: AttributeRelation.document.name,
  journalEntity: RELATION_ENTITY,
  document: AttributeRelation.document.name,
  keyNames: RELATIONS.keyNames,
  hasEtag: true,
  showsStamp: false,
  showsRelations: false,
  valueBehind: valueKind.valueBehind,
  create: (service, request) => createRecord(service, RELATIONS, request, insertNewRelation),
  find: async (tx, _company, key) => recordTextOf(await findRelation(tx, { texts: key.map(String), stored: key })),
  rowOf(company, text, unseen) {
    const relation = readStored(AttributeRelation.schema, text)
    return {
      columns: { ...rowOf(AttributeRelation.fields, relation), company_id: company.id, ...unseen },
      items: {},
    }
  },
}
