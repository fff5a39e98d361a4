// Which states of records the row rule of a caller lets it see.
import { memo } from '../../base/memo.ts'
import type { DocumentDefinition } from '../../model/document.ts'
import { rowRuleOf } from '../../query/row-rule.ts'
import type { RecordAccess } from '../../records/shared/record-access.ts'
import type { CompanyRules } from '../../setup/rules/rules.ts'
import type { StatesQuery } from '../../sql/compile/compile-states.ts'
import type { RowState } from '../../sql/rows/given-rows.ts'
import { type StateSource, visibleStates } from '../feed/ask-states.ts'
import type { RecordChange } from '../record-change.ts'

/** Whether a caller may see a record before and after a change. */
export interface Sight {
  readonly before: boolean
  readonly after: boolean
}

export async function isInSight(source: StateSource, { document, hasRowRule }: RecordAccess, state: RowState) {
  return !hasRowRule || (await visibleStates(source, queryOf(document), [state])).has(0)
}

/** The sight of changes with all columns of their rows, in their order. */
export async function sightOf(
  source: StateSource,
  company: CompanyRules,
  { document, hasRowRule }: RecordAccess,
  changes: readonly RecordChange[],
): Promise<Sight[]> {
  const there = changes.map(({ before, after }) => ({ before: before !== '', after: after !== '' }))
  if (!hasRowRule) return there
  const states: RowState[] = []
  const numbers = changes.map(({ kind, before, after, unseen }) => ({
    before: before === '' ? -1 : states.push(kind.rowOf(company, before, unseen.before)) - 1,
    after: after === '' ? -1 : states.push(kind.rowOf(company, after, unseen.after)) - 1,
  }))
  const visible = await visibleStates(source, queryOf(document), states)
  return numbers.map(({ before, after }) => ({ before: visible.has(before), after: visible.has(after) }))
}

const queryOf = memo(
  (definition: DocumentDefinition): StatesQuery => ({
    definition,
    filter: rowRuleOf(definition),
    scope: [],
    select: [],
    language: '',
  }),
)
