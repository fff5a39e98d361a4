// The lines of a new record that come with it, each a record by the rules of its own document.
import { isObject, type JsonValue } from '../../base/strict-json.ts'
import { foldName } from '../../base/text.ts'
import { notAuthorised } from '../../errors/catalogue.ts'
import { Findings } from '../../errors/findings.ts'
import { readStored } from '../../model/fill-record.ts'
import { readRecord } from '../../model/read-record.ts'
import { list, record as recordSchema } from '../../model/schema.ts'
import { isEmptyValue } from '../../setup/rules/own-field-rules.ts'
import type { Tx } from '../../store/store.ts'
import type { RecordAccess } from '../shared/record-access.ts'
import type { References } from './check-others.ts'
import {
  type CreatedRecord,
  checkNewRecord,
  insertNewRecord,
  type NewRecord,
  type RecordLookups,
  refuseComputed,
} from './insert-record.ts'
import { accessTo } from './kind-access.ts'
import { draftOf, filterOf, keyOf } from './record.ts'
import { type GivenRecord, type LinesKind, type RecordDraft, valueAt } from './record-kind.ts'
import { lineSchema } from './shown-lines.ts'

interface NewLines {
  readonly lines: LinesKind
  readonly access: RecordAccess
  readonly items: readonly GivenRecord[]
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
    const given = readRecord(recordSchema({ [name]: list(schema) }), body ?? null, findings)
    const items = given[name] ?? []
    for (const [at, item] of sentLines(body, name).entries()) {
      if (mayCreate) refuseComputed(rules, own, item, [name, at], findings)
    }
    if (items.length > 0 && !mayCreate) throw notAuthorised(`no role of the caller creates records of ${document}`)
    if (given[name] !== undefined) sent[name] = items
    all.push({ lines, access: own, items })
  }
  return { record: { ...record, given: { ...record.given, ...sent } }, lines: all }
}

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
): Promise<void> {
  for (const { lines, access, items } of all) {
    const keys = new Set<string>()
    for (const [at, item] of items.entries()) {
      const line = lineOf(record, record.draft, lines, access, item)
      addRepeated(line, keys)
      await checkNewLine(tx, lookups, record, line)
      addFindings(record.findings, record, lines, at, line)
    }
  }
}

/** By the rules of its document. */
export async function checkNewLine(tx: Tx, lookups: RecordLookups, record: References, line: NewRecord): Promise<void> {
  await checkNewRecord(tx, lookups, withoutOwner(record, line))
}

/** That its record is there is known; it may be closed, as one from another system may be. */
function withoutOwner({ kind: owner }: References, line: NewRecord): NewRecord {
  const references = line.kind.references.filter(({ document }) => document !== owner.name)
  return { ...line, kind: { ...line.kind, references } }
}

/** Adds what is found of a line at its place; what it has of its record, is told of that. */
export function addFindings(
  findings: Findings,
  record: References,
  lines: LinesKind,
  at: number,
  { findings: found, access, given }: Pick<NewRecord, 'findings' | 'access' | 'given'>,
): void {
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
export function addRepeated({ kind, draft, findings }: NewRecord, keys: Set<string>): void {
  const { texts } = keyOf(kind, draft)
  const last = kind.keyNames.at(-1) ?? ''
  const key = JSON.stringify(texts)
  if (keys.has(key) && !(kind.numbering && draft[last] === ''))
    findings.add(last, 3010, `${texts.at(-1)} is there twice`)
  keys.add(key)
  // The lines before are not stored yet, where unique values are looked up.
  for (const { path, type } of kind.checks.filter(({ unique }) => unique)) {
    const value = valueAt(draft, path)
    const named = JSON.stringify([path, value])
    if (!isEmptyValue(type, value) && keys.has(named)) findings.add(path, 3010, `${String(value)} is there twice`)
    keys.add(named)
  }
}

/** Inserts the lines behind their record, each with an entry of its own in the change log. */
export async function insertLines(
  tx: Tx,
  lookups: RecordLookups,
  record: NewRecord,
  created: CreatedRecord,
  all: readonly NewLines[],
): Promise<void> {
  const draft = readStored(record.kind.schema, created.body)
  for (const { lines, access, items } of all) {
    for (const item of items) {
      const entry = await tx.nextEntry()
      const line = withoutOwner(record, lineOf(record, draft, lines, access, item))
      const { key } = await insertNewRecord(entry, lookups, line)
      await access.requireVisible(entry, filterOf(lines.rules, key))
    }
  }
}

/** The names of what a line has of its record, in the order of the key of that. */
export function namesOfRecord({ kind }: References, { rules }: LinesKind): readonly string[] {
  return rules.keyNames.slice(0, kind.keyNames.length)
}

export function lineOf(
  record: References,
  ofRecord: RecordDraft,
  lines: LinesKind,
  access: RecordAccess,
  item: GivenRecord,
): NewRecord {
  const { company, caller, documents, kind: owner } = record
  const kind = lines.rules
  const key = namesOfRecord(record, lines).map((name, at) => [name, ofRecord[owner.keyNames[at] ?? '']])
  const given = { ...item, ...Object.fromEntries(key) }
  const draft = draftOf(kind, company, given)
  return { kind, company, caller, documents, subject: undefined, access, given, draft, findings: new Findings() }
}
