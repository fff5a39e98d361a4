// The texts of records after all entries up to a number, as the journal has them.
import type { ReadTx } from '../../store/store.ts'
import { textsOf } from './log-entry.ts'
import { type KeyEntries, listKeyEntries } from './log-store.ts'

export interface RecordState {
  readonly entity: string
  readonly recordKey: string
  /** Empty when the record is not there, or when its text was taken away. */
  readonly text: string
  /** The number of the entry that has created it, as far as that is known. */
  readonly createdNo: number
  /** The number of its newest entry up to the number; 0 when all of its entries are later. */
  readonly number: number
}

/** So many texts are read at once. */
const TEXTS_AT_ONCE = 200

/** The states of all records with entries whose keys have one of these starts. */
export async function statesUpTo(
  tx: ReadTx,
  starts: readonly string[],
  entities: readonly string[],
  upTo: number,
): Promise<RecordState[]> {
  const rows = (await listKeyEntries(tx, starts, upTo)).filter(({ entity }) => entities.includes(entity))
  const records = [...Map.groupBy(rows, ({ entity, record_key }) => `${entity} ${record_key}`).values()]
  const sources = records.map(sourceOf)
  const states: RecordState[] = []
  for (let start = 0; start < sources.length; start += TEXTS_AT_ONCE) {
    const some = sources.slice(start, start + TEXTS_AT_ONCE)
    const texts = await textsOf(
      tx,
      some.map(({ from }) => from),
    )
    for (const { side, from, ...state } of some) states.push({ ...state, text: texts.get(from)?.read()[side] ?? '' })
  }
  return states
}

/** The entry that has the text: the newest one, or the first later one, which has it as the text before. */
function sourceOf(rows: readonly KeyEntries[]) {
  const [{ entity, record_key: recordKey } = { entity: '', record_key: '' }] = rows
  const newest = Math.max(...rows.map((row) => row.newest))
  const later = rows.map((row) => row.next).filter((number) => number > 0)
  const createdNo = rows.find(({ operation }) => operation === 'create')?.newest ?? 0
  const source =
    newest > 0 ? { from: newest, side: 'after' as const } : { from: Math.min(...later), side: 'before' as const }
  return { entity, recordKey, createdNo, number: newest, ...source }
}
