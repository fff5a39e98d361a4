// How single records of a kind are read, changed, and closed or removed.
import { isDeepStrictEqual } from 'node:util'
import type { Caller } from '../../access/caller.ts'
import { andThen } from '../../base/in-turn.ts'
import { memo } from '../../base/memo.ts'
import { joinedObjects } from '../../base/text.ts'
import { conflict } from '../../errors/catalogue.ts'
import { Findings } from '../../errors/findings.ts'
import { MAX_LINES } from '../../model/document.ts'
import { readStored, withDefaults } from '../../model/fill-record.ts'
import type { Fields } from '../../model/record-fields.ts'
import { type PatchRule, patchRules } from '../../patch/rules.ts'
import type { ClosedState } from '../../setup/rules/declared-fields.ts'
import type { RecordRules } from '../../setup/rules/record-rules.ts'
import type { CompanyRules } from '../../setup/rules/rules.ts'
import { writeEntry } from '../../store/journal/journal.ts'
import type { ReadTx, Tx } from '../../store/store.ts'
import type { Reading } from '../../store/table-versions.ts'
import { withLinesChanged } from '../shared/lines-changed.ts'
import { storedLookups } from '../shared/master-data/lookups.ts'
import { areRelationsMoved } from '../shared/master-data/related-value.ts'
import type { RecordAccess } from '../shared/record-access.ts'
import type { RecordKey, RecordOperation, RecordPatch, RecordType, TargetRecord } from '../shared/record-type.ts'
import type { DeclaredRecords } from '../shared/service.ts'
import { checkLineChanges, lineChanges, saveLineChanges } from './change-lines.ts'
import { changeOwner, entryOfLine } from './change-owner.ts'
import { checkReferences, checkUnique, fieldAt, storedReferences } from './check-others.ts'
import { checkState, requireUnlockedOwner } from './check-state.ts'
import { besideOwner } from './create-lines.ts'
import { accessTo, answered, asWhole } from './kind-access.ts'
import { draftOf, filterOf, keyFrom, notFound, recordJson, stampOf, withNamedRelations } from './record.ts'
import {
  type GivenRecord,
  type LinesKind,
  type RecordDraft,
  type RecordKind,
  valueAt,
  withValueAt,
} from './record-kind.ts'
import { closeValue, journalRangesOf, saveParts, subjectOf } from './record-parts.ts'
import {
  findLines,
  findRecord,
  findWhole,
  hasMembers,
  removeRow,
  type StoredRecord,
  statementsOf,
  updateRecord,
} from './record-store.ts'
import { linesSeen, withLinesSeen } from './shown-lines.ts'

/** The records of a kind, for one caller. */
export class KindRecords implements RecordType<StoredRecord, RecordDraft> {
  readonly kind: RecordKind
  readonly #caller: Caller
  readonly #documents: DeclaredRecords

  constructor(kind: RecordKind, caller: Caller, documents: DeclaredRecords) {
    this.kind = kind
    this.#caller = caller
    this.#documents = documents
  }

  access(caller: Caller, company: CompanyRules, operation: RecordOperation) {
    return accessTo(this.kind, caller, company, operation)
  }

  keyOf(company: CompanyRules, texts: readonly string[]): RecordKey {
    this.kind.requireAddress?.(company, texts)
    const key = keyFrom(this.kind, texts)
    if (!key) throw notFound(this.kind, company, texts)
    return key
  }

  filterOf(key: RecordKey) {
    return filterOf(this.kind, key)
  }

  find(tx: ReadTx, _company: CompanyRules, key: RecordKey, { document }: RecordAccess) {
    const { kind } = this
    return hasMembers(kind) ? findWhole(tx, kind, key, document) : findRecord(tx, kind, key)
  }

  notFound(company: CompanyRules, texts: readonly string[]) {
    return notFound(this.kind, company, texts)
  }

  redacted(access: RecordAccess, found: StoredRecord): StoredRecord {
    return answered(access, found)
  }

  readings({ document }: RecordAccess): readonly Reading[] {
    const statements = statementsOf(this.kind)
    return [hasMembers(this.kind) ? statements.findWhole(document) : statements.find]
  }

  journalRanges(key: RecordKey) {
    return journalRangesOf(this.kind, key)
  }

  schema(_company: CompanyRules, access: RecordAccess) {
    return withLinesSeen(this.kind, access)
  }

  get patchRules(): readonly PatchRule[] {
    const { record, lines } = this.kind
    const rules = patchRulesOf(record.fields)
    return lines.length === 0 ? rules : [...rules, ...lines.flatMap(({ name }) => rulesOfLines(name))]
  }

  patchStatus(): 400 | 422 {
    return this.kind.patchStatus ?? 400
  }

  stored(_company: CompanyRules, { body, members = '{}' }: StoredRecord, access: RecordAccess): RecordDraft {
    return readStored(withLinesSeen(this.kind, access), joinedObjects(body, members))
  }

  draftOf(company: CompanyRules, given: object, access: RecordAccess): RecordDraft {
    const draft = withNamedRelations(this.kind, company, draftOf(this.kind, company, given as GivenRecord))
    return this.kind.lines.length === 0 ? draft : { ...draft, ...withDefaults(linesSeen(this.kind, access), given) }
  }

  async check(patch: RecordPatch<StoredRecord, RecordDraft>) {
    const { tx, company, access, key, stored, given, draft } = patch
    const { kind } = this
    const findings = new Findings()
    const change = { given: given as GivenRecord, draft, stored, earlier: [] }
    const subject = subjectOf(kind, company, draft, findings)
    const asked = kind.check({ values: storedLookups(tx), company, findings }, subject, change)
    if (asked) await asked
    if (kind.checkOthers) await kind.checkOthers(tx, access, change, findings)
    const references = { kind, company, caller: this.#caller, documents: this.#documents }
    const others = andThen(checkUnique(tx, kind, access, change, findings), () =>
      checkReferences(storedReferences(tx), references, change, findings),
    )
    if (others) await others
    let refusal = kind.state?.machine ? await checkState(tx, references, change, key, findings) : undefined
    for (const changes of lineChanges(kind, patch))
      refusal = (await checkLineChanges(tx, references, patch, changes, findings)) ?? refusal
    if (findings.size > 0) throw access.refusal(draft, findings)
    if (refusal) throw refusal
    if (kind.owner && !isDeepStrictEqual(stored, draft)) await requireUnlockedOwner(tx, references, key)
    return draft
  }

  async save(patch: RecordPatch<StoredRecord, RecordDraft>) {
    const { tx, company, access, key, found, stored, draft } = patch
    const { kind } = this
    const changes = lineChanges(kind, patch)
    const names = changes.map(({ lines }) => lines.name)
    const entry = entryOfLine(tx, kind)
    const after = await this.#write(entry, company, key, { stored, draft })
    this.#journal(entry, key, 'update', withLinesChanged(found.body, names), after.body)
    if (kind.owner) await changeOwner(tx, company, kind, key)
    const references = { kind, company, caller: this.#caller, documents: this.#documents }
    const typeOf = (lines: RecordKind) => new KindRecords(lines, this.#caller, this.#documents)
    for (const one of changes) await saveLineChanges(tx, references, patch, one, typeOf)
    return asWhole(tx, kind, access, key, after)
  }

  requireRemovable({ tx, company, key }: TargetRecord<StoredRecord>): Promise<void> {
    this.kind.requireRemovable?.(company, key)
    return requireUnlockedOwner(tx, { kind: this.kind, company, documents: this.#documents }, key)
  }

  /** Closes the record where the setup names a state for that, and else removes it; its lines before it. */
  async remove(target: TargetRecord<StoredRecord>): Promise<void> {
    const { tx, company, access, key, found } = target
    const { kind } = this
    const stored = this.stored(company, found, access)
    if (kind.state && valueAt(stored, kind.state.path) === kind.state.closed) return
    for (const lines of kind.lines) await this.#removeLines(target, lines)
    const entry = entryOfLine(tx, kind)
    let after = ''
    if (kind.state) {
      const draft = withValueAt(stored, kind.state.path, kind.state.closed)
      after = (await this.#write(entry, company, key, { stored, draft })).body
    } else {
      const subject = subjectOf(kind, company, stored)
      removeRow(entry, kind, key)
      if (subject) closeValue(entry, kind, subject, stored)
    }
    this.#journal(entry, key, 'delete', found.body, after)
    await changeOwner(tx, company, kind, key)
  }

  /** Lines that cannot be closed themselves stay with a closed record. */
  async #removeLines(target: TargetRecord<StoredRecord>, lines: LinesKind): Promise<void> {
    const { tx, company, access, key } = target
    const { name, rules, isCascaded } = lines
    const isClosing = this.kind.state !== undefined
    if (isClosing && isCascaded && !rules.state) return
    const keys = await findLines(tx, rules, key, isClosing ? closedStateOf(rules) : undefined)
    if (keys.length === 0) return
    const record = `${this.kind.words.record} ${key.texts.join(' ')}`
    if (!isCascaded) throw conflict(`${record} has ${name}: remove them first.`)
    if (keys.length > MAX_LINES) throw conflict(`${record} has more than ${MAX_LINES} ${name}: remove some first.`)
    const type = new KindRecords(besideOwner(lines)(this.kind), this.#caller, this.#documents)
    for (const one of keys) {
      const entry = tx.nextEntry()
      const found = await findRecord(entry, rules, one)
      if (found) await type.remove({ tx: entry, company, access, key: one, found })
    }
  }

  async #write(
    tx: Tx,
    company: CompanyRules,
    key: RecordKey,
    { stored, draft }: { readonly stored: RecordDraft; readonly draft: RecordDraft },
  ): Promise<StoredRecord> {
    const { kind } = this
    const subject = subjectOf(kind, company, draft)
    updateRecord(tx, kind, stored, draft)
    const saving = subject && saveParts(tx, company, kind, subject, { stored, draft })
    const tag = saving && (await saving)
    const isMoved = kind.hasRelations && areRelationsMoved(stored, draft)
    const body = isMoved ? undefined : recordJson(kind, company, draft, stampOf(tx))
    const after = body === undefined ? await findRecord(tx, kind, key) : { body, change_no: tag ?? tx.entryNo }
    if (!after) throw new Error('the record cannot be found after its update')
    return after
  }

  #journal(tx: Tx, { stored: key }: RecordKey, operation: 'update' | 'delete', before: string, after: string) {
    writeEntry(tx, { entity: this.kind.journalEntity, key, operation, before, after })
  }
}

function closedStateOf({ state, checks }: RecordRules): ClosedState | undefined {
  const field = state && fieldAt(checks, state.path)
  return field && { column: field.column, value: state.closed }
}

const patchRulesOf = memo((fields: Fields) => patchRules(fields))

function rulesOfLines(name: string): PatchRule[] {
  return [
    { path: `/${name}` },
    { path: `/${name}/-`, ops: ['add'] },
    { path: `/${name}/*`, ops: ['replace', 'remove'] },
    { path: `/${name}/*/**` },
  ]
}
