// How a new record is checked and inserted, alone and among many.
import { andThen } from '../../base/in-turn.ts'
import { memo } from '../../base/memo.ts'
import { isObject, type JsonValue } from '../../base/strict-json.ts'
import { addressProblem, capitalised, foldName } from '../../base/text.ts'
import { type FieldPath, Findings } from '../../errors/findings.ts'
import type { DocumentDefinition } from '../../model/document.ts'
import { readRecord } from '../../model/read-record.ts'
import type { RecordRules } from '../../setup/rules/record-rules.ts'
import type { NumberingRules } from '../../setup/rules/rules.ts'
import { writeEntry } from '../../store/journal/journal.ts'
import type { ReadTx, Tx } from '../../store/store.ts'
import { askedOnce, storedLookups } from '../shared/master-data/lookups.ts'
import { passId, takeNextId, takesNumber } from '../shared/master-data/numbering-store.ts'
import { relationsOf, type StoredRelation } from '../shared/master-data/relation-store.ts'
import { isPresentValue, type LegalValues } from '../shared/master-data/value-store.ts'
import { notVisible, type RecordAccess } from '../shared/record-access.ts'
import type { RecordKey } from '../shared/record-type.ts'
import { required } from '../shared/required-field.ts'
import {
  checkReferences,
  checkUnique,
  type ReferenceLookups,
  type References,
  storedReferences,
} from './check-others.ts'
import { checkNewState } from './check-state.ts'
import { draftOf, filterOf, keyColumns, keyFrom, keyOf, recordJson, stampOf } from './record.ts'
import {
  type GivenRecord,
  type LinesKind,
  type RecordDraft,
  type RecordKind,
  type RecordSubject,
  valueAt,
} from './record-kind.ts'
import { addParts, subjectOf } from './record-parts.ts'
import { findRecord, hasRecord, insertRecord, type StoredRecord } from './record-store.ts'

export interface CreatedRecord extends StoredRecord {
  readonly key: RecordKey
}

export interface InsertedRecord extends CreatedRecord {
  /** With the number that its series has given it. */
  readonly draft: RecordDraft
}

export interface RecordLookups extends LegalValues, ReferenceLookups {
  /** False only when the value exists in no period. A promise until the database has answered. */
  mayExist(attributeId: string, attributeValue: string): boolean | Promise<boolean>
  isRecord(kind: RecordRules, key: RecordKey): boolean | Promise<boolean>
  /** False only when a record with this key has no lines. */
  mayHaveLines(lines: LinesKind, key: RecordKey): boolean
}

export function recordLookups(tx: ReadTx): RecordLookups {
  const present = new Map<string, boolean | Promise<boolean>>()
  return {
    ...storedLookups(tx),
    ...storedReferences(tx),
    mayExist: (...key) =>
      askedOnce(
        present,
        JSON.stringify(key),
        () => isPresentValue(tx, ...key),
        () => true,
      ),
    isRecord: (kind, key) => isRecord(tx, kind, key),
    mayHaveLines: () => true,
  }
}

export function isRecord(tx: ReadTx, kind: RecordRules, { stored }: RecordKey): Promise<boolean> {
  return hasRecord(tx, kind.record.document, keyColumns(kind), stored)
}

/** A record to be created, with the findings so far. */
export interface NewRecord extends References {
  readonly subject: RecordSubject | undefined
  readonly access: RecordAccess
  readonly given: GivenRecord
  readonly draft: RecordDraft
  readonly findings: Findings
  /** As of a change. */
  readonly leaving?: readonly RecordKey[]
}

export function readNewRecord(references: References, access: RecordAccess, body: JsonValue | undefined): NewRecord {
  const { kind, company } = references
  const findings = new Findings()
  const given = readRecord(access.schema(kind.schema), body ?? null, findings)
  refuseComputed(kind, access, body, [], findings)
  const draft = draftOf(kind, company, given)
  const subject = subjectOf(kind, company, draft, findings)
  return { ...references, subject, access, given, draft, findings }
}

/** A computed value that is given would say something else than the record does. */
export function refuseComputed(
  { computed }: RecordRules,
  { document }: RecordAccess,
  body: JsonValue | undefined,
  path: FieldPath,
  findings: Findings,
): void {
  const shown = shownIn(computed)(document)
  for (const given of shown.size > 0 && isObject(body) ? Object.keys(body) : []) {
    const name = shown.get(foldName(given))
    if (name !== undefined)
      findings.add([...path, name], 3010, `The field ${capitalised(name)} is computed and cannot be given.`)
  }
}

/** The names of computed properties that a document shows, by their folded ones. */
const shownIn = memo((computed: readonly string[]) =>
  memo(
    ({ properties }: DocumentDefinition): ReadonlyMap<string, string> =>
      new Map(computed.filter((name) => properties[name]).map((name) => [foldName(name), name])),
  ),
)

/** Checks the record and inserts it. If it throws a Problem, only the number series may have changed. */
export type InsertNew = typeof insertNewRecord

export async function insertNewRecord(tx: Tx, lookups: RecordLookups, record: NewRecord): Promise<InsertedRecord> {
  const { access, given, findings } = record
  const known = earlierRelations(tx, lookups, record)
  const relations = known instanceof Promise ? await known : known
  // A caller with a row rule must not learn about values that are not visible records.
  const earlier = access.hasRowRule ? [] : relations
  const asked = checkNewRecord(tx, lookups, record, earlier)
  if (asked) await asked
  if (findings.size > 0) {
    await rejectExisting(tx, record)
    throw access.refusal(withGroupsOf(findings, given), findings)
  }
  if (access.hasRowRule && relations.length > 0) await rejectExistingValue(tx, lookups, record)
  return insertChecked(tx, lookups, record, earlier.length > 0)
}

/**
 * Adds what is wrong with the record to its findings; `earlier`: the relations that its value has. A promise where the
 * database is asked.
 */
export function checkNewRecord(
  tx: ReadTx,
  lookups: RecordLookups,
  record: NewRecord,
  earlier: readonly StoredRelation[] = [],
): Promise<void> | undefined {
  const { company, kind, subject, access, given, draft, findings, leaving = [] } = record
  const change = { given, draft, earlier, stored: undefined, leaving }
  const checkOthers = () => {
    checkNewState(kind, change, findings)
    checkKey(record)
    const refer = () => checkReferences(lookups, record, change, findings)
    return andThen(checkUnique(tx, kind, access, change, findings), refer)
  }
  const asked = kind.check({ values: lookups, company, findings }, subject, change)
  return andThen(asked, checkOthers)
}

/** A finding stands in its group, also if that was not sent. */
function withGroupsOf(findings: Findings, given: GivenRecord): GivenRecord {
  return findings.all.reduce((record, { path }) => {
    const groups = path.slice(0, -1)
    const isMissing = groups.every((name) => typeof name === 'string') && valueAt(record, groups) === undefined
    return isMissing ? withGroup(record, groups) : record
  }, given)
}

function withGroup(record: GivenRecord, [name, ...inner]: readonly string[]): GivenRecord {
  return name === undefined ? record : { ...record, [name]: withGroup((record[name] ?? {}) as GivenRecord, inner) }
}

function earlierRelations(
  tx: ReadTx,
  lookups: RecordLookups,
  { kind, subject, draft }: NewRecord,
): readonly StoredRelation[] | Promise<readonly StoredRelation[]> {
  const [value = ''] = keyOf(kind, draft).texts
  if (!subject || value === '') return []
  const { attributeId } = subject
  const relations = (mayExist: boolean) => (mayExist && kind.hasRelations ? relationsOf(tx, attributeId, value) : [])
  const mayExist = lookups.mayExist(attributeId, value)
  return mayExist instanceof Promise ? mayExist.then(relations) : relations(mayExist)
}

/** Checks the key by the rules of the series that gives it, and of the attribute whose value it is. */
function checkKey(record: NewRecord): void {
  const { kind, subject, draft, findings } = record
  const last = lastOf(kind)
  const isNumbered = isNumberedBySeries(record)
  for (const name of kind.keyNames) {
    const problem = isNumbered && name === last ? undefined : addressProblem(String(draft[name]))
    if (problem !== undefined && !findings.has(name)) findings.add(name, 3010, problem)
  }
  if (findings.has(last)) return
  const value = draft[last]
  if (isNumbered && value !== '') {
    findings.add(last, 1010, `You cannot enter a new ID manually (${kind.words.numberedTitle}).`)
  } else if (!isNumbered && value === '') findings.add(last, 1010, required(last))
  else if (subject && !isNumbered) {
    const problem = subject.attribute.checkValue(String(value))
    if (problem !== undefined) findings.add(last, 3010, problem)
  }
}

/** Whether the series gives the last part of the key. */
export function isNumberedBySeries({ kind, draft }: NewRecord): boolean {
  return takesNumber(kind.numbering, draft[lastOf(kind)], kind.keepsIds)
}

function lastOf({ keyNames }: RecordRules): string {
  return keyNames.at(-1) ?? ''
}

/**
 * A retried POST must get this error and no other (client habits): its own values would fail validation first, and its
 * key too where the rules of that have changed since.
 */
async function rejectExisting(tx: Tx, record: NewRecord): Promise<void> {
  const { kind, access, given, draft, findings } = record
  const isUnread = (name: string) => findings.has(name) && !Object.hasOwn(given, name)
  if (isNumberedBySeries(record) || kind.keyNames.some(isUnread)) return
  const key = keyFrom(kind, keyOf(kind, draft).texts)
  if (!key) return
  const found = await access.find(
    tx,
    () => filterOf(kind, key),
    () => findRecord(tx, kind, key),
  )
  if (found) throw existsAlready(access, kind, given, key)
}

/** Rejects an id that exists as a hidden record as if the new record were hidden. */
async function rejectExistingValue(tx: Tx, lookups: RecordLookups, record: NewRecord): Promise<void> {
  await requireNew(tx, lookups, record, keyOf(record.kind, record.draft))
  throw notVisible()
}

/** Inserts a record that was checked, with a key that may be taken. */
export async function insertChecked(
  tx: Tx,
  lookups: RecordLookups,
  checked: NewRecord,
  hasRelations: boolean,
): Promise<InsertedRecord> {
  const { kind, subject } = checked
  const isNumbered = isNumberedBySeries(checked)
  const draft = isNumbered ? await numberedDraft(tx, lookups, checked) : checked.draft
  const key = keyOf(kind, draft)
  const isTaken = !isNumbered && lookups.isRecord(kind, key)
  if (isTaken === true || (isTaken && (await isTaken))) throw await existing(tx, checked, key)
  if (!subject) return insertFree(tx, checked, draft, key)
  // The number may be that of an existing value of the attribute with relations.
  const hasEarlier = hasRelations || (isNumbered && (await hasNumberRelations(tx, checked, key)))
  const tag = writeValue(tx, lookups, checked, subject, draft, key)
  return logNew(tx, checked, draft, key, tag, hasEarlier)
}

/**
 * Inserts a record that is no value of an attribute, with a key that is free. A promise where only the database can
 * produce its JSON.
 */
export function insertFree(
  tx: Tx,
  checked: NewRecord,
  draft: RecordDraft,
  key: RecordKey,
): InsertedRecord | Promise<InsertedRecord> {
  insertRecord(tx, checked.kind, draft, tx.entryNo)
  return logNew(tx, checked, draft, key, tx.entryNo, false)
}

/** Writes the entry of a record that was inserted; `hasEarlier`: it shows relations that its value had before. */
export function logNew(
  tx: Tx,
  checked: NewRecord,
  draft: RecordDraft,
  key: RecordKey,
  tag: number,
  hasEarlier: boolean,
): InsertedRecord | Promise<InsertedRecord> {
  const { company, kind } = checked
  if (kind.numbering && draft === checked.draft) passId(tx, kind.numbering, String(draft[lastOf(kind)]))
  const log = (created: StoredRecord | undefined): InsertedRecord => {
    if (!created) throw new Error('the record cannot be found after its insertion')
    const { body, change_no } = created
    writeEntry(tx, { entity: kind.journalEntity, key: key.stored, operation: 'create', before: '', after: body })
    return { body, change_no, key, draft }
  }
  const body = hasEarlier ? undefined : recordJson(kind, company, draft, stampOf(tx))
  return body === undefined ? findRecord(tx, kind, key).then(log) : log({ body, change_no: tag })
}

/** Throws 400 for a record with a key that is taken. */
export async function requireNew(tx: Tx, lookups: RecordLookups, record: NewRecord, key: RecordKey): Promise<void> {
  if (await lookups.isRecord(record.kind, key)) throw await existing(tx, record, key)
}

/** The refusal of a record with a key that is taken. */
async function existing(tx: Tx, { kind, access, given }: NewRecord, key: RecordKey) {
  const isVisible = await access.isVisible(tx, filterOf(kind, key))
  return isVisible ? existsAlready(access, kind, given, key) : notVisible()
}

/** Inserts a record that is a value of an attribute, with what belongs to it; returns its tag. */
function writeValue(
  tx: Tx,
  lookups: RecordLookups,
  { company, kind, draft: sent }: NewRecord,
  subject: RecordSubject,
  draft: RecordDraft,
  { texts: [value = ''] }: RecordKey,
): number {
  // A number that a series has just given was not looked up.
  const isAbsent = draft === sent && lookups.mayExist(subject.attributeId, value) === false
  const last = addParts(tx, company, kind, subject, draft, isAbsent)
  const tag = (last ?? tx).entryNo
  insertRecord(tx, kind, draft, tag)
  return tag
}

async function hasNumberRelations(tx: Tx, { kind, subject }: NewRecord, { texts }: RecordKey): Promise<boolean> {
  if (!subject || !kind.hasRelations) return false
  return (await relationsOf(tx, subject.attributeId, texts[0] ?? '')).length > 0
}

/** For a caller with a row rule, the number of a value with relations is not free either. */
function numberedDraft(tx: Tx, lookups: RecordLookups, record: NewRecord): Promise<RecordDraft> {
  const { kind, access, draft } = record
  return takeNumber(tx, record, kind.numbering, draft, lastOf(kind), async (numbered) => {
    const key = keyOf(kind, numbered)
    return (await lookups.isRecord(kind, key)) || (access.hasRowRule && (await hasNumberRelations(tx, record, key)))
  })
}

/** Takes numbers for a member until one is free: records of the series may have been created without it. */
export async function takeNumber<Draft extends object>(
  tx: Tx,
  { access, given }: Pick<NewRecord, 'access' | 'given'>,
  numbering: NumberingRules | undefined,
  draft: Draft,
  member: string,
  isTaken: (numbered: Draft) => Promise<boolean>,
): Promise<Draft> {
  for (;;) {
    const id = numbering && (await takeNextId(tx, numbering))
    if (id === undefined)
      throw access.refusal(given, new Findings().add(member, 1010, 'Auto-numbering series is missing'))
    const numbered = { ...draft, [member]: id }
    if (!(await isTaken(numbered))) return numbered
  }
}

/** The error is 400 on the field, because a deployed client expects exactly that (decision 5). */
function existsAlready(access: RecordAccess, kind: RecordKind, given: GivenRecord, { texts }: RecordKey) {
  const message = `The data was changed or deleted by another user: ${kind.words.record} ${texts.join(' ')} exists already.`
  return access.refusal(given, new Findings().add(lastOf(kind), 3010, message, 400), {
    recordExists: true,
  })
}
