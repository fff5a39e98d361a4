// The changes of one record, read from the newest back.
import type { CompanyRules } from '../../setup/rules/rules.ts'
import type { ChangeKind } from '../change-kind.ts'
import { changesOf } from '../log/entry-changes.ts'
import { contextFor } from '../log/entry-context.ts'
import { headOf, readTexts } from '../log/log-entry.ts'
import type { LogTx } from '../log/log-source.ts'
import { findHeads, findLogEnd, listEntryNumbers } from '../log/log-store.ts'
import { asked } from '../log/read-changes.ts'
import type { RecordChange } from '../record-change.ts'
import { entriesOf } from './record-entries.ts'

export interface RecordChanges {
  /** In the order of their numbers. */
  readonly changes: readonly RecordChange[]
  /** Older changes are before this number; 0 when there are none. */
  readonly next: number
}

/** Entries that are read at once, also those of the record's relations; each has two texts of a mebibyte at most. */
const ENTRIES_AT_ONCE = 32

/** The newest changes of a record before a number, as far as they are kept. Throws `ChangesGone` for damaged ones. */
export async function changesOfRecord(
  tx: LogTx,
  company: CompanyRules,
  kind: ChangeKind,
  key: readonly (string | number)[],
  before: number,
): Promise<RecordChanges> {
  const end = await findLogEnd(tx)
  const { starts, entities } = entriesOf(company, kind, key)
  const range = { after: end.oldest, below: before, entities, most: ENTRIES_AT_ONCE }
  const numbers = (await listEntryNumbers(tx, starts, range)).reverse()
  const rows = (await findHeads(tx, numbers)).sort((one, other) => one.entry_no - other.entry_no)
  const heads = rows.map(headOf)
  const entries = await readTexts(tx, heads, Number.POSITIVE_INFINITY)
  const context = await contextFor(tx, company, asked([kind]), { entries, end })
  const changes = entries.flatMap((entry) => ofRecord(changesOf(context, entry), key))
  const isAll = numbers.length < ENTRIES_AT_ONCE
  return { changes, next: isAll ? 0 : (numbers[0] ?? 0) }
}

function ofRecord(changes: readonly RecordChange[], key: readonly (string | number)[]): RecordChange[] {
  const name = JSON.stringify(key)
  return changes.filter((change) => JSON.stringify(change.key) === name)
}
