import type { Caller } from '../../access/caller.ts'
import type { JsonValue } from '../../base/strict-json.ts'
import { addressProblem, capitalised } from '../../base/text.ts'
import { Findings } from '../../errors/findings.ts'
import { readRecord } from '../../model/read-record.ts'
import type { OwnRecordRules } from '../../setup/rules/own/own-record.ts'
import { writeEntry } from '../../store/journal/journal.ts'
import type { ReadTx, Tx } from '../../store/store.ts'
import { notVisible, type RecordAccess } from '../shared/access/record-access.ts'
import { type Lookups, storedLookups } from '../shared/master-data/lookups.ts'
import { takeNextId } from '../shared/master-data/numbering-store.ts'
import { addParts } from '../shared/master-data/record-parts.ts'
import { bumpOwnerVersion, relationsOf, type StoredRelation } from '../shared/master-data/relation-store.ts'
import { writeRecord } from '../shared/pipeline/write-record.ts'
import { required } from '../shared/required-field.ts'
import type { Service } from '../shared/service.ts'
import { checkReferences, checkUnique, type References } from './check-others.ts'
import { checkOwnRecord } from './check-own-record.ts'
import { partsOf, type RecordSubject, subjectOf } from './own-parts.ts'
import {
  draftOf,
  filterOf,
  type GivenRecord,
  keyColumns,
  keyFrom,
  keyOf,
  type OwnDraft,
  type OwnKey,
  recordJson,
  valueAt,
} from './own-record.ts'
import { ownAccess } from './own-record-type.ts'
import { type FoundOwnRecord, findRecord, hasRecord, insertRecord } from './own-store.ts'

interface CreateRequest {
  readonly caller: Caller
  readonly companyId: string
  readonly requestId: string
  readonly body: JsonValue | undefined
}

export interface CreatedRecord extends FoundOwnRecord {
  readonly key: OwnKey
}

/** Creates one record. Reports all findings together; a key that exists is 400 on its last property. */
export async function createOwnRecord(
  service: Service,
  rules: OwnRecordRules,
  request: CreateRequest,
): Promise<CreatedRecord> {
  const { caller } = request
  const company = service.companies.require(request.companyId)
  const access = ownAccess(rules, caller, company, 'create')
  const record = readNewRecord({ rules, company, caller, documents: service.own }, access, request.body)
  return writeRecord(service, company.id, request, async (tx) => {
    const created = await insertNewRecord(tx, recordLookups(tx), record)
    await access.requireVisible(tx, filterOf(rules, created.key))
    return access.redactBody(created)
  })
}

/** Lookups of existing values and records for the rules of a new record. */
export interface RecordLookups extends Lookups {
  isRecord(rules: OwnRecordRules, key: OwnKey): Promise<boolean>
}

function recordLookups(tx: ReadTx): RecordLookups {
  return { ...storedLookups(tx), isRecord: (rules, key) => isRecord(tx, rules, key) }
}

export function isRecord(tx: ReadTx, rules: OwnRecordRules, { stored }: OwnKey): Promise<boolean> {
  return hasRecord(tx, rules.record.document, keyColumns(rules), stored)
}

/** A record to be created, with the findings so far. */
export interface NewRecord extends References {
  readonly subject: RecordSubject | undefined
  readonly access: RecordAccess
  readonly given: GivenRecord
  readonly draft: OwnDraft
  readonly findings: Findings
}

export function readNewRecord(references: References, access: RecordAccess, body: JsonValue | undefined): NewRecord {
  const { rules, company } = references
  const findings = new Findings()
  const given = readRecord(access.schema(rules.record.schema), body ?? null, findings) as GivenRecord
  const draft = draftOf(rules, company, given)
  return { ...references, subject: subjectOf(rules, company), access, given, draft, findings }
}

/** Checks the record and inserts it. If it throws a Problem, only the number series may have changed. */
export async function insertNewRecord(tx: Tx, lookups: RecordLookups, record: NewRecord): Promise<CreatedRecord> {
  const { company, rules, subject, access, given, draft, findings } = record
  const relations = await earlierRelations(tx, lookups, record)
  // A caller with a row rule must not learn about values that are not visible records.
  const earlier = access.hasRowRule ? [] : relations
  const change = { given, draft, earlier, stored: undefined }
  await checkOwnRecord(lookups, company, rules, subject, change, findings)
  checkKey(record)
  await checkUnique(tx, rules, access, change, findings)
  await checkReferences(tx, record, change, findings)
  if (findings.size > 0) {
    await rejectExisting(tx, record)
    throw access.refusal(withGroupsOf(findings, given), findings)
  }
  if (access.hasRowRule && relations.length > 0) await rejectExistingValue(tx, lookups, record)
  return insertChecked(tx, lookups, record, earlier.length > 0)
}

/** A finding stands in its group, also if that was not sent. */
function withGroupsOf(findings: Findings, given: GivenRecord): GivenRecord {
  const groups = findings.all.flatMap(({ path: [group, inner] }) => (typeof inner === 'string' ? [group] : []))
  return { ...given, ...Object.fromEntries(groups.map((name) => [name, valueAt(given, [name as string]) ?? {}])) }
}

/** The relations that the value of a new record already has. */
async function earlierRelations(
  tx: ReadTx,
  lookups: RecordLookups,
  { rules, subject, draft }: NewRecord,
): Promise<readonly StoredRelation[]> {
  if (!subject || !rules.hasRelations) return []
  const [value = ''] = keyOf(rules, draft).texts
  const mayExist = value !== '' && lookups.mayExist(subject.attributeId, value)
  return mayExist ? relationsOf(tx, subject.attributeId, value) : []
}

/** Checks the key by the rules of the series that gives it, and of the attribute whose value it is. */
function checkKey({ rules, subject, draft, findings }: NewRecord): void {
  for (const name of rules.keyNames) {
    const problem = addressProblem(String(draft[name]))
    if (problem !== undefined && !findings.has(name)) findings.add(name, 3010, problem)
  }
  const last = lastOf(rules)
  if (findings.has(last)) return
  const value = draft[last]
  if (rules.numbering && value !== '') {
    findings.add(last, 1010, `You cannot enter a new ID manually (${capitalised(last)}).`)
  } else if (!rules.numbering && value === '') findings.add(last, 1010, required(last))
  else if (subject && !rules.numbering) {
    const problem = subject.attribute.checkValue(String(value))
    if (problem !== undefined) findings.add(last, 3010, problem)
  }
}

function lastOf({ keyNames }: OwnRecordRules): string {
  return keyNames.at(-1) ?? ''
}

/** A retried POST must get this error and no other: its own values would fail validation first. */
async function rejectExisting(tx: Tx, { rules, access, given, draft, findings }: NewRecord): Promise<void> {
  if (rules.numbering || rules.keyNames.some((name) => findings.has(name))) return
  const key = keyFrom(rules, keyOf(rules, draft).texts)
  if (!key) return
  const found = await access.find(tx, filterOf(rules, key), () => findRecord(tx, rules, key))
  if (found) throw existsAlready(access, rules, given, key)
}

/** Rejects an id that exists as a hidden record as if the new record were hidden. */
async function rejectExistingValue(tx: Tx, lookups: RecordLookups, record: NewRecord): Promise<void> {
  const { rules, access, given, draft } = record
  const key = keyOf(rules, draft)
  const isVisible = (await lookups.isRecord(rules, key)) && (await access.isVisible(tx, filterOf(rules, key)))
  throw isVisible ? existsAlready(access, rules, given, key) : notVisible()
}

async function insertChecked(
  tx: Tx,
  lookups: RecordLookups,
  checked: NewRecord,
  hasRelations: boolean,
): Promise<CreatedRecord> {
  const { company, rules, access, given } = checked
  const isNumbered = rules.numbering !== undefined
  const draft = isNumbered ? await takeNumber(tx, lookups, checked) : checked.draft
  const key = keyOf(rules, draft)
  if (!isNumbered && (await lookups.isRecord(rules, key))) {
    const isVisible = await access.isVisible(tx, filterOf(rules, key))
    throw isVisible ? existsAlready(access, rules, given, key) : notVisible()
  }
  // The number may be that of an existing value of the attribute with relations.
  const hasEarlier = hasRelations || (isNumbered && (await hasNumberRelations(tx, checked, key)))
  const tag = await writeRow(tx, lookups, checked, draft)
  const body = hasEarlier ? undefined : recordJson(rules, company, draft, tx)
  const created = body === undefined ? await findRecord(tx, rules, key) : { body, change_no: tag }
  if (!created) throw new Error('the record cannot be found after its insertion')
  await writeEntry(tx, { entity: rules.name, key: key.stored, operation: 'create', before: '', after: created.body })
  return { ...created, key }
}

/** Inserts the row and what belongs to it; returns its tag. */
async function writeRow(
  tx: Tx,
  lookups: RecordLookups,
  { company, rules, subject }: NewRecord,
  draft: OwnDraft,
): Promise<number> {
  const last = subject ? await addParts(tx, company, subject.attribute, partsOf(rules, subject, draft)) : undefined
  const tag = (last ?? tx).entryNo
  insertRecord(tx, rules, draft, tag)
  if (!last || !subject) return tag
  const [value = ''] = keyOf(rules, draft).texts
  // Other periods of the value contain the relations too.
  if (lookups.mayExist(subject.attributeId, value)) {
    await bumpOwnerVersion(last, company, { attribute_id: subject.attributeId, attribute_value: value })
  }
  return tag
}

async function hasNumberRelations(tx: Tx, { rules, subject }: NewRecord, { texts }: OwnKey): Promise<boolean> {
  if (!subject || !rules.hasRelations) return false
  return (await relationsOf(tx, subject.attributeId, texts[0] ?? '')).length > 0
}

/**
 * Takes numbers until one is free: records of the series may have been imported. For a caller with a row rule, the
 * number of a value with relations is not free either.
 */
async function takeNumber(tx: Tx, lookups: RecordLookups, record: NewRecord): Promise<OwnDraft> {
  const { rules, access, draft, given } = record
  for (;;) {
    const id = rules.numbering && (await takeNextId(tx, rules.numbering))
    if (id === undefined)
      throw access.refusal(given, new Findings().add(lastOf(rules), 1010, 'Auto-numbering series is missing'))
    const numbered = { ...draft, [lastOf(rules)]: id }
    const key = keyOf(rules, numbered)
    if (await lookups.isRecord(rules, key)) continue
    if (access.hasRowRule && (await hasNumberRelations(tx, record, key))) continue
    return numbered
  }
}

/** The error is 400 on the field, as for customers (decision 5). */
function existsAlready(access: RecordAccess, rules: OwnRecordRules, given: GivenRecord, { texts }: OwnKey) {
  const message = `The data was changed or deleted by another user: ${rules.name} ${texts.join(' ')} exists already.`
  return access.refusal(given, new Findings().add(lastOf(rules), 3010, message, 400), {
    recordExists: true,
    hasZone: true,
  })
}
