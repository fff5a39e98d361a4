// The texts of records after all entries up to a number, as the journal has them.
import { textsOf } from './log-entry.ts'
import type { LogTx } from './log-source.ts'
import { type KeyEntries, type LogEnd, listKeyEntries } from './log-store.ts'

export interface RecordState {
  readonly entity: string
  readonly recordKey: string
  /** As the journal has it; empty when the record is not there. */
  readonly text: string
  /** The number of the entry that has created it, as far as that is known. */
  readonly createdNo: number
}

export interface StatesWanted {
  readonly upTo: number
  readonly end: Pick<LogEnd, 'oldest' | 'textsFrom'>
}

/** So many texts are read at once. */
const TEXTS_AT_ONCE = 200

/**
 * The states of all records with entries whose keys have one of these starts. A record is left out when its texts were
 * taken away and nothing has happened to it since.
 */
export async function statesUpTo(
  tx: LogTx,
  starts: readonly string[],
  entities: readonly string[],
  { upTo, end }: StatesWanted,
): Promise<RecordState[]> {
  const rows = (await listKeyEntries(tx, starts, upTo)).filter(({ entity }) => entities.includes(entity))
  const records = [...Map.groupBy(rows, ({ entity, record_key }) => `${entity} ${record_key}`).values()]
  const sources = records.flatMap((of) => sourceOf(of, end.textsFrom))
  const states: RecordState[] = []
  for (let start = 0; start < sources.length; start += TEXTS_AT_ONCE) {
    const some = sources.slice(start, start + TEXTS_AT_ONCE)
    const texts = await textsOf(
      tx,
      some.map(({ from }) => from),
    )
    for (const { side, from, ...state } of some) {
      states.push({ ...state, text: texts.get(from)?.read()[side] ?? '' })
      await tx.steps.pause()
    }
  }
  return states
}

interface StateSource extends Omit<RecordState, 'text'> {
  /** The number of the entry that has the text. */
  readonly from: number
  readonly side: 'before' | 'after'
}

/** The entry that has the text: the newest one, or the first later one, which has it as the text before. */
function sourceOf(rows: readonly KeyEntries[], textsFrom: number): StateSource[] {
  const [{ entity, record_key: recordKey } = { entity: '', record_key: '' }] = rows
  const number = Math.max(...rows.map(({ newest }) => newest))
  const later = rows.map(({ next }) => next).filter((next) => next > 0)
  const createdNo = rows.find(({ operation }) => operation === 'create')?.newest ?? 0
  const state = { entity, recordKey, createdNo }
  if (number > textsFrom) return [{ ...state, from: number, side: 'after' }]
  return later.length === 0 ? [] : [{ ...state, from: Math.min(...later), side: 'before' }]
}
