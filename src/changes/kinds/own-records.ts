import { readStored } from '../../model/fill-record.ts'
import type { RelatedValue } from '../../model/records/related-value.ts'
import { ATTRIBUTE_COLUMN } from '../../setup/rules/own/own-fields.ts'
import type { OwnRecordRules } from '../../setup/rules/own/own-record.ts'
import { rowOf } from '../../store/record-statements.ts'
import type { ChangeKind } from '../change-kind.ts'
import { RELATION_TABLE, relatedRows } from './related-rows.ts'

/** The kind of the records of a document of the setup. Imports of earlier versions have written them in batches. */
export function ownKind(own: OwnRecordRules): ChangeKind {
  const { name, record, keyNames, attributeId, hasRelations } = own
  return {
    name,
    journalEntity: name,
    document: name,
    keyNames,
    hasEtag: true,
    showsStamp: true,
    batch: record.document,
    own,
    rowOf(company, text, unseen) {
      const found = readStored(record.schema, text) as Readonly<Record<string, unknown>>
      const owner = { attributeId: attributeId ?? '', attributeValue: String(found[keyNames[0] ?? '']) }
      return {
        columns: {
          ...rowOf(record.fields, found),
          company_id: company.id,
          ...(attributeId === undefined ? {} : { [ATTRIBUTE_COLUMN]: attributeId }),
          ...unseen,
        },
        items: hasRelations
          ? { [RELATION_TABLE]: relatedRows(company, owner, found.relatedValues as RelatedValue[]) }
          : {},
      }
    },
  }
}
