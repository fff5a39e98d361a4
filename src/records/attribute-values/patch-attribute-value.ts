import { isDeepStrictEqual } from 'node:util'
import type { Caller } from '../../access/caller.ts'
import type { JsonValue } from '../../base/strict-json.ts'
import { Findings } from '../../errors/findings.ts'
import { AttributeValue } from '../../model/records/attribute-value.ts'
import { applyOperations } from '../../patch/apply-operations.ts'
import { type PatchOperation, parseOperations } from '../../patch/operations.ts'
import { patchRules } from '../../patch/rules.ts'
import type { AttributeRules, CompanyRules } from '../../setup/rules/rules.ts'
import { writeEntry } from '../../store/journal/journal.ts'
import type { ReadTx, Tx } from '../../store/store.ts'
import { notVisible, type RecordAccess } from '../shared/access/record-access.ts'
import { storedLookups } from '../shared/master-data/lookups.ts'
import { saveRelatedValues } from '../shared/master-data/related-value.ts'
import { relationsOf } from '../shared/master-data/relation-store.ts'
import { noManualMaintenance } from '../shared/messages.ts'
import { patchRefused } from '../shared/pipeline/refuse-patch.ts'
import { requireUnchanged } from '../shared/pipeline/require-unchanged.ts'
import { writeRecord } from '../shared/pipeline/write-record.ts'
import type { Service } from '../shared/service.ts'
import {
  draftOf,
  ENTITY,
  type GivenValue,
  journalKey,
  journalRangesOf,
  keyFilterOf,
  keyOf,
  type RequestedKey,
  recordJson,
  requireKey,
  storedDraft,
  valueNotFound,
} from './attribute-value.ts'
import { valueAccess } from './attribute-value-document.ts'
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
import { visiblePeriods } from './hidden-values.ts'

const RULES = patchRules(AttributeValue.fields)

/** A changed value and its key. */
export interface PatchedValue extends FoundValue {
  readonly key: ValueKey
}

interface PatchRequest {
  readonly caller: Caller
  readonly companyId: string
  readonly requestId: string
  readonly key: RequestedKey
  readonly body: JsonValue | undefined
  readonly ifMatch: string | undefined
}

/** Changes one value: all operations or none. The result is checked by the same rules as a new record. */
export async function patchAttributeValue(service: Service, request: PatchRequest): Promise<PatchedValue> {
  const company = service.companies.require(request.companyId)
  const { attribute, key } = requireKey(company, request.key)
  const operations = parseOperations(request.body ?? null)
  const access = valueAccess(request.caller, company, 'update')

  return writeRecord(service, company.id, request, async (tx) => {
    const before = await access.find(tx, keyFilterOf(key), () => findValue(tx, key))
    if (!before) throw valueNotFound(company, key)
    await requireUnchanged(tx, before, request.ifMatch, journalRangesOf(key), access)
    const stored = storedDraft(before)
    const patched = apply(stored, operations, access)
    const draft = draftOf(patched)
    await requireValid(tx, company, attribute, draft, stored, access)
    // Without a change nothing is written: no journal entry and no new tag.
    const after = isDeepStrictEqual(draft, stored) ? before : await save(tx, company, attribute, before, stored, draft)
    await access.requireVisible(tx, keyFilterOf(key))
    return { ...access.redactBody(after), key }
  })
}

function apply(stored: AttributeValue, operations: readonly PatchOperation[], access: RecordAccess): GivenValue {
  const { record, failures } = applyOperations(access.schema(AttributeValue.schema), RULES, stored, operations)
  if (failures) throw patchRefused(422, failures)
  return access.restoreHidden(record, stored)
}

async function requireValid(
  tx: ReadTx,
  company: CompanyRules,
  attribute: AttributeRules,
  draft: AttributeValue,
  stored: AttributeValue,
  access: RecordAccess,
): Promise<void> {
  const findings = new Findings()
  if (!attribute.manual) findings.add('attributeId', 3010, noManualMaintenance(attribute))
  await checkAttributeValue(storedLookups(tx), company, attribute, draft, { stored }, findings)
  if (draft.periodTo !== stored.periodTo && !findings.has('periodTo')) {
    const key = keyOf(draft)
    const periods = await findPeriods(tx, key.attributeId, key.attributeValue)
    const others = overlapsWith(periods, key.periodFrom, draft.periodTo).filter((start) => start !== key.periodFrom)
    const visible = await visiblePeriods(tx, access, key, others)
    if (visible.length > 0) findings.add('periodFrom', 3010, overlapMessage(key.attributeValue, visible))
    else if (others.length > 0 && findings.size === 0) throw notVisible()
  }
  if (findings.size > 0) throw access.refusal(draft, findings)
}

async function save(
  tx: Tx,
  company: CompanyRules,
  attribute: AttributeRules,
  before: FoundValue,
  stored: AttributeValue,
  draft: AttributeValue,
): Promise<FoundValue> {
  const key = keyOf(draft)
  await updateValue(tx, draft)
  const areRelationsChanged = JSON.stringify(draft.relatedValues) !== JSON.stringify(stored.relatedValues)
  if (areRelationsChanged) {
    const relations = await relationsOf(tx, key.attributeId, key.attributeValue)
    const subject = { attribute, attributeValue: key.attributeValue }
    await saveRelatedValues(tx, company, subject, relations, draft.relatedValues)
  }
  // Only the database knows the order of changed relations.
  const body = areRelationsChanged ? undefined : recordJson(company, attribute, draft)
  const after = body === undefined ? await findValue(tx, key) : { body, change_no: tx.entryNo }
  if (!after) throw new Error('the value cannot be found after its update')
  await writeEntry(tx, {
    entity: ENTITY,
    key: journalKey(key),
    operation: 'update',
    before: before.body,
    after: after.body,
  })
  return after
}
