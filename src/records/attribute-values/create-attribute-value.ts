import type { Caller } from '../../access/caller.ts'
import type { JsonValue } from '../../base/strict-json.ts'
import { invalidRecord } from '../../errors/catalogue.ts'
import { Findings } from '../../errors/findings.ts'
import { readRecord } from '../../model/read-record.ts'
import type { AttributeRules, CompanyRules } from '../../setup/rules.ts'
import { writeEntry } from '../../store/journal.ts'
import type { Tx } from '../../store/store.ts'
import { type Lookups, storedLookups } from '../shared/lookups.ts'
import { noManualMaintenance } from '../shared/messages.ts'
import { takeNextId } from '../shared/numbering-store.ts'
import { addRelatedValues, saveRelatedValues } from '../shared/related-value.ts'
import { relationsOf } from '../shared/relation-store.ts'
import type { Service } from '../shared/service.ts'
import { outOfSight, type Sight } from '../shared/sight.ts'
import { writeRecord } from '../shared/write-record.ts'
import {
  AttributeValue,
  type AttributeValue as AttributeValueRecord,
  alreadyExists,
  draftOf,
  ENTITY,
  type GivenValue,
  journalKey,
  keyOf,
  notAnAttribute,
  rowOf,
  rowWith,
  shownText,
} from './attribute-value.ts'
import { valueSight } from './attribute-value-document.ts'
import {
  addValue,
  type FoundValue,
  findPeriods,
  findValue,
  insertValue,
  overlapsWith,
  type ValueKey,
} from './attribute-value-store.ts'
import { checkAttributeValue } from './check-attribute-value.ts'
import { hasUnseenRelations, requireNoneUnseen, seenPeriods, seesAny } from './unseen-values.ts'

export interface CreateRequest {
  readonly caller: Caller
  readonly companyId: string
  readonly requestId: string
  readonly body: JsonValue | undefined
}

/** A value that was created, and its key. */
export interface CreatedValue extends FoundValue {
  readonly key: ValueKey
}

/** Creates one value with its relations and contact points. All findings are answered together; a key that is taken is 409. */
export async function createAttributeValue(service: Service, request: CreateRequest): Promise<CreatedValue> {
  const company = service.companies.require(request.companyId)
  const sight = valueSight(request.caller, company, 'create')
  const value = readNewValue(company, sight, request.body)
  return writeRecord(service, company.id, request, async (tx) => {
    const created = await insertNewValue(tx, storedLookups(tx), value)
    await sight.requireSeen(tx, rowWith(created.key))
    return sight.shownOf(created)
  })
}

/** A value that is to be created, with what is wrong with it so far. */
export interface NewValue {
  readonly company: CompanyRules
  readonly sight: Sight
  readonly given: GivenValue
  readonly draft: AttributeValueRecord
  readonly attribute: AttributeRules | undefined
  readonly findings: Findings
}

export function readNewValue(company: CompanyRules, sight: Sight, body: JsonValue | undefined): NewValue {
  const findings = new Findings()
  const given = readRecord(sight.schema(AttributeValue), body ?? null, findings)
  // A new value is active, whatever was sent (specification, states).
  const draft = { ...draftOf(given), companyId: company.id, status: 'N' }
  return { company, sight, given, draft, attribute: checkAttribute(company, draft, findings), findings }
}

/** Checks the value and inserts it. When it throws a Problem, nothing was changed but the number series. */
export async function insertNewValue(tx: Tx, lookups: Lookups, value: NewValue): Promise<CreatedValue> {
  const { company, sight, given, draft, attribute, findings } = value
  if (!attribute) throw sight.refused(given, findings)
  const mayExist = draft.attributeValue !== '' && lookups.mayExist(attribute.id, draft.attributeValue)
  const stored = mayExist ? await findPeriods(tx, attribute.id, draft.attributeValue) : []
  const relations = stored.length > 0 ? await relationsOf(tx, attribute.id, draft.attributeValue) : []
  const isSeen = stored.length === 0 || (await seesAny(tx, sight, keyOf(draft), stored))
  // Those of a value that the caller does not see are none that a finding could tell of.
  const earlier = isSeen ? relations : []
  await checkAttributeValue(lookups, company, attribute, draft, { stored: undefined, earlier }, findings)
  const overlaps = overlapsWith(stored, draft.periodFrom, draft.periodTo)
  await checkNewValue(tx, attribute, draft, overlaps, findings, sight)
  if (findings.size > 0) throw sight.refused(given, findings)
  await requireNoneUnseen(tx, sight, keyOf(draft), overlaps)
  if (!isSeen && relations.length > 0) throw outOfSight()
  const isFirst = stored.length === 0 && !attribute.numbering
  return isFirst ? insertFirst(tx, company, attribute, draft) : insertFurther(tx, value, attribute, earlier.length > 0)
}

function checkAttribute(
  company: CompanyRules,
  draft: AttributeValueRecord,
  findings: Findings,
): AttributeRules | undefined {
  if (findings.has('attributeId')) return undefined
  if (draft.attributeId === '') findings.add('attributeId', 1010, 'The AttributeId field is required.')
  const attribute = company.attributes.get(draft.attributeId)
  if (attribute) {
    if (!attribute.manual) findings.add('attributeId', 3010, noManualMaintenance(attribute))
  } else if (draft.attributeId !== '') findings.add('attributeId', 3010, notAnAttribute(draft.attributeId))
  // Without an attribute there is no rule for the value, but that there must be one.
  if (!attribute && draft.attributeValue === '' && !findings.has('attributeValue')) {
    findings.add('attributeValue', 1010, 'The AttributeValue field is required.')
  }
  return attribute
}

/** The value itself, and that no other period of it shares one with this; the same key is not an overlap but a conflict. */
async function checkNewValue(
  tx: Tx,
  attribute: AttributeRules,
  draft: AttributeValueRecord,
  overlaps: readonly number[],
  findings: Findings,
  sight: Sight,
): Promise<void> {
  if (findings.has('attributeValue')) return
  if (attribute.numbering) {
    if (draft.attributeValue !== '') {
      findings.add('attributeValue', 1010, 'You cannot enter a new ID manually (AttributeValue).')
    }
    return
  }
  if (draft.attributeValue === '') {
    findings.add('attributeValue', 1010, 'The AttributeValue field is required.')
    return
  }
  const wrong = attribute.checkValue(draft.attributeValue)
  if (wrong !== undefined) {
    findings.add('attributeValue', 3010, wrong)
    return
  }
  const seen = await seenPeriods(tx, sight, keyOf(draft), overlaps)
  if (seen.length > 0 && !seen.includes(draft.periodFrom) && !findings.has('periodFrom')) {
    findings.add('periodFrom', 3010, overlapMessage(draft.attributeValue, seen))
  }
}

export function overlapMessage(attributeValue: string, overlaps: readonly number[]): string {
  return `The period overlaps that of ${attributeValue} from ${overlaps.join(', ')}`
}

/** Inserts a value that is there in no period: its key is free, and nothing belongs to it yet. */
async function insertFirst(
  tx: Tx,
  company: CompanyRules,
  attribute: AttributeRules,
  draft: AttributeValueRecord,
): Promise<CreatedValue> {
  const subject = { attribute, attributeValue: draft.attributeValue }
  const last = await addRelatedValues(tx, company, subject, draft.relatedValues)
  const tag = (last ?? tx).entryNo
  addValue(tx, rowOf(draft), tag)
  return withEntry(tx, keyOf(draft), shownText(company, attribute, draft), tag)
}

/** Inserts a further period of a value, or one that is numbered: a number may hit another period of a value. */
async function insertFurther(
  tx: Tx,
  { company, sight, draft, given }: NewValue,
  attribute: AttributeRules,
  hasRelations: boolean,
): Promise<CreatedValue> {
  const value = attribute.numbering ? await insertNumbered(tx, sight, attribute, draft, given) : draft
  if (!attribute.numbering && (await insertValue(tx, rowOf(value))) === 'taken')
    throw alreadyExists(value.attributeValue)
  const subject = { attribute, attributeValue: value.attributeValue }
  const tag = await saveRelatedValues(tx, company, subject, [], value.relatedValues)
  // It shows the relations that are there already too.
  const body = hasRelations || attribute.numbering ? undefined : shownText(company, attribute, value)
  return withEntry(tx, keyOf(value), body, tag ?? tx.entryNo)
}

/** Writes the journal entry of a value that was inserted; `body` is absent where only the database can tell it. */
async function withEntry(tx: Tx, key: ValueKey, body: string | undefined, tag: number): Promise<CreatedValue> {
  const created = body === undefined ? await findValue(tx, key) : { body, change_no: tag }
  if (!created) throw new Error('the value is not there after it was inserted')
  await writeEntry(tx, {
    entity: ENTITY,
    key: journalKey(key),
    operation: 'create',
    before: '',
    after: created.body,
  })
  return { ...created, key }
}

/** Takes numbers until one is free: a value of the series may have been set up by hand before. */
async function insertNumbered(
  tx: Tx,
  sight: Sight,
  attribute: AttributeRules,
  draft: AttributeValueRecord,
  given: GivenValue,
): Promise<AttributeValueRecord> {
  for (;;) {
    const id = attribute.numbering && (await takeNextId(tx, attribute.numbering))
    if (id === undefined) {
      throw invalidRecord(given, new Findings().add('attributeValue', 1010, 'Auto-numbering series is missing'))
    }
    const numbered = { ...draft, attributeValue: id }
    if (await hasUnseenRelations(tx, sight, keyOf(numbered))) continue
    if ((await insertValue(tx, rowOf(numbered))) === 'inserted') return numbered
  }
}
