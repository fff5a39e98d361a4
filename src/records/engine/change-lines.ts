// Lines that change with their record: a patch of the record adds, changes and removes them.
import { isDeepStrictEqual } from 'node:util'
import { notAuthorised } from '../../errors/catalogue.ts'
import { Findings } from '../../errors/findings.ts'
import type { Problem } from '../../errors/problem.ts'
import { MAX_LINES } from '../../model/document.ts'
import { readStored } from '../../model/fill-record.ts'
import type { Tx } from '../../store/store.ts'
import type { RecordKey, RecordOperation, RecordPatch, RecordType } from '../shared/record-type.ts'
import { checkReferences, checkUnique, type References } from './check-others.ts'
import { checkState } from './check-state.ts'
import {
  addFindings,
  addRepeated,
  addRepeatedValues,
  besideOwner,
  checkNewLine,
  keyOfRecord,
  lineOf,
  namesOfRecord,
} from './create-lines.ts'
import { insertNewRecord, recordLookups } from './insert-record.ts'
import { accessTo } from './kind-access.ts'
import { draftOf, filterOf, keyOf } from './record.ts'
import type { GivenRecord, LinesKind, RecordDraft, RecordKind } from './record-kind.ts'
import { findLines, findRecord, type StoredRecord } from './record-store.ts'

type Patch = RecordPatch<StoredRecord, RecordDraft>

interface ChangedLine {
  /** Its place among the lines that the patch leaves. */
  readonly at: number
  readonly item: GivenRecord
  /** Undefined for a new line. */
  readonly key: RecordKey | undefined
}

/** What a patch changes of the lines of a record. */
interface LineChanges {
  readonly lines: LinesKind
  /** How many there were. */
  readonly count: number
  /** The keys of those that stay. */
  readonly kept: readonly RecordKey[]
  readonly changed: readonly ChangedLine[]
  readonly removed: readonly RecordKey[]
}

export function lineChanges(
  kind: RecordKind,
  { stored, draft, given }: Pick<Patch, 'stored' | 'draft' | 'given'>,
): LineChanges[] {
  return kind.lines.flatMap((lines): LineChanges[] => {
    const [before = [], after = [], sent = []] = [stored, draft, given as GivenRecord].map(
      (record) => (record[lines.name] ?? []) as GivenRecord[],
    )
    if (isDeepStrictEqual(before, after)) return []
    const names = lines.rules.keyNames.slice(0, kind.keyNames.length)
    const ofRecord = Object.fromEntries(names.map((name, at) => [name, stored[kind.keyNames[at] ?? '']]))
    const keyIn = (item: GivenRecord) => keyOf(lines.rules, { ...item, ...ofRecord })
    const known = new Map(before.map((item) => [JSON.stringify(keyIn(item).stored), item]))
    const left = new Set<string>()
    const changed = after.flatMap((item, at): ChangedLine[] => {
      const key = keyIn(item)
      const name = JSON.stringify(key.stored)
      const old = left.has(name) ? undefined : known.get(name)
      left.add(name)
      if (old && isDeepStrictEqual(old, item)) return []
      // As it was sent: what a line needs has to be given, even if it is what an absent member is filled with.
      return [{ at, item: sent[at] ?? item, key: old && key }]
    })
    const { kept = [], removed = [] } = Object.groupBy(before.map(keyIn), ({ stored: key }) =>
      left.has(JSON.stringify(key)) ? 'kept' : 'removed',
    )
    return [{ lines, count: before.length, kept, changed, removed }]
  })
}

/**
 * Adds what is wrong with the changed lines, each at its place; returns the refusal of what the state of one does not
 * allow. Throws 403 for what the caller may not do to lines.
 */
export async function checkLineChanges(
  tx: Tx,
  references: References,
  patch: Patch,
  { lines, count, kept, changed, removed }: LineChanges,
  findings: Findings,
): Promise<Problem | undefined> {
  // No more are answered, and a patch is of those that are.
  if (count === MAX_LINES && (await findLines(tx, lines.rules, patch.key, undefined)).length > MAX_LINES) {
    findings.add(lines.name, 3010, `There are more than ${MAX_LINES} ${lines.name}: change them in ${lines.document}`)
    return undefined
  }
  if (removed.length > 0) requireRight(references, lines, 'delete')
  let refusal: Problem | undefined
  // Those that are closed stay, with what they hold.
  const leaving = lines.rules.state ? [] : removed
  const keys = new Set(kept.map(({ texts }) => JSON.stringify(texts)))
  for (const { at, item, key } of changed) {
    if (key) {
      const { access, given, draft, stored } = await changedLine(tx, references, lines, item, key)
      const found = new Findings()
      const change = { given, draft, stored, earlier: [], leaving }
      addRepeatedValues({ kind: lines.rules, draft, findings: found }, keys)
      const own = { ...references, kind: lines.rules }
      await lines.rules.check(
        { values: recordLookups(tx), company: references.company, findings: found },
        undefined,
        change,
      )
      await checkUnique(tx, lines.rules, access, change, found)
      await checkReferences(recordLookups(tx), own, change, found)
      refusal = (await checkState(tx, own, change, key, found)) ?? refusal
      addFindings(findings, references, lines, at, { findings: found, access, given })
    } else {
      const line = { ...newLine(references, patch, lines, item), leaving }
      addRepeated(line, keys)
      await checkNewLine(tx, recordLookups(tx), references, lines, line)
      addFindings(findings, references, lines, at, line)
    }
  }
  return refusal
}

export async function saveLineChanges(
  tx: Tx,
  references: References,
  patch: Patch,
  { lines, changed, removed }: LineChanges,
  typeOf: (kind: RecordKind) => Pick<RecordType<StoredRecord, RecordDraft>, 'save' | 'remove'>,
): Promise<void> {
  const { company } = references
  const kind = besideOwner(lines)(references.kind)
  const type = typeOf(kind)
  for (const key of removed) {
    const entry = tx.nextEntry()
    const access = requireRight(references, lines, 'delete')
    const found = await findRecord(entry, kind, key)
    if (found) await type.remove({ tx: entry, company, access, key, found })
  }
  for (const { item, key } of changed) {
    const entry = tx.nextEntry()
    if (key) {
      const line = await changedLine(entry, references, lines, item, key)
      await type.save({ tx: entry, company, key, ...line })
      await line.access.requireVisible(entry, filterOf(kind, key))
    } else {
      const line = newLine(references, patch, lines, item)
      const created = await insertNewRecord(entry, recordLookups(entry), line)
      await line.access.requireVisible(entry, filterOf(kind, created.key))
    }
  }
}

function newLine(references: References, { stored }: Patch, lines: LinesKind, item: GivenRecord) {
  const ofRecord = keyOfRecord(references, lines, stored)
  return lineOf(references, ofRecord, lines.rules, requireRight(references, lines, 'create'), item)
}

/** The line as it is kept, and as the patch of its record leaves it: with what the caller does not see of it. */
async function changedLine(tx: Tx, references: References, lines: LinesKind, item: GivenRecord, key: RecordKey) {
  const kind = lines.rules
  const access = requireRight(references, lines, 'update')
  const found = await findRecord(tx, kind, key)
  if (!found) throw new Error('a line was removed while its record was locked')
  const stored = readStored(kind.schema, found.body) as RecordDraft
  const kept = [...namesOfRecord(references, lines), 'lastUpdated'].map((name) => [name, stored[name]])
  const given = access.restoreHidden({ ...item, ...Object.fromEntries(kept) }, stored)
  return { access, found, stored, given, draft: draftOf(kind, references.company, given) }
}

function requireRight({ caller, company }: References, { document, rules }: LinesKind, operation: RecordOperation) {
  if (!caller.may(company.id, `${document}:${operation}`))
    throw notAuthorised(`no role of the caller has ${document}:${operation}`)
  return accessTo(rules, caller, company, operation)
}
