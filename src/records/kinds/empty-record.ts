// Empties a record that something refers to: its key stays, everything else goes, and it is closed.
import { readStored } from '../../model/fill-record.ts'
import type { FieldRules } from '../../setup/rules/declared-field-rules.ts'
import type { RecordRules } from '../../setup/rules/record-rules.ts'
import type { CompanyRules } from '../../setup/rules/rules.ts'
import type { Tx } from '../../store/store.ts'
import { draftOf } from '../engine/record.ts'
import { type RecordDraft, type RecordKind, withValueAt } from '../engine/record-kind.ts'
import { findRecord, insertRecord, removeRow, touchOwner } from '../engine/record-store.ts'
import type { RecordKey } from '../shared/record-type.ts'
import { ERASED_TEXT } from './removal-store.ts'

/** Its row is replaced: columns of properties that the setup declares no longer are emptied with the others. */
export async function emptyRecord(tx: Tx, kind: RecordKind, company: CompanyRules, key: RecordKey): Promise<void> {
  const found = await findRecord(tx, kind, key)
  if (!found) return
  const stored = readStored(kind.schema, found.body)
  removeRow(tx, kind, key)
  insertRecord(tx, kind, emptied(kind, company, stored), tx.entryNo)
  touchOwner(tx, kind, key)
}

/** The record with its key alone; absent values are stored as those of a new record. */
function emptied(kind: RecordKind, company: CompanyRules, stored: RecordDraft): RecordDraft {
  const key = Object.fromEntries(kind.keyNames.map((name) => [name, stored[name]]))
  const draft = kind.freeTexts.reduce(
    (record, path) => withValueAt(record, path, ERASED_TEXT),
    draftOf(kind, company, key),
  )
  return kind.state ? withValueAt(draft, kind.state.path, kind.state.closed) : draft
}

/** Whether a record needs a text that may be any, which then says that it was erased; any other is empty. */
export function isFreeText({ keyNames, references }: RecordRules, field: FieldRules): boolean {
  const { path, itemsOf, type, required, unique, legalValues, pattern, maxLength } = field
  const [name = ''] = path
  const isKept = itemsOf !== undefined || (path.length === 1 && keyNames.includes(name))
  const isReference = references.some(({ key }) => key.some((one) => one.join('/') === path.join('/')))
  const isFree = !unique && !legalValues && !isReference && maxLength >= ERASED_TEXT.length
  return required && type === 'string' && !isKept && isFree && (pattern?.matches(ERASED_TEXT) ?? true)
}
