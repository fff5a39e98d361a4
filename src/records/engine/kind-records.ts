// How single records of a kind are read, changed, and closed or removed.
import { isDeepStrictEqual } from 'node:util'
import type { Caller } from '../../access/caller.ts'
import { joinedObjects } from '../../base/text.ts'
import { conflict } from '../../errors/catalogue.ts'
import { Findings } from '../../errors/findings.ts'
import { readStored } from '../../model/fill-record.ts'
import type { Fields } from '../../model/record-fields.ts'
import { type PatchRule, patchRules } from '../../patch/rules.ts'
import type { ClosedState } from '../../setup/rules/own-fields.ts'
import type { RecordRules } from '../../setup/rules/record-rules.ts'
import type { CompanyRules } from '../../setup/rules/rules.ts'
import { writeEntry } from '../../store/journal/journal.ts'
import type { ReadTx, Tx } from '../../store/store.ts'
import { storedLookups } from '../shared/master-data/lookups.ts'
import { saveParts } from '../shared/master-data/record-parts.ts'
import { areRelationsChanged } from '../shared/master-data/related-value.ts'
import { accessWithLines, type RecordAccess, recordAccess } from '../shared/record-access.ts'
import type { RecordPatch, RecordType, TargetRecord } from '../shared/record-type.ts'
import type { OwnDocuments } from '../shared/service.ts'
import { checkReferences, checkUnique } from './check-others.ts'
import { draftOf, filterOf, keyFrom, notFound, recordJson, withNamedRelations } from './record.ts'
import {
  type GivenRecord,
  type LinesKind,
  type RecordDraft,
  type RecordKey,
  type RecordKind,
  valueAt,
  withValueAt,
} from './record-kind.ts'
import { closeValue, journalRangesOf, partsOf, subjectOf } from './record-parts.ts'
import {
  findLines,
  findRecord,
  findWithLines,
  MAX_LINES,
  removeRow,
  type StoredRecord,
  statementsOf,
  updateRecord,
} from './record-store.ts'

type Operation = 'create' | 'read' | 'update' | 'delete'

/** The caller's access to single records of a document for an operation. */
export function accessTo(
  { name, document, lines }: Pick<RecordKind, 'name' | 'document' | 'lines'>,
  caller: Caller,
  company: CompanyRules,
  operation: Operation,
) {
  const permission = `${name}:${operation}` as const
  if (lines.length === 0) return recordAccess(caller, company, permission, document)
  return accessWithLines(
    caller,
    company,
    permission,
    document,
    lines.map((one) => one.document),
  )
}

/** The record that was just written, with the lines that the caller sees of it. */
export async function withLines<Written extends StoredRecord>(
  tx: ReadTx,
  kind: RecordKind,
  { document }: RecordAccess,
  key: RecordKey,
  written: Written,
): Promise<Written> {
  return kind.lines.length === 0 ? written : { ...written, ...(await findWithLines(tx, kind, key, document)) }
}

/** The record as the caller is answered: without hidden members, and with its lines. */
export function answered(access: RecordAccess, { lines = '{}', ...found }: StoredRecord): StoredRecord {
  const record = access.redactBody(found)
  return { ...record, body: joinedObjects(record.body, lines) }
}

/** The records of a kind, for one caller. */
export class KindRecords implements RecordType<readonly string[], RecordKey, StoredRecord, RecordDraft> {
  readonly kind: RecordKind
  readonly #caller: Caller
  readonly #documents: OwnDocuments

  constructor(kind: RecordKind, caller: Caller, documents: OwnDocuments) {
    this.kind = kind
    this.#caller = caller
    this.#documents = documents
  }

  access(caller: Caller, company: CompanyRules, operation: Operation) {
    return accessTo(this.kind, caller, company, operation)
  }

  keyOf(company: CompanyRules, texts: readonly string[]): RecordKey {
    const key = keyFrom(this.kind, texts)
    if (!key) throw notFound(this.kind, company, texts)
    return key
  }

  filterOf(key: RecordKey) {
    return filterOf(this.kind, key)
  }

  find(tx: ReadTx, _company: CompanyRules, key: RecordKey, { document }: RecordAccess) {
    const { kind } = this
    return kind.lines.length === 0 ? findRecord(tx, kind, key) : findWithLines(tx, kind, key, document)
  }

  notFound(company: CompanyRules, key: RecordKey | readonly string[]) {
    return notFound(this.kind, company, 'texts' in key ? key.texts : key)
  }

  redacted(access: RecordAccess, found: StoredRecord): StoredRecord {
    return answered(access, found)
  }

  readings({ document }: RecordAccess) {
    const statements = statementsOf(this.kind)
    return [this.kind.lines.length === 0 ? statements.find : statements.findWithLines(document)]
  }

  journalKey({ stored }: RecordKey) {
    return stored
  }

  journalRanges(_company: CompanyRules, key: RecordKey) {
    const lines = this.kind.lines.map(({ rules }) => ({ entity: rules.journalEntity, firstParts: key.stored }))
    return [...journalRangesOf(this.kind, key), ...lines]
  }

  schema() {
    return this.kind.schema
  }

  get patchRules(): readonly PatchRule[] {
    return patchRulesOf(this.kind)
  }

  patchStatus(): 400 {
    return 400
  }

  stored(_company: CompanyRules, { body }: StoredRecord): RecordDraft {
    return readStored(this.kind.schema, body) as RecordDraft
  }

  draftOf(company: CompanyRules, given: object): RecordDraft {
    return withNamedRelations(this.kind, company, draftOf(this.kind, company, given as GivenRecord))
  }

  async check({ tx, company, access, stored, given, draft }: RecordPatch<RecordKey, StoredRecord, RecordDraft>) {
    const { kind } = this
    const findings = new Findings()
    const change = { given: given as GivenRecord, draft, stored, earlier: [] }
    await kind.check(storedLookups(tx), company, subjectOf(kind, company), change, findings)
    await checkUnique(tx, kind, access, change, findings)
    const references = { kind, company, caller: this.#caller, documents: this.#documents }
    await checkReferences(tx, references, change, findings)
    if (findings.size > 0) throw access.refusal(draft, findings)
    return draft
  }

  async save({ tx, company, access, key, found, stored, draft }: RecordPatch<RecordKey, StoredRecord, RecordDraft>) {
    const after = await this.#write(tx, company, key, { stored, draft })
    await this.#journal(tx, key, 'update', found.body, after.body)
    return withLines(tx, this.kind, access, key, after)
  }

  /** Closes the record where the setup names a state for that, and else removes it; its lines before it. */
  async remove(target: TargetRecord<RecordKey, StoredRecord>): Promise<void> {
    const { tx, company, key, found } = target
    const { kind } = this
    const stored = this.stored(company, found)
    if (!kind.state) {
      for (const lines of kind.lines) await this.#removeLines(target, lines)
      const subject = subjectOf(kind, company)
      removeRow(tx, kind, key)
      if (subject) await closeValue(tx, kind, subject, stored)
      await this.#journal(tx, key, 'delete', found.body, '')
      return
    }
    const { path, closed } = kind.state
    if (valueAt(stored, path) === closed) return
    for (const lines of kind.lines) await this.#removeLines(target, lines)
    const draft = withValueAt(stored, path, closed)
    const after = await this.#write(tx, company, key, { stored, draft })
    await this.#journal(tx, key, 'delete', found.body, after.body)
  }

  /** Lines that cannot be closed themselves stay with a closed record. */
  async #removeLines(target: TargetRecord<RecordKey, StoredRecord>, lines: LinesKind): Promise<void> {
    const { tx, company, access, key } = target
    const { name, rules, isCascaded } = lines
    const isClosing = this.kind.state !== undefined
    if (isClosing && isCascaded && !rules.state) return
    const keys = await findLines(tx, rules, key, isClosing ? closedStateOf(rules) : undefined)
    if (keys.length === 0) return
    const record = `${this.kind.words.record} ${key.texts.join(' ')}`
    if (!isCascaded) throw conflict(`${record} has ${name}: remove them first.`)
    if (keys.length > MAX_LINES) throw conflict(`${record} has more than ${MAX_LINES} ${name}: remove some first.`)
    const type = new KindRecords(rules, this.#caller, this.#documents)
    for (const one of keys) {
      const entry = await tx.nextEntry()
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
    const subject = subjectOf(kind, company)
    updateRecord(tx, kind, draft)
    if (subject) {
      const [before, after] = [partsOf(kind, subject, stored), partsOf(kind, subject, draft)]
      await saveParts(tx, company, subject.attribute, before, after)
    }
    // Only the database knows the order of changed relations.
    const body = areRelationsChanged(stored, draft) ? undefined : recordJson(kind, company, draft, tx)
    const after = body === undefined ? await findRecord(tx, kind, key) : { body, change_no: tx.entryNo }
    if (!after) throw new Error('the record cannot be found after its update')
    return after
  }

  #journal(tx: Tx, { stored: key }: RecordKey, operation: 'update' | 'delete', before: string, after: string) {
    return writeEntry(tx, { entity: this.kind.journalEntity, key, operation, before, after })
  }
}

function closedStateOf({ state, checks }: RecordRules): ClosedState | undefined {
  const field =
    state && checks.find(({ itemsOf, path }) => itemsOf === undefined && isDeepStrictEqual(path, state.path))
  return field && { column: field.column, value: state.closed }
}

const patchRulesByFields = new WeakMap<Fields, readonly PatchRule[]>()

function patchRulesOf({ record: { fields } }: RecordRules): readonly PatchRule[] {
  let found = patchRulesByFields.get(fields)
  if (!found) {
    found = patchRules(fields)
    patchRulesByFields.set(fields, found)
  }
  return found
}
