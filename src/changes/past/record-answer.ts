// What a plan answers of a single record at a moment, of the lines that it had then.
import { wholeText } from '../../base/byte-stream.ts'
import { invalidOption, unavailable } from '../../errors/catalogue.ts'
import type { DocumentDefinition, ValueProperty } from '../../model/document.ts'
import { linesIn } from '../../query/mentions.ts'
import type { Plan } from '../../query/plan.ts'
import type { JournaledKind } from '../../records/kinds/kind.ts'
import type { RequestedRecord } from '../../records/shared/past-records.ts'
import type { KeyFilter } from '../../sql/rows/compiled-query.ts'
import type { RowState } from '../../sql/rows/given-rows.ts'
import type { ChangedRows } from '../../sql/rows/past-rows.ts'
import { answerCollection } from '../../store/collection.ts'
import type { Store } from '../../store/store.ts'
import type { LogSource } from '../log-source.ts'
import { listKeyEntries, startOf } from '../log-store.ts'
import { recordStateAt } from './record-state.ts'

/** So many lines of a record may have changed since, because the states of all are in memory at once. */
const MOST_LINES = 10_000
/** So often is it computed anew because other lines were changed meanwhile. */
const TRIES = 10

interface Moment {
  readonly store: Store
  readonly source: LogSource
  readonly number: number
  /** The record as it was. */
  readonly state: RowState
  readonly kindOf: (definition: DocumentDefinition) => JournaledKind
}

/**
 * The JSON object of what the plan selects; empty where its row rule hides the record. Throws 400 where too many lines
 * have changed, and `ChangesGone`.
 */
export async function readAt(requested: RequestedRecord, plan: Plan, moment: Moment): Promise<string> {
  const { company, key, requester } = requested
  const { store, source, state } = moment
  const definitions = [...new Map(linesIn(plan).map(({ from: { document } }) => [document.name, document])).values()]
  const readLines = () => Promise.all(definitions.map((definition) => linesAt(requested, definition, moment)))
  const namesOf = (lines: Awaited<ReturnType<typeof readLines>>) => lines.map(({ changed }) => changed.keys).join()
  let lines = await readLines()
  for (let tries = 0; tries < TRIES; tries++) {
    const { body } = await answerCollection(store, {
      companyId: company.id,
      plan,
      scope: [[plan.definition.companyColumn, company.id], ...keyFilterOf(plan.definition, key)],
      changed: { keys: JSON.stringify(key), states: [state], steps: source.steps, lines },
      language: '',
      format: 'json',
      caller: requester,
      cap: undefined,
    })
    const text = await wholeText(body)
    // What was changed for the first time after it was looked for was read as it is now.
    const again = definitions.length === 0 ? lines : await readLines()
    if (namesOf(again) === namesOf(lines)) return text.slice('['.length, -']'.length)
    lines = again
  }
  throw unavailable('The lines change faster than their states of then can be gathered. Try again.', 1)
}

/** The lines of the record that have changed since, as they were. */
async function linesAt(
  { company, key }: RequestedRecord,
  definition: DocumentDefinition,
  { source, number, kindOf }: Moment,
): Promise<{ readonly definition: DocumentDefinition; readonly changed: ChangedRows }> {
  const kind = kindOf(definition)
  const entries = await listKeyEntries(source.reading(company.id), [startOf(key, false)], number)
  const later = entries.filter(({ entity, next }) => entity === kind.journalEntity && next > 0)
  const keys = [...new Set(later.map(({ record_key }) => record_key))].sort()
  if (keys.length > MOST_LINES)
    throw invalidOption(`More than ${MOST_LINES} lines were changed since then: choose a later moment.`)
  const states: RowState[] = []
  for (const name of keys) {
    const { text, unseen } = await recordStateAt(source, company, kind, JSON.parse(name), number)
    if (text !== '') states.push(kind.rowOf(company, text, unseen))
    await source.steps.pause()
  }
  return { definition, changed: { keys: keys.join(), states, steps: source.steps } }
}

/** The row of the record by the columns of its key. */
function keyFilterOf({ key, properties, companyColumn }: DocumentDefinition, parts: RequestedRecord['key']): KeyFilter {
  const columns = key.flatMap((name) => {
    const { source } = properties[name] as ValueProperty
    return 'column' in source && source.column !== companyColumn ? [source.column] : []
  })
  return columns.map((column, at) => [column, parts[at] ?? ''] as const)
}
