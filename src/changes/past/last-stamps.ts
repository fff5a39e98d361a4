// Who had changed records last, and when, at a moment: of the kinds whose texts do not show it.

import type { Columns, JournaledKind } from '../../records/kinds/kind.ts'
import type { ReadTx } from '../../store/store.ts'
import { headOf } from '../log/log-entry.ts'
import { findHeads, listKeyEntries } from '../log/log-store.ts'

/** The columns by the keys of the journal, for the records with entries up to a number. */
export async function lastStamps(
  tx: ReadTx,
  { journalEntity }: JournaledKind,
  keys: readonly string[],
  upTo: number,
): Promise<ReadonlyMap<string, Columns>> {
  const rows = await listKeyEntries(tx, keys, upTo)
  const own = rows.filter(({ entity, newest }) => entity === journalEntity && newest > 0)
  const numbers = Map.groupBy(own, ({ record_key }) => record_key)
    .values()
    .map((entries) => Math.max(...entries.map(({ newest }) => newest)))
  const heads = (await findHeads(tx, [...numbers])).map(headOf)
  return new Map(heads.map(({ recordKey, at, userId }) => [recordKey, { updated_at: at, updated_by: userId }]))
}
