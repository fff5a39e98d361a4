// The lines of a new record that come with it, each a record by the rules of its own document.
import type { TObject } from 'typebox'
import { memo } from '../../base/memo.ts'
import { isObject, type JsonValue } from '../../base/strict-json.ts'
import { foldName } from '../../base/text.ts'
import { notAuthorised } from '../../errors/catalogue.ts'
import { Findings } from '../../errors/findings.ts'
import { readRecord } from '../../model/read-record.ts'
import { record as recordSchema } from '../../model/schema.ts'
import { isEmptyValue } from '../../setup/rules/declared-field-rules.ts'
import type { Tx } from '../../store/store.ts'
import type { RecordAccess } from '../shared/record-access.ts'
import type { RecordKey } from '../shared/record-type.ts'
import { type References, uniqueFields } from './check-others.ts'
import {
  checkNewRecord,
  type InsertedRecord,
  insertChecked,
  insertFree,
  isNumberedBySeries,
  type NewRecord,
  type RecordLookups,
  refuseComputed,
  requireNew,
} from './insert-record.ts'
import { accessTo } from './kind-access.ts'
import { draftOf, filterOf, keyOf } from './record.ts'
import { type GivenRecord, type LinesKind, type RecordDraft, type RecordKind, valueAt } from './record-kind.ts'
import { findLines } from './record-store.ts'
import { lineSchema, listOfLines } from './shown-lines.ts'

interface NewLines {
  readonly lines: LinesKind
  readonly access: RecordAccess
  readonly items: readonly GivenRecord[]
}

interface CheckedLines extends NewLines {
  readonly records: readonly NewRecord[]
}

export interface RecordWithLines {
  readonly record: NewRecord
  readonly lines: readonly NewLines[]
}

/** The record as it was sent, and its lines. Throws 403 for lines that the caller may not create. */
export function readLines(record: NewRecord, body: JsonValue | undefined): RecordWithLines {
  const { kind, company, caller, access, findings } = record
  const all: NewLines[] = []
  const sent: Record<string, unknown> = {}
  for (const lines of kind.lines) {
    const { name, document, rules } = lines
    if (access.hides([name])) continue
    const mayCreate = caller.may(company.id, `${document}:create`)
    const own = mayCreate ? accessTo(rules, caller, company, 'create') : access
    const schema = mayCreate ? own.schema(lineSchema(lines)) : lineSchema(lines)
    const given = readRecord(bodyWith(lines)(schema), body ?? null, findings) as Record<string, unknown>
    const items = (given[name] ?? []) as GivenRecord[]
    if (mayCreate && rules.computed.length > 0)
      for (const [at, item] of sentLines(body, name).entries()) refuseComputed(rules, own, item, [name, at], findings)
    if (items.length > 0 && !mayCreate) throw notAuthorised(`no role of the caller creates records of ${document}`)
    if (given[name] !== undefined) sent[name] = items
    all.push({ lines, access: own, items })
  }
  return { record: { ...record, given: { ...record.given, ...sent } }, lines: all }
}

/** The schema of a body of lines alone, each of a schema. */
const bodyWith = memo(({ name }: LinesKind) => memo((line: TObject) => recordSchema({ [name]: listOfLines(line) })))

function sentLines(body: JsonValue | undefined, name: string): readonly JsonValue[] {
  const [, sent] =
    Object.entries(isObject(body) ? body : {}).find(([given]) => foldName(given) === foldName(name)) ?? []
  return Array.isArray(sent) ? sent : []
}

/** Adds what is wrong with the lines to the findings of their record, each with its place. */
export async function checkLines(
  tx: Tx,
  lookups: RecordLookups,
  record: NewRecord,
  all: readonly NewLines[],
): Promise<readonly CheckedLines[]> {
  const checked: CheckedLines[] = []
  for (const { lines, access, items } of all) {
    const keys = new Set<string>()
    const ofRecord = keyOfRecord(record, lines, record.draft)
    const kind = besideOwner(lines)(record.kind)
    const records = items.map((item) => lineOf(record, ofRecord, kind, access, item))
    for (const line of records) addRepeated(line, keys)
    const asked = records.map((line) => checkNewRecord(tx, lookups, line)).filter((one) => one !== undefined)
    if (asked.length > 0) await allOf(asked)
    for (const [at, line] of records.entries()) addFindings(record.findings, record, lines, at, line)
    checked.push({ lines, access, items, records })
  }
  return checked
}

/** Waits for all, so that nothing is asked in a transaction that has ended; throws the first error. */
async function allOf(asked: readonly Promise<void>[]): Promise<void> {
  for (const outcome of await Promise.allSettled(asked)) if (outcome.status === 'rejected') throw outcome.reason
}

/** By the rules of its document. */
export function checkNewLine(
  tx: Tx,
  lookups: RecordLookups,
  { kind: owner }: References,
  lines: LinesKind,
  line: NewRecord,
): Promise<void> | undefined {
  return checkNewRecord(tx, lookups, { ...line, kind: besideOwner(lines)(owner) })
}

/**
 * The kind of lines that are written with their record: that it is there is known, it may be closed, as one from
 * another system may be, and it is told once.
 */
export const besideOwner = memo(({ rules }: LinesKind) =>
  memo(({ name }: RecordKind): RecordKind => {
    const references = rules.references.filter(({ document }) => document !== name)
    return { ...rules, references, owner: undefined }
  }),
)

/** Adds what is found of a line at its place; what it has of its record, is told of that. */
export function addFindings(
  findings: Findings,
  record: References,
  lines: LinesKind,
  at: number,
  { findings: found, access, given }: Pick<NewRecord, 'findings' | 'access' | 'given'>,
): void {
  if (found.size === 0) return
  const names = namesOfRecord(record, lines)
  const placed = found.all
    .filter(({ path: [first = ''] }) => !names.includes(String(first)))
    .map((finding) => ({ ...finding, inLine: finding.path, path: [lines.name, at, ...finding.path] }))
    .filter(({ path }) => !findings.has(path))
  const visible = placed.filter(({ inLine }) => !access.hides(inLine))
  if (placed.length > 0 && visible.length === 0) throw access.refusal(given, found)
  for (const { inLine: _inLine, ...finding } of visible) findings.all.push(finding)
}

/** Two lines of a request with the same key, or a value that is unique. */
export function addRepeated(line: NewRecord, keys: Set<string>): void {
  const { kind, draft, findings } = line
  const { texts } = keyOf(kind, draft)
  const last = kind.keyNames.at(-1) ?? ''
  const key = JSON.stringify(texts)
  if (keys.has(key) && !(kind.numbering && draft[last] === ''))
    findings.add(last, 3010, `${texts.at(-1)} is there twice`)
  keys.add(key)
  addRepeatedValues(line, keys)
}

/** The lines before are not stored yet, where unique values are looked up. */
export function addRepeatedValues(
  { kind, draft, findings }: Pick<NewRecord, 'kind' | 'draft' | 'findings'>,
  keys: Set<string>,
): void {
  for (const { path, type } of uniqueFields(kind.checks)) {
    const value = valueAt(draft, path)
    const named = JSON.stringify([path, value])
    if (!isEmptyValue(type, value) && keys.has(named)) findings.add(path, 3010, `${String(value)} is there twice`)
    keys.add(named)
  }
}

/**
 * Throws 400 for a line that is stored already, from before lines had to have a record. It is asked before the record
 * is written: a row that is rejected leaves nothing behind.
 */
export async function requireNewLines(
  tx: Tx,
  lookups: RecordLookups,
  record: NewRecord,
  all: readonly CheckedLines[],
): Promise<void> {
  if (isNumberedBySeries(record)) return
  const key = keyOf(record.kind, record.draft)
  for (const { lines, records } of all) {
    if (records.length === 0 || !lookups.mayHaveLines(lines, key)) continue
    const stored = await findLines(tx, lines.rules, key, undefined)
    // That the record itself exists is told first.
    if (stored.length === 0 || (await lookups.isRecord(record.kind, key))) continue
    for (const line of records) await requireNew(tx, lookups, line, keyOf(line.kind, line.draft))
  }
}

/**
 * Inserts lines behind their record, each with an entry of its own in the change log. They were checked, and are new
 * but where a series has just given the record its number.
 */
export async function insertLines(
  tx: Tx,
  lookups: RecordLookups,
  record: NewRecord,
  { key, draft }: InsertedRecord,
  all: readonly CheckedLines[],
): Promise<void> {
  for (const { lines, access, records } of all) {
    if (records.length === 0) continue
    const isNumbered = draft !== record.draft
    const ofRecord = isNumbered ? keyOfRecord(record, lines, draft) : undefined
    const isFree = !isNumbered || (await findLines(tx, lines.rules, key, undefined)).length === 0
    const inserted: RecordKey[] = []
    let entry = tx
    for (const line of records) {
      entry = tx.nextEntry()
      const whole = ofRecord ? { ...line, draft: { ...line.draft, ...ofRecord } } : line
      const one =
        isFree && !isNumberedBySeries(whole)
          ? insertFree(entry, whole, whole.draft, keyOf(whole.kind, whole.draft))
          : insertChecked(entry, lookups, whole, false)
      inserted.push((one instanceof Promise ? await one : one).key)
    }
    for (const one of access.hasRowRule ? inserted : []) await access.requireVisible(entry, filterOf(lines.rules, one))
  }
}

/** What a line has of its record. */
export function keyOfRecord({ kind: owner }: References, lines: LinesKind, ofRecord: RecordDraft): GivenRecord {
  const names = namesOfRecord({ kind: owner }, lines)
  return Object.fromEntries(names.map((name, at) => [name, ofRecord[owner.keyNames[at] ?? '']]))
}

/** The names of what a line has of its record, in the order of the key of that. */
export function namesOfRecord({ kind }: Pick<References, 'kind'>, { rules }: LinesKind): readonly string[] {
  return rules.keyNames.slice(0, kind.keyNames.length)
}

/** `ofRecord`: what the line has of its record. */
export function lineOf(
  { company, caller, documents }: References,
  ofRecord: GivenRecord,
  kind: RecordKind,
  access: RecordAccess,
  item: GivenRecord,
): NewRecord {
  const given = { ...item, ...ofRecord }
  const draft = draftOf(kind, company, given)
  return { kind, company, caller, documents, subject: undefined, access, given, draft, findings: new Findings() }
}
