// One entry for a batch of inserted rows. The rows have its number in `CHANGE_COLUMN`, so the entry names none of them.
import type { Tx } from '../store.ts'
import { writeEntry } from './journal.ts'

/** The first part of the key of such an entry. */
const ROWS_KEY = 'rows'

/** Writes the entry of the rows that `tx.insertRows` has inserted. `source` names the batch: a file and its lines. */
export function writeRowsEntry(
  tx: Tx,
  entity: string,
  source: readonly (string | number)[],
  rows: number,
): Promise<void> {
  const after = JSON.stringify({ rows })
  return writeEntry(tx, { entity, key: [ROWS_KEY, ...source], operation: 'create', before: '', after })
}
