import { isDeepStrictEqual } from 'node:util'
import type { Caller } from '../../access/caller.ts'
import type { JsonValue } from '../../base/strict-json.ts'
import { Findings } from '../../errors/findings.ts'
import { applyOperations } from '../../patch/apply-operations.ts'
import { type PatchOperation, parseOperations } from '../../patch/operations.ts'
import type { PatchRule } from '../../patch/rules.ts'
import type { AttributeRules, CompanyRules } from '../../setup/rules.ts'
import { writeEntry } from '../../store/journal.ts'
import type { ReadTx, Tx } from '../../store/store.ts'
import { CONTACT_POINT_RULES, RELATED_VALUE_RULES } from '../shared/list-rules.ts'
import { storedLookups } from '../shared/lookups.ts'
import { noManualMaintenance } from '../shared/messages.ts'
import { patchRefused } from '../shared/refuse-patch.ts'
import { saveRelatedValues } from '../shared/related-value.ts'
import { relationsOf } from '../shared/relation-store.ts'
import { requireUnchanged } from '../shared/require-unchanged.ts'
import type { Service } from '../shared/service.ts'
import { outOfSight, type Sight } from '../shared/sight.ts'
import { writeRecord } from '../shared/write-record.ts'
import {
  AttributeValue,
  type AttributeValue as AttributeValueRecord,
  changesOf,
  draftOf,
  ENTITY,
  type GivenValue,
  journalKey,
  keyOf,
  type RequestedKey,
  requireKey,
  rowOf,
  rowWith,
  shownText,
  storedDraft,
  valueNotFound,
} from './attribute-value.ts'
import { valueSight } from './attribute-value-document.ts'
import {
  type FoundValue,
  findPeriods,
  findValue,
  overlapsWith,
  updateValue,
  type ValueKey,
} from './attribute-value-store.ts'
import { checkAttributeValue } from './check-attribute-value.ts'
import { overlapMessage } from './create-attribute-value.ts'
import { seenPeriods } from './unseen-values.ts'

/** What a patch may change (decision 2): everything but keys and what belongs to the attribute or the relation. */
const RULES: readonly PatchRule[] = [
  { path: '/description' },
  { path: '/periodTo' },
  { path: '/status' },
  { path: '/owner' },
  { path: '/customValue' },
  ...CONTACT_POINT_RULES,
  ...RELATED_VALUE_RULES,
]

/** A value as it was changed, and its key. */
export interface PatchedValue extends FoundValue {
  readonly key: ValueKey
}

export interface PatchRequest {
  readonly caller: Caller
  readonly companyId: string
  readonly requestId: string
  readonly key: RequestedKey
  readonly body: JsonValue | undefined
  readonly ifMatch: string | undefined
}

/** Changes one value: all operations or none. The draft goes through the same rules as a new record. */
export async function patchAttributeValue(service: Service, request: PatchRequest): Promise<PatchedValue> {
  const company = service.companies.require(request.companyId)
  const { attribute, key } = requireKey(company, request.key)
  const operations = parseOperations(request.body ?? null)
  const sight = valueSight(request.caller, company, 'update')

  return writeRecord(service, company.id, request, async (tx) => {
    const before = await sight.find(tx, rowWith(key), () => findValue(tx, key))
    if (!before) throw valueNotFound(company, key)
    await requireUnchanged(tx, before, request.ifMatch, changesOf(key), sight)
    const stored = storedDraft(before)
    const patched = apply(stored, operations, sight)
    const draft = draftOf(patched)
    await requireValid(tx, company, attribute, draft, stored, sight)
    // What does not change is not written: no entry, no new tag.
    const after = isDeepStrictEqual(draft, stored) ? before : await save(tx, company, attribute, before, stored, draft)
    await sight.requireSeen(tx, rowWith(key))
    return { ...sight.shownOf(after), key }
  })
}

function apply(stored: AttributeValueRecord, operations: readonly PatchOperation[], sight: Sight): GivenValue {
  const { record, failures } = applyOperations(sight.schema(AttributeValue), RULES, stored, operations)
  if (failures) throw patchRefused(422, failures)
  return sight.kept(record, stored)
}

async function requireValid(
  tx: ReadTx,
  company: CompanyRules,
  attribute: AttributeRules,
  draft: AttributeValueRecord,
  stored: AttributeValueRecord,
  sight: Sight,
): Promise<void> {
  const findings = new Findings()
  if (!attribute.manual) findings.add('attributeId', 3010, noManualMaintenance(attribute))
  await checkAttributeValue(storedLookups(tx), company, attribute, draft, { stored }, findings)
  if (draft.periodTo !== stored.periodTo && !findings.has('periodTo')) {
    const key = keyOf(draft)
    const periods = await findPeriods(tx, key.attributeId, key.attributeValue)
    const others = overlapsWith(periods, key.periodFrom, draft.periodTo).filter((start) => start !== key.periodFrom)
    const seen = await seenPeriods(tx, sight, key, others)
    if (seen.length > 0) findings.add('periodFrom', 3010, overlapMessage(key.attributeValue, seen))
    else if (others.length > 0 && findings.size === 0) throw outOfSight()
  }
  if (findings.size > 0) throw sight.refused(draft, findings)
}

async function save(
  tx: Tx,
  company: CompanyRules,
  attribute: AttributeRules,
  before: FoundValue,
  stored: AttributeValueRecord,
  draft: AttributeValueRecord,
): Promise<FoundValue> {
  const key = keyOf(draft)
  await updateValue(tx, rowOf(draft))
  const areRelationsChanged = JSON.stringify(draft.relatedValues) !== JSON.stringify(stored.relatedValues)
  if (areRelationsChanged) {
    const relations = await relationsOf(tx, key.attributeId, key.attributeValue)
    const subject = { attribute, attributeValue: key.attributeValue }
    await saveRelatedValues(tx, company, subject, relations, draft.relatedValues)
  }
  // The places of relations that have changed are the database's to tell.
  const body = areRelationsChanged ? undefined : shownText(company, attribute, draft)
  const after = body === undefined ? await findValue(tx, key) : { body, change_no: tx.entryNo }
  if (!after) throw new Error('the value is not there after it was changed')
  await writeEntry(tx, {
    entity: ENTITY,
    key: journalKey(key),
    operation: 'update',
    before: before.body,
    after: after.body,
  })
  return after
}
