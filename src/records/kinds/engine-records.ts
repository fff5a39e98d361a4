import { readStored } from '../../model/fill-record.ts'
import { AttributeRelation } from '../../model/records/attribute-relation.ts'
import { RelatedValue } from '../../model/records/related-value.ts'
import { ATTRIBUTE_COLUMN } from '../../setup/rules/declared-fields.ts'
import type { RecordRules } from '../../setup/rules/record-rules.ts'
import type { CompanyRules } from '../../setup/rules/rules.ts'
import { rowOf } from '../../sql/record-statements.ts'
import { createRecord } from '../engine/create-record.ts'
import { recordBatches } from '../engine/create-records.ts'
import type { InsertNew } from '../engine/insert-record.ts'
import { KindRecords } from '../engine/kind-records.ts'
import { keyOf } from '../engine/record.ts'
import type { RecordDraft, RecordKind } from '../engine/record-kind.ts'
import { valueBehind as recordValue } from '../engine/record-parts.ts'
import { findRecord, removeRow, touchOwner } from '../engine/record-store.ts'
import type { ValueName } from '../shared/master-data/value-store.ts'
import { patchRecord } from '../shared/record-pipeline.ts'
import type { RecordKey } from '../shared/record-type.ts'
import { BUILT_IN_KINDS } from './built-in.ts'
import { declaredKind } from './declared.ts'
import { emptyRecord } from './empty-record.ts'
import { type Columns, type JournalKey, type RemovableKind, recordTextOf } from './kind.ts'
import { emptyPeriods, removePeriods } from './removal-store.ts'

/** The kinds that every company has. */
export const ENGINE_KINDS: readonly EngineKind[] = BUILT_IN_KINDS.map(({ common, kindIn }) =>
  engineKind(common, kindIn),
)

export function removableKindOf(own: RecordRules): RemovableKind {
  const kind = declaredKind(own)
  return { ...engineKind(kind, () => kind), own }
}

type EngineKind = RemovableKind & Required<Pick<RemovableKind, 'kindIn' | 'batches'>>

/** `insertNew`: where that is not as the engine does it. */
export function engineKind(
  common: Pick<RecordKind, 'name' | 'journalEntity' | 'record' | 'keyNames' | 'hasRelations' | 'words'>,
  kindIn: (company: CompanyRules) => RecordKind,
  insertNew?: InsertNew,
): EngineKind {
  const { name, journalEntity, record, keyNames, hasRelations, words } = common
  const valueBehind = (company: CompanyRules, key: JournalKey) => recordValue(kindIn(company), keyNamed(key))
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
    create: (service, request) =>
      createRecord(service, kindIn(service.companies.require(request.companyId)), request, insertNew),
    patches: {
      fields: record.fields,
      patch(service, request) {
        const kind = kindIn(service.companies.require(request.companyId))
        return patchRecord(service, new KindRecords(kind, request.caller, service.own), request)
      },
    },
    batches: (caller, company, documents, keepsIds) =>
      recordBatches(caller, company, { ...kindIn(company), keepsIds }, documents, insertNew),
    valueBehind,
    find: async (tx, company, key) => recordTextOf(await findRecord(tx, kindIn(company), keyNamed(key))),
    rowOf(company, text, unseen) {
      const { schema, attributeId } = kindIn(company)
      const found: RecordDraft = readStored(schema, text)
      const owner = hasRelations ? valueBehind(company, keyOf(common, found).stored) : undefined
      return {
        columns: {
          ...rowOf(record.fields, found),
          company_id: company.id,
          ...(attributeId === undefined ? {} : { [ATTRIBUTE_COLUMN]: attributeId }),
          ...unseen,
        },
        items: owner ? { [RELATION_TABLE]: relatedRows(company, owner, found.relatedValues ?? []) } : {},
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

function keyNamed(key: JournalKey): RecordKey {
  return { stored: key, texts: key.map(String) }
}

const RELATION_TABLE = AttributeRelation.document.table

/** The rows behind the related values of a record, which keep the order of the list. */
function relatedRows(company: CompanyRules, owner: ValueName, items: readonly RelatedValue[]): Columns[] {
  return items.map((item, index) => ({
    ...rowOf(RelatedValue.fields, item),
    company_id: company.id,
    attribute_id: owner.attributeId,
    attribute_value: owner.attributeValue,
    related_attribute_id: company.relationById(item.relationId)?.relatedAttributeId ?? '',
    created_no: index + 1,
  }))
}
