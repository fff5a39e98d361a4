// Decides what a caller is told of changes: a record that it may see before and after is updated, one that it may see
// only before or only after has left or entered what it may see, unless it is gone or new.

import { joinedObjects } from '../../base/text.ts'
import type { Columns } from '../../records/kinds/kind.ts'
import type { CompanyRules } from '../../setup/rules/rules.ts'
import type { RowState } from '../../sql/rows/given-rows.ts'
import { ChangesGone } from '../changes-gone.ts'
import type { LogSource } from '../log-source.ts'
import type { RecordChange } from '../record-change.ts'
import { type StateSource, selectedRecords, visibleStates } from './ask-states.ts'
import { changedLines } from './changed-lines.ts'
import { changedPaths } from './changed-paths.ts'
import type { EntityView } from './entity-view.ts'
import { withStamps } from './stamps.ts'
import {
  operationOf,
  type Visibility,
  type VisibleChange,
  type VisibleOperation,
  visibleChange,
} from './visible-change.ts'

export interface ChangesSource extends StateSource {
  readonly store: LogSource
  readonly company: CompanyRules
}

/** A change of which the caller is told. */
interface ChangeInView {
  readonly change: RecordChange
  readonly view: EntityView
  readonly operation: VisibleOperation
  readonly changed: readonly string[]
  /** The record without hidden members; empty when it is not told. */
  record: string
}

/** What a caller is told of changes, in their order. Throws `ChangesGone` when that cannot be known any more. */
export async function visibleChanges(
  source: ChangesSource,
  logged: readonly RecordChange[],
  viewOf: (change: RecordChange) => EntityView,
): Promise<VisibleChange[]> {
  const needsStamps = logged.some((change) => viewOf(change).asksForStamp)
  const changes = needsStamps ? await withStamps(source.store, source.company, logged) : logged
  const visibility = await visibilityOf(source, changes, viewOf)
  const visible: ChangeInView[] = []
  for (const change of changes) {
    const inView = changeInView(change, viewOf(change), visibility)
    if (inView) visible.push(inView)
    await source.store.steps.pause()
  }
  await select(source, visible)
  return visible.map(({ change, operation, changed, record }) =>
    visibleChange(source.company.id, change, operation, changed, record),
  )
}

type VisibilityOf = (change: RecordChange) => Visibility

async function visibilityOf(
  source: ChangesSource,
  changes: readonly RecordChange[],
  viewOf: (change: RecordChange) => EntityView,
): Promise<VisibilityOf> {
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
function changeInView(change: RecordChange, view: EntityView, visibility: VisibilityOf): ChangeInView | undefined {
  const { before, after } = visibility(change)
  const inView = { change, view, changed: [], record: '' }
  if (!after) {
    return before ? { ...inView, operation: operationOf(change, false) } : undefined
  }
  const record = view.access.redact(change.after)
  if (!before) return { ...inView, record, operation: operationOf(change, true) }
  if (change.isBeforeUnknown) throw new ChangesGone([change.kind.name])
  const changed = [...changedPaths(view.access.redact(change.before), record), ...changedLines(change, view.access)]
  if (changed.every((path) => STAMP.test(path))) {
    if (!view.showsLastUpdated) return undefined
    if (changed.length === 0 && hasNewStamp(change)) changed.push(LAST_UPDATED)
  }
  return changed.length === 0 ? undefined : { ...inView, record, changed, operation: 'updated' }
}

/** What is told to differ when all that was changed is hidden, but not that something was. */
const LAST_UPDATED = '/lastUpdated/updatedAt'
/** Documents of the archive name the member in their own way. */
const STAMP = /^\/lastUpdated?\//

/** Whether queries show another time of the last change; a change of a relation leaves that of its owner. */
function hasNewStamp({ unseen: { before, after } }: RecordChange): boolean {
  return before.updated_at !== after.updated_at
}

/** Replaces records by their selected properties, or adds the members that the log does not have. */
async function select(source: ChangesSource, visible: readonly ChangeInView[]): Promise<void> {
  const withRecord = visible.filter(({ record }) => record !== '')
  for (const [{ selection, members, asksMembers }, ofView] of Map.groupBy(withRecord, ({ view }) => view)) {
    const query = selection ?? asksMembers
    if (!query) continue
    const states: RowState[] = []
    for (const { change } of ofView) {
      states.push(change.kind.rowOf(source.company, change.after, change.unseen.after))
      await source.store.steps.pause()
    }
    const records = await selectedRecords(source, query, states)
    for (const [index, inView] of ofView.entries()) {
      const found = records[index] ?? ''
      inView.record = members ? joinedObjects(inView.record, members.inGet(found)) : found
      await source.store.steps.pause()
    }
  }
}
