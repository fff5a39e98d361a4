import { readStored } from '../../model/fill-record.ts'
import type { RelatedValue } from '../../model/records/related-value.ts'
import { ATTRIBUTE_COLUMN } from '../../setup/rules/declared-fields.ts'
import type { RecordRules } from '../../setup/rules/record-rules.ts'
import type { CompanyRules } from '../../setup/rules/rules.ts'
import { rowOf } from '../../sql/record-statements.ts'
import { createRecord } from '../engine/create-record.ts'
import { recordBatches } from '../engine/create-records.ts'
import { KindRecords } from '../engine/kind-records.ts'
import type { RecordKind } from '../engine/record-kind.ts'
import { findRecord, removeRow, touchOwner } from '../engine/record-store.ts'
import { patchRecord } from '../shared/record-pipeline.ts'
import { RELATION_TABLE, relatedRows } from './attribute-values.ts'
import { BUILT_IN_KINDS } from './built-in.ts'
import { declaredKind } from './declared.ts'
import { emptyRecord } from './empty-record.ts'
import { type RemovableKind, textOf } from './kind.ts'
import { emptyPeriods, removePeriods } from './removal-store.ts'

/** The kinds that every company has. */
export const ENGINE_KINDS: readonly EngineKind[] = BUILT_IN_KINDS.map(({ common, kindIn }) =>
  engineKind(common, kindIn),
)

/** The kind of the records of a declaration. */
export function removableKindOf(own: RecordRules): RemovableKind {
  const kind = declaredKind(own)
  return { ...engineKind(kind, () => kind), own }
}

type EngineKind = RemovableKind & Required<Pick<RemovableKind, 'kindIn'>>

function engineKind(
  {
    name,
    journalEntity,
    record,
    keyNames,
    hasRelations,
    words,
  }: Pick<RecordKind, 'name' | 'journalEntity' | 'record' | 'keyNames' | 'hasRelations' | 'words'>,
  kindIn: (company: CompanyRules) => RecordKind,
): EngineKind {
  const valueBehind: RemovableKind['valueBehind'] = (company, [first]) => {
    const { attributeId } = kindIn(company)
    return attributeId === undefined ? undefined : { attributeId, attributeValue: String(first) }
  }
  return {
    name,
    journalEntity,
    document: name,
    record,
    keyNames,
    word: words.record,
    hasEtag: true,
    showsStamp: true,
    showsRelations: hasRelations,
    kindIn,
    create: (service, request) => createRecord(service, kindIn(service.companies.require(request.companyId)), request),
    patches: {
      fields: record.fields,
      patch(service, request) {
        const kind = kindIn(service.companies.require(request.companyId))
        return patchRecord(service, new KindRecords(kind, request.caller, service.own), request)
      },
    },
    batches: (caller, company, documents, keepsIds) =>
      recordBatches(caller, company, { ...kindIn(company), keepsIds }, documents),
    valueBehind,
    find: async (tx, company, key) =>
      textOf(await findRecord(tx, kindIn(company), { stored: key, texts: key.map(String) })),
    rowOf(company, text, unseen) {
      const { schema, attributeId } = kindIn(company)
      const found = readStored(schema, text)
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
    async remove(tx, company, key) {
      removeRow(tx, kindIn(company), key)
      touchOwner(tx, kindIn(company), key)
      const value = valueBehind(company, key.stored)
      const periods = value ? await removePeriods(tx, value) : []
      return { records: [{ entity: journalEntity, key: key.stored }, ...periods], contents: [] }
    },
    async empty(tx, company, key) {
      const value = valueBehind(company, key.stored)
      if (value) emptyPeriods(tx, value)
      await emptyRecord(tx, kindIn(company), company, key)
    },
  }
}
