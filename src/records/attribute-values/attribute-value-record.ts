// How single attribute values are read, changed and closed.
import { coded } from '../../errors/catalogue.ts'
import { Findings } from '../../errors/findings.ts'
import { AttributeValue } from '../../model/records/attribute-value.ts'
import { patchRules } from '../../patch/rules.ts'
import type { AttributeRules, CompanyRules } from '../../setup/rules/rules.ts'
import { writeEntry } from '../../store/journal/journal.ts'
import type { Tx } from '../../store/store.ts'
import { type StoredRecord, updateRecord } from '../engine/record-store.ts'
import { storedLookups } from '../shared/master-data/lookups.ts'
import {
  areRelationsChanged,
  areRelationsMoved,
  saveRelatedValues,
  withNamedRelations,
} from '../shared/master-data/related-value.ts'
import { relationsOf } from '../shared/master-data/relation-store.ts'
import { noManualMaintenance } from '../shared/messages.ts'
import { notVisible } from '../shared/record-access.ts'
import type { RecordPatch, RecordType } from '../shared/record-type.ts'
import {
  draftOf,
  ENTITY,
  journalKey,
  journalRangesOf,
  keyFilterOf,
  overlapMessage,
  type RequestedKey,
  recordJson,
  requireKey,
  storedDraft,
  valueAccess,
  valueNotFound,
} from './attribute-value.ts'
import { findPeriods, findValue, overlapsWith, VALUES, type ValueKey, valueReadings } from './attribute-value-store.ts'
import { checkAttributeValue } from './check-attribute-value.ts'
import { visiblePeriods } from './hidden-values.ts'

type ValueChange = RecordPatch<ValueKey, StoredRecord, AttributeValue>

export const valueRecord: RecordType<RequestedKey, ValueKey, StoredRecord, AttributeValue> = {
  access: valueAccess,
  keyOf: requireKey,
  filterOf: keyFilterOf,
  find: (tx, _company, key) => findValue(tx, key),
  readings: () => valueReadings,
  notFound: valueNotFound,
  redacted: (access, found) => access.redactBody(found),
  journalKey,
  journalRanges: (_company, key) => journalRangesOf(key),
  schema: () => AttributeValue.schema,
  patchRules: patchRules(AttributeValue.fields),
  patchStatus: () => 422,
  stored: (_company, found) => storedDraft(found),
  draftOf: (company, given) => withNamedRelations(company, draftOf(given)),

  async check(change) {
    const { tx, company, access, key, stored, draft } = change
    const attribute = attributeOf(company, key)
    const findings = new Findings()
    if (!attribute.manual) findings.add('attributeId', 3010, noManualMaintenance(attribute))
    await checkAttributeValue({ values: storedLookups(tx), company, findings }, attribute, draft, { stored })
    if (draft.periodTo !== stored.periodTo && !findings.has('periodTo')) await checkOverlaps(change, findings)
    if (findings.size > 0) throw access.refusal(draft, findings)
    return draft
  },

  async save({ tx, company, key, found, stored, draft }) {
    const attribute = attributeOf(company, key)
    updateRecord(tx, VALUES, stored, draft)
    const hasOtherRelations = areRelationsChanged(stored, draft)
    const tag = (hasOtherRelations ? await saveRelations(tx, company, key, draft) : undefined) ?? tx.entryNo
    const body = areRelationsMoved(stored, draft) ? undefined : recordJson(company, attribute, draft)
    const after = body === undefined ? await findValue(tx, key) : { body, change_no: tag }
    if (!after) throw new Error('the value cannot be found after its update')
    const entry = { entity: ENTITY, key: journalKey(key), operation: 'update' } as const
    writeEntry(tx, { ...entry, before: found.body, after: after.body })
    return after
  },

  requireRemovable({ company, key }) {
    const attribute = attributeOf(company, key)
    if (!attribute.manual) throw coded(400, 3010, noManualMaintenance(attribute))
  },

  /** Closes the value: it stays readable with status C. */
  async remove({ tx, key, found }) {
    const stored = storedDraft(found)
    if (stored.status === 'C') return
    updateRecord(tx, VALUES, stored, { ...stored, status: 'C' })
    const after = await findValue(tx, key)
    const entry = { entity: ENTITY, key: journalKey(key), operation: 'delete' } as const
    writeEntry(tx, { ...entry, before: found.body, after: after?.body ?? '' })
  },
}

function attributeOf(company: CompanyRules, { attributeId }: ValueKey): AttributeRules {
  const attribute = company.attributes.get(attributeId)
  if (!attribute) throw new Error(`the key with attribute ${attributeId} was not checked`)
  return attribute
}

/** Checks that no other period of the value overlaps the changed one. */
async function checkOverlaps({ tx, access, key, draft }: ValueChange, findings: Findings): Promise<void> {
  const periods = await findPeriods(tx, key.attributeId, key.attributeValue)
  const others = overlapsWith(periods, key.periodFrom, draft.periodTo).filter((start) => start !== key.periodFrom)
  const visible = await visiblePeriods(tx, access, key, others)
  if (visible.length > 0) findings.add('periodFrom', 3010, overlapMessage(key.attributeValue, visible))
  else if (others.length > 0 && findings.size === 0) throw notVisible()
}

/** Returns what becomes the tag of the value. */
async function saveRelations(tx: Tx, company: CompanyRules, key: ValueKey, draft: AttributeValue) {
  const relations = await relationsOf(tx, key.attributeId, key.attributeValue)
  const subject = { attribute: attributeOf(company, key), attributeValue: key.attributeValue }
  return saveRelatedValues(tx, company, subject, relations, draft.relatedValues)
}
