// Asks the database about states of records: which of them meet the conditions of a view, and their selected
// properties.

import { wholeText } from '../../base/byte-stream.ts'
import { memo } from '../../base/memo.ts'
import { CompiledStates, RECORD_MEMBER, STATE_MEMBER, type StatesQuery } from '../../sql/compile/compile-states.ts'
import type { Dialect } from '../../sql/dialect.ts'
import type { AnswerForm } from '../../sql/rows/compiled-query.ts'
import type { RowState } from '../../sql/rows/given-rows.ts'
import type { QueryCaller, Store } from '../../store/store.ts'

export interface StateSource {
  readonly store: Pick<Store, 'collect'>
  readonly companyId: string
  readonly requester: QueryCaller
}

/** Each is some kilobytes of JSON; a statement with more of them would be a long one. */
const STATES_AT_ONCE = 200

/** The indexes of the states that meet the conditions. */
export async function visibleStates(
  source: StateSource,
  query: StatesQuery,
  states: readonly RowState[],
): Promise<ReadonlySet<number>> {
  const visible = new Set<number>()
  for (let start = 0; start < states.length; start += STATES_AT_ONCE) {
    const found = await ask(source, query, states.slice(start, start + STATES_AT_ONCE))
    for (const row of JSON.parse(found) as { [STATE_MEMBER]: number }[]) visible.add(start + row[STATE_MEMBER])
  }
  return visible
}

/** The selected properties of the states as JSON, in their order. */
export async function selectedRecords(
  source: StateSource,
  query: StatesQuery,
  states: readonly RowState[],
): Promise<string[]> {
  const records: string[] = []
  for (let start = 0; start < states.length; start += STATES_AT_ONCE) {
    const some = states.slice(start, start + STATES_AT_ONCE)
    const found = recordsIn(await ask(source, query, some))
    if (found.length !== some.length) throw new Error('not every state of a record was answered')
    records.push(...found)
  }
  return records
}

/**
 * The records of an answer, as the database has written them. No property can be called as the number of a state is,
 * and quotation marks within texts are escaped: so its name is found at the start of an item alone.
 */
function recordsIn(answer: string): string[] {
  const items = answer.slice('['.length, -']'.length).split(`,{"${STATE_MEMBER}":`)
  return items.map((item) => item.slice(item.indexOf(RECORD_START) + RECORD_START.length, -'}'.length))
}

const RECORD_START = `"${RECORD_MEMBER}":`

async function ask(
  { store, companyId, requester }: StateSource,
  query: StatesQuery,
  states: readonly RowState[],
): Promise<string> {
  const { content } = await store.collect(companyId, {
    format: 'json',
    cells: [],
    isUrgent: false,
    ...requester,
    compile: (dialect, form) => compiledOnce(query, dialect, form).of(companyId, states),
  })
  return wholeText(content)
}

const compiled = memo((_query: StatesQuery) => new Map<string, { dialect: Dialect; statement: CompiledStates }>())

/** Views are kept, so that their queries are compiled once. */
function compiledOnce(query: StatesQuery, dialect: Dialect, form: AnswerForm): CompiledStates {
  const known = compiled(query)
  const found = known.get(form)
  if (found?.dialect === dialect) return found.statement
  const statement = new CompiledStates(query, dialect, form)
  known.set(form, { dialect, statement })
  return statement
}
