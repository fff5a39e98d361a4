// Empties a record that something refers to: its key stays, everything else goes, and it is closed.
import { readStored } from '../model/fill-record.ts'
import { draftOf } from '../records/engine/record.ts'
import { type RecordDraft, withValueAt } from '../records/engine/record-kind.ts'
import { findRecord, insertRecord, removeRow, updateRecord } from '../records/engine/record-store.ts'
import { customersOf } from '../records/kinds/customers.ts'
import { declaredKind } from '../records/kinds/declared.ts'
import type { FieldRules } from '../setup/rules/own-field-rules.ts'
import type { RecordRules } from '../setup/rules/record-rules.ts'
import type { CompanyRules } from '../setup/rules/rules.ts'
import type { Tx } from '../store/store.ts'
import { ERASED_TEXT, emptyValues } from './erase-store.ts'
import { type OwnRecordName, valueBehind } from './record-name.ts'
import { removeRelationRows } from './removal-store.ts'
import type { PersonalRecord } from './subject.ts'

export async function emptyRecord(tx: Tx, company: CompanyRules, subject: PersonalRecord): Promise<void> {
  const value = subject.kind === 'value' ? subject : valueBehind(company, subject)
  if (value) {
    emptyValues(tx, value.attributeId, value.attributeValue)
    removeRelationRows(tx, value.attributeId, value.attributeValue)
  }
  if (subject.kind === 'customer' && value) {
    const { customerId } = subject
    const given = { customerId, customerName: ERASED_TEXT, payment: { status: 'Closed' } }
    const customers = customersOf(company)
    updateRecord(tx, customers, draftOf(customers, company, given))
  }
  if (subject.kind === 'own') await emptyOwnRecord(tx, company, subject)
}

/** Its row is replaced: columns of properties that the setup declares no longer are emptied with the others. */
async function emptyOwnRecord(tx: Tx, company: CompanyRules, { rules, key }: OwnRecordName): Promise<void> {
  const found = await findRecord(tx, rules, key)
  if (!found) return
  const stored = readStored(rules.record.schema, found.body) as RecordDraft
  removeRow(tx, rules, key)
  insertRecord(tx, rules, emptied(rules, company, stored), tx.entryNo)
}

/** The record with its key alone; absent values are stored as those of a new record. */
function emptied(rules: RecordRules, company: CompanyRules, stored: RecordDraft): RecordDraft {
  const key = Object.fromEntries(rules.keyNames.map((name) => [name, stored[name]]))
  const texts = rules.checks.filter((field) => needsText(rules, field))
  const draft = texts.reduce(
    (record, { path }) => withValueAt(record, path, ERASED_TEXT),
    draftOf(declaredKind(rules), company, key),
  )
  return rules.state ? withValueAt(draft, rules.state.path, rules.state.closed) : draft
}

/** Whether a record needs a text that may be any, which then says that it was erased; any other is empty. */
function needsText({ keyNames, references }: RecordRules, field: FieldRules): boolean {
  const { path, itemsOf, type, required, unique, legalValues, pattern, maxLength } = field
  const [name = ''] = path
  const isKept = itemsOf !== undefined || (path.length === 1 && keyNames.includes(name))
  const isReference = references.some(({ key }) => key.some((one) => one.join('/') === path.join('/')))
  const isFree = !unique && !legalValues && !isReference && maxLength >= ERASED_TEXT.length
  return required && type === 'string' && !isKept && isFree && (pattern?.matches(ERASED_TEXT) ?? true)
}
