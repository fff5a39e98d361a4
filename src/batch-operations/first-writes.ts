// What an operation has done to each record that it has written, and whether anybody else has written it since. An
// operation may write one several times: the record is told where its first write is.
import { findHeads, listEntryNumbers, startOf } from '../changes/log-store.ts'
import { entriesOf } from '../changes/past/record-state.ts'
import type { RecordChange } from '../changes/record-change.ts'
import type { JournalKey } from '../records/kinds/kind.ts'
import type { CompanyRules } from '../setup/rules/rules.ts'
import type { ReadTx } from '../store/store.ts'
import type { WrittenPage } from './written-records.ts'

export interface FirstWrite {
  readonly key: JournalKey
  /** Before it the record was as before the operation. That of a line, where the record itself was not written. */
  readonly change: RecordChange
  readonly isCreated: boolean
  /** Whether all that was written of it since is of the operation. */
  readonly isUntouched: boolean
  /** Whether the operation has written lines of the record. */
  readonly hasLines: boolean
}

/** Entries of the records of a page. Beyond them nobody tells what is untouched. */
const MOST_ENTRIES = 10_000

export async function firstWrites(tx: ReadTx, company: CompanyRules, page: WrittenPage): Promise<FirstWrite[]> {
  const { kind, lines, begin, requestId, changes } = page
  // The keys of lines begin with that of their record.
  const keyOf = (change: RecordChange) => change.key.slice(0, kind.keyNames.length)
  const records = [...Map.groupBy(changes, (change) => JSON.stringify(keyOf(change))).values()].flatMap(([change]) => {
    if (!change) return []
    const key = keyOf(change)
    const { starts, entities } = entriesOf(company, kind, key)
    return [{ key, change, entities, starts: lines.length === 0 ? starts : [...starts, startOf(key, false)] }]
  })
  const [first] = records
  if (!first) return []
  const lineNames = lines.map(({ document }) => document)
  const numbers = await listEntryNumbers(
    tx,
    records.flatMap(({ starts }) => starts),
    {
      after: begin,
      below: Number.MAX_SAFE_INTEGER,
      entities: [...first.entities, ...lineNames],
      most: MOST_ENTRIES,
    },
  )
  const heads = await findHeads(tx, numbers)
  return records.flatMap(({ key, change, starts }) => {
    const all = heads.filter(({ record_key }) => starts.some((start) => record_key.startsWith(start)))
    const [since, earlier] = [true, false].map((is) => all.filter(({ entry_no }) => entry_no >= change.number === is))
    const isOwn = ({ request_id }: (typeof heads)[number]) => request_id === requestId
    if (earlier?.some(isOwn)) return []
    const isUntouched = numbers.length < MOST_ENTRIES && (since?.every(isOwn) ?? false)
    const hasLines = since?.some(({ entity }) => lineNames.includes(entity)) ?? false
    const isCreated = change.operation === 'create' && change.kind.name === kind.name
    return [{ key, change, isCreated, isUntouched, hasLines }]
  })
}
