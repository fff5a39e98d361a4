// How single records of a document of the setup are read, changed, and closed or removed.
import type { Caller } from '../../access/caller.ts'
import { Findings } from '../../errors/findings.ts'
import { readStored } from '../../model/fill-record.ts'
import { type PatchRule, patchRules } from '../../patch/rules.ts'
import type { OwnRecordRules } from '../../setup/rules/own/own-record.ts'
import type { CompanyRules } from '../../setup/rules/rules.ts'
import { writeEntry } from '../../store/journal/journal.ts'
import type { ReadTx, Tx } from '../../store/store.ts'
import { recordAccess } from '../shared/access/record-access.ts'
import { storedLookups } from '../shared/master-data/lookups.ts'
import { saveParts } from '../shared/master-data/record-parts.ts'
import { areRelationsChanged } from '../shared/master-data/related-value.ts'
import type { RecordPatch, RecordType, TargetRecord } from '../shared/pipeline/record-type.ts'
import type { OwnDocuments } from '../shared/service.ts'
import { checkReferences, checkUnique } from './check-others.ts'
import { checkOwnRecord } from './check-own-record.ts'
import { closeValue, journalRangesOf, partsOf, subjectOf } from './own-parts.ts'
import {
  draftOf,
  filterOf,
  type GivenRecord,
  keyFrom,
  notFound,
  type OwnDraft,
  type OwnKey,
  recordJson,
  valueAt,
  withNamedRelations,
  withValueAt,
} from './own-record.ts'
import { type FoundOwnRecord, findRecord, removeRow, statementsOf, updateRecord } from './own-store.ts'

type Operation = 'create' | 'read' | 'update' | 'delete'

/** The caller's access to single records of a document for an operation. */
export function ownAccess(
  { name, record }: OwnRecordRules,
  caller: Caller,
  company: CompanyRules,
  operation: Operation,
) {
  return recordAccess(caller, company, `${name}:${operation}`, record.document)
}

type OwnType = RecordType<readonly string[], OwnKey, FoundOwnRecord, OwnDraft>

/** The records of one document, for one caller. */
export class OwnRecordType implements OwnType {
  readonly rules: OwnRecordRules
  readonly #caller: Caller
  readonly #documents: OwnDocuments

  constructor(rules: OwnRecordRules, caller: Caller, documents: OwnDocuments) {
    this.rules = rules
    this.#caller = caller
    this.#documents = documents
  }

  access(caller: Caller, company: CompanyRules, operation: Operation) {
    return ownAccess(this.rules, caller, company, operation)
  }

  keyOf(company: CompanyRules, texts: readonly string[]): OwnKey {
    const key = keyFrom(this.rules, texts)
    if (!key) throw notFound(this.rules, company, texts)
    return key
  }

  filterOf(key: OwnKey) {
    return filterOf(this.rules, key)
  }

  find(tx: ReadTx, _company: CompanyRules, key: OwnKey): Promise<FoundOwnRecord | undefined> {
    return findRecord(tx, this.rules, key)
  }

  notFound(company: CompanyRules, key: OwnKey | readonly string[]) {
    return notFound(this.rules, company, 'texts' in key ? key.texts : key)
  }

  redacted(access: ReturnType<typeof ownAccess>, found: FoundOwnRecord): FoundOwnRecord {
    return access.redactBody(found)
  }

  get readings() {
    return [statementsOf(this.rules).find]
  }

  journalKey({ stored }: OwnKey) {
    return stored
  }

  journalRanges(_company: CompanyRules, key: OwnKey) {
    return journalRangesOf(this.rules, key)
  }

  schema() {
    return this.rules.record.schema
  }

  get patchRules(): readonly PatchRule[] {
    return patchRulesOf(this.rules)
  }

  patchStatus(): 400 {
    return 400
  }

  stored(_company: CompanyRules, { body }: FoundOwnRecord): OwnDraft {
    return readStored(this.rules.record.schema, body) as OwnDraft
  }

  draftOf(company: CompanyRules, given: object): OwnDraft {
    return withNamedRelations(company, draftOf(this.rules, company, given as GivenRecord))
  }

  async check({ tx, company, access, stored, given, draft }: RecordPatch<OwnKey, FoundOwnRecord, OwnDraft>) {
    const { rules } = this
    const findings = new Findings()
    const change = { given: given as GivenRecord, draft, stored, earlier: [] }
    await checkOwnRecord(storedLookups(tx), company, rules, subjectOf(rules, company), change, findings)
    await checkUnique(tx, rules, access, change, findings)
    const references = { rules, company, caller: this.#caller, documents: this.#documents }
    await checkReferences(tx, references, change, findings)
    if (findings.size > 0) throw access.refusal(draft, findings)
    return draft
  }

  async save({ tx, company, key, found, stored, draft }: RecordPatch<OwnKey, FoundOwnRecord, OwnDraft>) {
    const after = await this.#write(tx, company, key, { stored, draft })
    await this.#journal(tx, key, 'update', found.body, after.body)
    return after
  }

  /** Closes the record where the setup names a state for that, and else removes it. */
  async remove({ tx, company, key, found }: TargetRecord<OwnKey, FoundOwnRecord>): Promise<void> {
    const { rules } = this
    const stored = this.stored(company, found)
    if (!rules.state) {
      const subject = subjectOf(rules, company)
      removeRow(tx, rules, key)
      if (subject) await closeValue(tx, rules, subject, stored)
      await this.#journal(tx, key, 'delete', found.body, '')
      return
    }
    const { path, closed } = rules.state
    if (valueAt(stored, path) === closed) return
    const draft = withValueAt(stored, path, closed)
    const after = await this.#write(tx, company, key, { stored, draft })
    await this.#journal(tx, key, 'delete', found.body, after.body)
  }

  async #write(
    tx: Tx,
    company: CompanyRules,
    key: OwnKey,
    { stored, draft }: { readonly stored: OwnDraft; readonly draft: OwnDraft },
  ): Promise<FoundOwnRecord> {
    const { rules } = this
    const subject = subjectOf(rules, company)
    updateRecord(tx, rules, draft)
    if (subject) {
      const [before, after] = [partsOf(rules, subject, stored), partsOf(rules, subject, draft)]
      await saveParts(tx, company, subject.attribute, before, after)
    }
    // Only the database knows the order of changed relations.
    const body = areRelationsChanged(stored, draft) ? undefined : recordJson(rules, company, draft, tx)
    const after = body === undefined ? await findRecord(tx, rules, key) : { body, change_no: tx.entryNo }
    if (!after) throw new Error('the record cannot be found after its update')
    return after
  }

  #journal(tx: Tx, { stored: key }: OwnKey, operation: 'update' | 'delete', before: string, after: string) {
    return writeEntry(tx, { entity: this.rules.name, key, operation, before, after })
  }
}

const patchRulesByRules = new WeakMap<OwnRecordRules, readonly PatchRule[]>()

function patchRulesOf(rules: OwnRecordRules): readonly PatchRule[] {
  let found = patchRulesByRules.get(rules)
  if (!found) {
    found = patchRules(rules.record.fields)
    patchRulesByRules.set(rules, found)
  }
  return found
}
