import type { Caller } from '../../access/caller.ts'
import { memo } from '../../base/memo.ts'
import type { JsonObject, JsonValue } from '../../base/strict-json.ts'
import { type FieldPath, Findings } from '../../errors/findings.ts'
import { readRecord } from '../../model/read-record.ts'
import { AttributeValue } from '../../model/records/attribute-value.ts'
import type { AttributeRules, CompanyRules } from '../../setup/rules/rules.ts'
import { writeEntry } from '../../store/journal/journal.ts'
import type { Tx } from '../../store/store.ts'
import { insertRecord, type StoredRecord } from '../engine/record-store.ts'
import { BatchLookups, CodesToFind, type Lookups, storedLookups } from '../shared/master-data/lookups.ts'
import { passId, takeNextId, takesNumber } from '../shared/master-data/numbering-store.ts'
import { addRelatedValues, saveRelatedValues } from '../shared/master-data/related-value.ts'
import { relationsOf } from '../shared/master-data/relation-store.ts'
import { noManualMaintenance } from '../shared/messages.ts'
import { notVisible, type RecordAccess } from '../shared/record-access.ts'
import { required } from '../shared/required-field.ts'
import type { Service } from '../shared/service.ts'
import { type CreateRequest, writeRecord } from '../shared/write-record.ts'
import {
  alreadyExists,
  draftOf,
  ENTITY,
  type GivenValue,
  journalKey,
  keyFilterOf,
  keyOf,
  notAnAttribute,
  overlapMessage,
  recordJson,
  valueAccess,
} from './attribute-value.ts'
import { findPeriods, findValue, overlapsWith, VALUES, type ValueKey } from './attribute-value-store.ts'
import { checkAttributeValue, checkPeriodsAndLengths } from './check-attribute-value.ts'
import { hasHiddenRelations, isAnyVisible, requireNoneHidden, visiblePeriods } from './hidden-values.ts'

/** A created value and its key. */
export interface CreatedValue extends StoredRecord {
  readonly key: ValueKey
}

/** Creates one value with its relations and contact points. Reports all findings together; a key that exists is 409. */
export async function createAttributeValue(service: Service, request: CreateRequest): Promise<CreatedValue> {
  const company = service.companies.require(request.companyId)
  const access = valueAccess(request.caller, company, 'create')
  const value = readNewValue(company, access, request.body)
  return writeRecord(service, company.id, request, async (tx) => {
    const created = await insertNewValue(tx, storedLookups(tx), value)
    await access.requireVisible(tx, keyFilterOf(created.key))
    return access.redactBody(created)
  })
}

/** A value to be created, with the findings so far. */
export interface NewValue {
  readonly company: CompanyRules
  readonly access: RecordAccess
  readonly given: GivenValue
  readonly draft: AttributeValue
  readonly attribute: AttributeRules | undefined
  /** Whether the series of the attribute gives the value. */
  readonly isNumbered: boolean
  readonly findings: Findings
}

/** `keepsIds`: a value that is given is kept where a series gives it. */
function readNewValue(
  company: CompanyRules,
  access: RecordAccess,
  body: JsonValue | undefined,
  keepsIds = false,
): NewValue {
  const findings = new Findings()
  const given = readRecord(access.schema(AttributeValue.schema), body ?? null, findings)
  // A new value is always active; a given status is ignored (specification, states).
  const draft = { ...draftOf(given), companyId: company.id, status: 'N' }
  const attribute = checkAttribute(company, draft, findings)
  const isNumbered = takesNumber(attribute?.numbering, draft.attributeValue, keepsIds)
  return { company, access, given, draft, attribute, isNumbered, findings }
}

/** Checks the value and inserts it. If it throws a Problem, only the number series may have changed. */
async function insertNewValue(tx: Tx, lookups: Lookups, value: NewValue): Promise<CreatedValue> {
  const { company, access, given, draft, attribute, isNumbered, findings } = value
  if (!attribute) {
    checkPeriodsAndLengths(company, draft, undefined, findings)
    throw access.refusal(given, findings)
  }
  const mayExist = draft.attributeValue !== '' && lookups.mayExist(attribute.id, draft.attributeValue)
  const stored = mayExist ? await findPeriods(tx, attribute.id, draft.attributeValue) : []
  const relations = stored.length > 0 ? await relationsOf(tx, attribute.id, draft.attributeValue) : []
  const isVisible = stored.length === 0 || (await isAnyVisible(tx, access, keyOf(draft), stored))
  // Relations of a hidden value must not appear in findings.
  const earlier = isVisible ? relations : []
  const asked = checkAttributeValue({ values: lookups, company, findings }, attribute, draft, {
    stored: undefined,
    earlier,
  })
  if (asked) await asked
  const overlaps = overlapsWith(stored, draft.periodFrom, draft.periodTo)
  checkNewValue(value, attribute)
  if (overlaps.length > 0) await checkOverlaps(tx, value, overlaps)
  if (findings.size > 0) throw access.refusal(given, findings)
  if (overlaps.length > 0) await requireNoneHidden(tx, access, keyOf(draft), overlaps)
  if (!isVisible && relations.length > 0) throw notVisible()
  if (attribute.numbering && !isNumbered) passId(tx, attribute.numbering, draft.attributeValue)
  const isStored = stored.some(({ period_from }) => Number(period_from) === draft.periodFrom)
  if (isStored && !isNumbered) throw alreadyExists(draft.attributeValue)
  const isFirst = stored.length === 0 && !isNumbered
  return isFirst ? insertFirst(tx, company, attribute, draft) : insertFurther(tx, value, attribute, earlier.length > 0)
}

function checkAttribute(company: CompanyRules, draft: AttributeValue, findings: Findings): AttributeRules | undefined {
  if (findings.has('attributeId')) return undefined
  if (draft.attributeId === '') findings.add('attributeId', 1010, required('attributeId'))
  const attribute = company.attributes.get(draft.attributeId)
  if (attribute) {
    if (!attribute.manual) findings.add('attributeId', 3010, noManualMaintenance(attribute))
  } else if (draft.attributeId !== '') findings.add('attributeId', 3010, notAnAttribute(draft.attributeId))
  // Without a known attribute, the only rule for the value is that it is required.
  if (!attribute && draft.attributeValue === '' && !findings.has('attributeValue')) {
    findings.add('attributeValue', 1010, required('attributeValue'))
  }
  return attribute
}

/** Checks the value itself. */
function checkNewValue({ draft, isNumbered, findings }: NewValue, attribute: AttributeRules): void {
  if (findings.has('attributeValue')) return
  if (isNumbered) {
    if (draft.attributeValue !== '') {
      findings.add('attributeValue', 1010, 'You cannot enter a new ID manually (AttributeValue).')
    }
    return
  }
  if (draft.attributeValue === '') {
    findings.add('attributeValue', 1010, required('attributeValue'))
    return
  }
  const problem = attribute.checkValue(draft.attributeValue)
  if (problem !== undefined) findings.add('attributeValue', 3010, problem)
}

/** Checks that no other period of a legal value overlaps. An equal key is not an overlap but a conflict. */
async function checkOverlaps(
  tx: Tx,
  { draft, isNumbered, findings, access }: NewValue,
  overlaps: readonly number[],
): Promise<void> {
  if (findings.has('attributeValue') || isNumbered) return
  const visible = await visiblePeriods(tx, access, keyOf(draft), overlaps)
  if (visible.length > 0 && !visible.includes(draft.periodFrom) && !findings.has('periodFrom')) {
    findings.add('periodFrom', 3010, overlapMessage(draft.attributeValue, visible))
  }
}

/** Inserts a value that exists in no period: its key is free, and it has no relations yet. */
function insertFirst(
  tx: Tx,
  company: CompanyRules,
  attribute: AttributeRules,
  draft: AttributeValue,
): CreatedValue | Promise<CreatedValue> {
  const subject = { attribute, attributeValue: draft.attributeValue }
  const last = addRelatedValues(tx, company, subject, draft.relatedValues)
  const tag = (last ?? tx).entryNo
  insertRecord(tx, VALUES, draft, tag)
  return withEntry(tx, keyOf(draft), recordJson(company, attribute, draft), tag)
}

/**
 * Inserts a further period of a value, or a numbered value: the number may be that of an existing value in another
 * period.
 */
async function insertFurther(
  tx: Tx,
  { company, access, draft, given, isNumbered }: NewValue,
  attribute: AttributeRules,
  hasRelations: boolean,
): Promise<CreatedValue> {
  const value = isNumbered ? await takeNumber(tx, access, attribute, draft, given) : draft
  insertRecord(tx, VALUES, value, tx.entryNo)
  const subject = { attribute, attributeValue: value.attributeValue }
  const tag = await saveRelatedValues(tx, company, subject, [], value.relatedValues)
  // The record also contains the existing relations, which only the database can list.
  const body = hasRelations || isNumbered ? undefined : recordJson(company, attribute, value)
  return withEntry(tx, keyOf(value), body, tag ?? tx.entryNo)
}

/** Writes the journal entry of an inserted value; `body` is undefined where only the database can produce it. */
function withEntry(tx: Tx, key: ValueKey, body: string | undefined, tag: number): CreatedValue | Promise<CreatedValue> {
  const log = (created: StoredRecord | undefined): CreatedValue => {
    if (!created) throw new Error('the value cannot be found after its insertion')
    const entry = { entity: ENTITY, key: journalKey(key), operation: 'create' } as const
    writeEntry(tx, { ...entry, before: '', after: created.body })
    return { body: created.body, change_no: created.change_no, key }
  }
  return body === undefined ? findValue(tx, key).then(log) : log({ body, change_no: tag })
}

/** Takes numbers until one is free: values of the series may have been created without it. */
async function takeNumber(
  tx: Tx,
  access: RecordAccess,
  attribute: AttributeRules,
  draft: AttributeValue,
  given: GivenValue,
): Promise<AttributeValue> {
  for (;;) {
    const id = attribute.numbering && (await takeNextId(tx, attribute.numbering))
    if (id === undefined) {
      throw access.refusal(given, new Findings().add('attributeValue', 1010, 'Auto-numbering series is missing'))
    }
    const numbered = { ...draft, attributeValue: id }
    const periods = await findPeriods(tx, attribute.id, id)
    const isTaken = periods.some(({ period_from }) => Number(period_from) === draft.periodFrom)
    if (!isTaken && !(await hasHiddenRelations(tx, access, keyOf(numbered), periods))) return numbered
  }
}

/**
 * Applies the rules of a single new value. All values must be visible to the caller, because no write is checked for
 * visibility.
 */
export function attributeValueBatches(caller: Caller, company: CompanyRules, keepsIds: boolean) {
  const access = valueAccess(caller, company, 'create')
  // The parts of a write have them in common.
  const lookupsOf = memo((batch: Tx) => new BatchLookups(batch))
  return {
    read: (record: JsonObject, unread: readonly FieldPath[] = []): NewValue => {
      const value = readNewValue(company, access, record, keepsIds)
      value.findings.addUnread(unread)
      return value
    },
    prepare: async (batch: Tx, values: readonly NewValue[]) => {
      const lookups = lookupsOf(batch)
      await lookups.findPresent(values.map(({ draft }) => [draft.attributeId, draft.attributeValue]))
      await lookups.findLegal(codesOf(company, values))
      return async (tx: Tx, value: NewValue): Promise<void> => {
        const { key } = await insertNewValue(tx, lookups, value)
        lookups.add([key.attributeId, key.attributeValue])
      }
    },
  }
}

function codesOf(company: CompanyRules, values: readonly NewValue[]): CodesToFind {
  const codes = new CodesToFind()
  for (const { attribute, draft } of values) {
    codes.add(attribute?.owner, draft.owner)
    codes.addRelated(company, draft.relatedValues)
  }
  return codes
}
