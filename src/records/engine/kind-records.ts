// How single records of a kind are read, changed, and closed or removed.
import type { Caller } from '../../access/caller.ts'
import { memo } from '../../base/memo.ts'
import { Findings } from '../../errors/findings.ts'
import { readStored } from '../../model/fill-record.ts'
import type { Fields } from '../../model/record-fields.ts'
import { type PatchRule, patchRules } from '../../patch/rules.ts'
import type { CompanyRules } from '../../setup/rules/rules.ts'
import { writeEntry } from '../../store/journal/journal.ts'
import type { ReadTx, Tx } from '../../store/store.ts'
import { storedLookups } from '../shared/master-data/lookups.ts'
import { areRelationsChanged } from '../shared/master-data/related-value.ts'
import { recordAccess } from '../shared/record-access.ts'
import type { RecordOperation, RecordPatch, RecordType, TargetRecord } from '../shared/record-type.ts'
import type { OwnDocuments } from '../shared/service.ts'
import { checkReferences, checkUnique } from './check-others.ts'
import { draftOf, filterOf, keyFrom, notFound, recordJson, withNamedRelations } from './record.ts'
import {
  type GivenRecord,
  type RecordDraft,
  type RecordKey,
  type RecordKind,
  valueAt,
  withValueAt,
} from './record-kind.ts'
import { closeValue, journalRangesOf, saveParts, subjectOf } from './record-parts.ts'
import { findRecord, removeRow, type StoredRecord, statementsOf, updateRecord } from './record-store.ts'

/** The caller's access to single records of a document for an operation. */
export function accessTo(
  { name, document }: Pick<RecordKind, 'name' | 'document'>,
  caller: Caller,
  company: CompanyRules,
  operation: RecordOperation,
) {
  return recordAccess(caller, company, `${name}:${operation}`, document)
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

  access(caller: Caller, company: CompanyRules, operation: RecordOperation) {
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

  find(tx: ReadTx, _company: CompanyRules, key: RecordKey): Promise<StoredRecord | undefined> {
    return findRecord(tx, this.kind, key)
  }

  notFound(company: CompanyRules, key: RecordKey | readonly string[]) {
    return notFound(this.kind, company, 'texts' in key ? key.texts : key)
  }

  redacted(access: ReturnType<typeof accessTo>, found: StoredRecord): StoredRecord {
    return access.redactBody(found)
  }

  get readings() {
    return [statementsOf(this.kind).find]
  }

  journalKey({ stored }: RecordKey) {
    return stored
  }

  journalRanges(_company: CompanyRules, key: RecordKey) {
    return journalRangesOf(this.kind, key)
  }

  schema() {
    return this.kind.schema
  }

  get patchRules(): readonly PatchRule[] {
    return patchRulesOf(this.kind.record.fields)
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

  async save({ tx, company, key, found, stored, draft }: RecordPatch<RecordKey, StoredRecord, RecordDraft>) {
    const after = await this.#write(tx, company, key, { stored, draft })
    await this.#journal(tx, key, 'update', found.body, after.body)
    return after
  }

  /** Closes the record where the setup names a state for that, and else removes it. */
  async remove({ tx, company, key, found }: TargetRecord<RecordKey, StoredRecord>): Promise<void> {
    const { kind } = this
    const stored = this.stored(company, found)
    if (!kind.state) {
      const subject = subjectOf(kind, company)
      removeRow(tx, kind, key)
      if (subject) await closeValue(tx, kind, subject, stored)
      await this.#journal(tx, key, 'delete', found.body, '')
      return
    }
    const { path, closed } = kind.state
    if (valueAt(stored, path) === closed) return
    const draft = withValueAt(stored, path, closed)
    const after = await this.#write(tx, company, key, { stored, draft })
    await this.#journal(tx, key, 'delete', found.body, after.body)
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
    if (subject) await saveParts(tx, company, kind, subject, { stored, draft })
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

const patchRulesOf = memo((fields: Fields) => patchRules(fields))
