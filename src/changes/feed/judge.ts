// Decides what a caller is told of changes: a record that it may see before and after is updated, one that it may see
// only before or only after has left or entered what it may see, unless it is gone or new.

import type { Columns } from '../../records/kinds/kind.ts'
import type { CompanyRules } from '../../setup/rules/rules.ts'
import type { RowState } from '../../sql/rows/given-rows.ts'
import { ChangesGone } from '../changes-gone.ts'
import type { LogSource } from '../log/log-source.ts'
import type { RecordChange } from '../record-change.ts'
import { type StateSource, selectedRecords, visibleStates } from './ask-states.ts'
import { changedPaths } from './changed-paths.ts'
import type { EntityView } from './entity-view.ts'
import { withStamps } from './stamps.ts'
import { operationOf, type ToldChange, type ToldOperation, toldChange } from './told-change.ts'

export interface JudgeSource extends StateSource {
  readonly store: LogSource
  readonly company: CompanyRules
}

/** A change of which the caller is told. */
interface Telling {
  readonly change: RecordChange
  readonly view: EntityView
  readonly operation: ToldOperation
  readonly changed: readonly string[]
  /** The record without hidden members; empty when it is not told. */
  record: string
}

/** What a caller is told of changes, in their order. Throws `ChangesGone` when that cannot be known any more. */
export async function judge(
  source: JudgeSource,
  logged: readonly RecordChange[],
  viewOf: (change: RecordChange) => EntityView,
): Promise<ToldChange[]> {
  const needsStamps = logged.some((change) => viewOf(change).asksForStamp)
  const changes = needsStamps ? await withStamps(source.store, source.company, logged) : logged
  const sight = await sightOf(source, changes, viewOf)
  const told: Telling[] = []
  for (const change of changes) {
    const telling = tellingOf(change, viewOf(change), sight)
    if (telling) told.push(telling)
    await source.store.steps.pause()
  }
  await select(source, told)
  return told.map(({ change, operation, changed, record }) =>
    toldChange(source.company.id, change, operation, changed, record),
  )
}

/** Whether the caller may see the record of a change before and after it. */
type Sight = (change: RecordChange) => { readonly before: boolean; readonly after: boolean }

async function sightOf(
  source: JudgeSource,
  changes: readonly RecordChange[],
  viewOf: (change: RecordChange) => EntityView,
): Promise<Sight> {
  const hidden = { before: new Set<RecordChange>(), after: new Set<RecordChange>() }
  for (const [view, ofView] of Map.groupBy(changes, viewOf)) {
    if (!view.conditions) continue
    const states: State[] = []
    for (const change of ofView) {
      states.push(...statesOf(source.company, change))
      await source.store.steps.pause()
    }
    const visible = await visibleStates(
      source,
      view.conditions,
      states.map(({ rows }) => rows),
    )
    for (const [index, { change, sides }] of states.entries()) {
      if (!visible.has(index)) for (const side of sides) hidden[side].add(change)
    }
  }
  return (change) => ({
    before: (change.before !== '' || change.isBeforeUnknown === true) && !hidden.before.has(change),
    after: change.after !== '' && !hidden.after.has(change),
  })
}

interface State {
  readonly change: RecordChange
  readonly sides: readonly ('before' | 'after')[]
  readonly rows: RowState
}

/** The states of which the conditions have to be asked; a revision is seen by who sees its document. */
function statesOf(company: CompanyRules, change: RecordChange): State[] {
  const { kind, before, after, unseen, documentText } = change
  const stateOf = (sides: State['sides'], text: string, columns: Columns): State[] =>
    text === '' ? [] : [{ change, sides, rows: kind.rowOf(company, text, columns) }]
  if (documentText !== undefined) return stateOf(['before', 'after'], documentText, unseen.document ?? {})
  if (change.isBeforeUnknown) throw new ChangesGone([kind.name])
  return [...stateOf(['before'], before, unseen.before), ...stateOf(['after'], after, unseen.after)]
}

/** Undefined when the caller is told nothing. */
function tellingOf(change: RecordChange, view: EntityView, sight: Sight): Telling | undefined {
  const { before, after } = sight(change)
  const telling = { change, view, changed: [], record: '' }
  if (!after) {
    return before ? { ...telling, operation: operationOf(change, false) } : undefined
  }
  const record = view.access.redact(change.after)
  if (!before) return { ...telling, record, operation: operationOf(change, true) }
  if (change.isBeforeUnknown) throw new ChangesGone([change.kind.name])
  const changed = changedPaths(view.access.redact(change.before), record)
  if (changed.every((path) => STAMP.test(path))) {
    if (!view.showsLastUpdated) return undefined
    if (changed.length === 0 && hasNewStamp(change)) changed.push(LAST_UPDATED)
  }
  return changed.length === 0 ? undefined : { ...telling, record, changed, operation: 'updated' }
}

/** What is told to differ when all that was changed is hidden, but not that something was. */
const LAST_UPDATED = '/lastUpdated/updatedAt'
/** Documents of the archive name the member in their own way. */
const STAMP = /^\/lastUpdated?\//

/** Whether queries show another time of the last change; a change of a relation leaves that of its owner. */
function hasNewStamp({ unseen: { before, after } }: RecordChange): boolean {
  return before.updated_at !== after.updated_at
}

/** Replaces records by their selected properties. */
async function select(source: JudgeSource, told: readonly Telling[]): Promise<void> {
  const withRecord = told.filter(({ record, view }) => record !== '' && view.selection)
  for (const [{ selection }, ofView] of Map.groupBy(withRecord, ({ view }) => view)) {
    if (!selection) continue
    const states: RowState[] = []
    for (const { change } of ofView) {
      states.push(change.kind.rowOf(source.company, change.after, change.unseen.after))
      await source.store.steps.pause()
    }
    const records = await selectedRecords(source, selection, states)
    for (const [index, telling] of ofView.entries()) telling.record = records[index] ?? ''
  }
}
