// A record changes with its lines. One whose lines are written at their own addresses has an entry of its own before
// theirs, as one that is written with its lines has.
import { readStored } from '../../model/fill-record.ts'
import type { CompanyRules } from '../../setup/rules/rules.ts'
import { writeEntry } from '../../store/journal/journal.ts'
import type { Tx } from '../../store/store.ts'
import { withLinesChanged } from '../shared/lines-changed.ts'
import type { RecordKey } from '../shared/record-type.ts'
import { recordJson, stampOf } from './record.ts'
import type { RecordDraft, RecordKind } from './record-kind.ts'
import { findRecord, updateRecord } from './record-store.ts'

/** The entry of a line, which comes after that of its record. */
export function entryOfLine(tx: Tx, { owner }: RecordKind): Tx {
  return owner ? tx.nextEntry() : tx
}

/** Gives the record with this line a new `lastUpdated` and tag, and tells of it. */
export async function changeOwner(
  tx: Tx,
  company: CompanyRules,
  { owner }: RecordKind,
  line: RecordKey,
): Promise<void> {
  if (!owner) return
  const { rules: kind, name, keyColumns } = owner
  const key = { stored: line.stored.slice(0, keyColumns.length), texts: line.texts.slice(0, keyColumns.length) }
  const found = await findRecord(tx, kind, key)
  // Lines from before they had to have one may have none.
  if (!found) return
  const stored = readStored(kind.schema, found.body) as RecordDraft
  updateRecord(tx, kind, stored, stored)
  const after = recordJson(kind, company, stored, stampOf(tx)) ?? (await findRecord(tx, kind, key))?.body ?? ''
  const before = withLinesChanged(found.body, [name])
  writeEntry(tx, { entity: kind.journalEntity, key: key.stored, operation: 'update', before, after })
}
