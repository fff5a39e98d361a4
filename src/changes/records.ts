import { readStored } from '../model/fill-record.ts'
import type { RelatedValue } from '../model/records/related-value.ts'
import type { RecordKind } from '../records/engine/record-kind.ts'
import { CUSTOMERS, customersOf } from '../records/kinds/customers.ts'
import { declaredKind } from '../records/kinds/declared.ts'
import { ATTRIBUTE_COLUMN } from '../setup/rules/own-fields.ts'
import type { RecordRules } from '../setup/rules/record-rules.ts'
import type { CompanyRules } from '../setup/rules/rules.ts'
import { rowOf } from '../sql/record-statements.ts'
import type { ChangeKind } from './change-kind.ts'
import { RELATION_TABLE, relatedRows } from './related-rows.ts'

export const customerKind: ChangeKind = changesOf(CUSTOMERS, customersOf)

/** The kind of the records of a declaration. Imports of earlier versions have written them in batches. */
export function ownKind(own: RecordRules): ChangeKind {
  const kind = declaredKind(own)
  return { ...changesOf(kind, () => kind), batch: own.record.document, own }
}

function changesOf(
  { name, journalEntity, keyNames }: Pick<RecordKind, 'name' | 'journalEntity' | 'keyNames'>,
  kindIn: (company: CompanyRules) => RecordKind,
): ChangeKind {
  return {
    name,
    journalEntity,
    document: name,
    keyNames,
    hasEtag: true,
    showsStamp: true,
    kindIn,
    rowOf(company, text, unseen) {
      const { schema, record, attributeId, hasRelations } = kindIn(company)
      const found = readStored(schema, text) as Readonly<Record<string, unknown>>
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
