import { readStored } from '../../model/fill-record.ts'
import type { RelatedValue } from '../../model/records/related-value.ts'
import { ATTRIBUTE_COLUMN } from '../../setup/rules/own-fields.ts'
import type { RecordRules } from '../../setup/rules/record-rules.ts'
import type { CompanyRules } from '../../setup/rules/rules.ts'
import { rowOf } from '../../sql/record-statements.ts'
import type { RecordKind } from '../engine/record-kind.ts'
import { findRecord } from '../engine/record-store.ts'
import { CUSTOMERS, customersOf } from './customers.ts'
import { declaredKind } from './declared.ts'
import { type JournaledKind, textOf } from './kind.ts'
import { RELATION_TABLE, relatedRows } from './related-rows.ts'

export const customerKind: JournaledKind = engineKind(CUSTOMERS, customersOf)

/** The kind of the records of a declaration. Imports of earlier versions have written them in batches. */
export function ownKind(own: RecordRules): JournaledKind {
  const kind = declaredKind(own)
  return { ...engineKind(kind, () => kind), batch: own.record.document, own }
}

function engineKind(
  {
    name,
    journalEntity,
    keyNames,
    hasRelations,
  }: Pick<RecordKind, 'name' | 'journalEntity' | 'keyNames' | 'hasRelations'>,
  kindIn: (company: CompanyRules) => RecordKind,
): JournaledKind {
  return {
    name,
    journalEntity,
    document: name,
    keyNames,
    hasEtag: true,
    showsStamp: true,
    showsRelations: hasRelations,
    kindIn,
    valueOf(company, [first]) {
      const { attributeId } = kindIn(company)
      return attributeId === undefined ? undefined : { attributeId, attributeValue: String(first) }
    },
    find: async (tx, company, key) =>
      textOf(await findRecord(tx, kindIn(company), { stored: key, texts: key.map(String) })),
    rowOf(company, text, unseen) {
      const { schema, record, attributeId } = kindIn(company)
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
