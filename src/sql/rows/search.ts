// How the rows of a query are searched for, and the scan estimate, for a store whose thread must not be blocked.

import type { DocumentDefinition, ValueProperty } from '../../model/document.ts'
import type { BoundExpression, BoundOperand, BoundProperty } from '../../query/bound.ts'
import type { Plan } from '../../query/plan.ts'
import type { SelectedProperty } from '../../query/plan-select.ts'
import { type Dialect, type SqlValue, textLiteral } from '../dialect.ts'
import { type Choice, type Condition, chooseIndex, type IndexQuery, isSteady } from './choose-index.ts'
import { FilterCompiler } from './compile-filter.ts'
import {
  type BoundText,
  type CompiledQuery,
  companyIn,
  costly,
  type KeyFilter,
  type ScanEstimate,
} from './compiled-query.ts'
import { SqlParameters } from './emitter.ts'
import { type RowSource, withoutIndexes } from './row-source.ts'
import { FromClause } from './rows.ts'
import { BY_KEY, mayHave, type SoughtText, soughtText, textEdge } from './sought-text.ts'
import { hasSuccessor } from './successor.ts'
import { answerBytes, workOf } from './work.ts'

/** The conditions and order of a query on one document. */
export interface Requested {
  readonly definition: DocumentDefinition
  readonly scope: KeyFilter
  readonly filter: BoundExpression | undefined
  readonly order: Plan['order']
  /** For groups of rows, what else is read of each row that meets the conditions; the order is that of the groups. */
  readonly reads?: readonly BoundProperty[]
  /** The rows to read in place of those of the document's tables. */
  readonly source?: RowSource | undefined
}

export interface Search extends Requested {
  /** Conditions of the scope and the filter that an index can serve, each with its source. */
  readonly conditions: ReadonlyMap<Condition, KeyFilter[number] | BoundExpression>
  /** Undefined where the database chooses. */
  readonly choice: Choice | undefined
  /** Where the database chooses: what it must choose, if one plan of it serves all values of the query. */
  readonly steady: Choice | undefined
  /** What the conditions are written for: the choice, or in a statement for all values what is steady. */
  readonly served: Choice | undefined
  /** Whether the statement is for all values. */
  readonly isOnePlan?: boolean
  /** An index can serve all conditions. */
  readonly isSearchable: boolean
  /** The chosen index finds exactly the rows that meet all conditions. */
  readonly isExact: boolean
  /** A text that one column must contain, when that column has a text index. */
  readonly text: SoughtText | undefined
}

/** The query as an index could serve it; the terms are the conditions that every row meets. */
export function questionFor(requested: Requested) {
  const { scope, filter } = requested
  const terms = filter === undefined ? [] : termsOf(filter)
  const conditions = new Map<Condition, KeyFilter[number] | BoundExpression>()
  for (const entry of scope) conditions.set(scopeCondition(entry), entry)
  for (const term of terms) {
    const condition = conditionOf(term)
    if (condition) conditions.set(condition, term)
  }
  return { question: indexQueryOf(requested, conditions), conditions, terms }
}

export function searchFor(given: Requested, dialect: Dialect): Search {
  const requested = given.source ? { ...given, definition: withoutIndexes(given.definition) } : given
  const { definition, scope } = requested
  const { question, conditions, terms } = questionFor(requested)
  const { indexes } = definition
  const byRules = indexes && chooseIndex(keyColumns(definition), indexes, question)
  const isSearchable = conditions.size === scope.length + terms.length
  const isForAll = byRules && isSearchable && !definition.unfolding && isSteady(byRules, indexes, question)
  const choice = dialect.pinned ? byRules : undefined
  return {
    ...requested,
    conditions,
    choice,
    served: choice,
    steady: isForAll && !dialect.pinned ? byRules : undefined,
    isSearchable,
    isExact: isSearchable && choice?.search.size === conditions.size,
    // A database that chooses itself always gets the condition for the text index.
    text: dialect.pinned ? undefined : soughtText(definition, scope, terms),
  }
}

/** Which rows of the search a query answers, and what of each. */
interface Window {
  readonly rows: number
  readonly offset: number
  readonly select: readonly SelectedProperty[]
}

/** Compiles a query, with a scan estimate where the dialect needs one. `before` is as in the estimate. */
export function compileSearch(
  search: Search,
  dialect: Dialect,
  window: Window,
  compile: (search: Search) => BoundText,
  before?: ScanEstimate['before'],
): CompiledQuery {
  const query = { ...compile(search), rows: window.rows, rowBytes: answerBytes(window.select) }
  if (!dialect.needsScanEstimate) return query
  const scanEstimate = scanEstimateOf(search, dialect, window, before)
  // How many items a row has is not known before they are read.
  if (search.definition.unfolding) return costly({ ...query, scanEstimate })
  const byText = byTextOf(search, dialect, scanEstimate, compile)
  return { ...query, scanEstimate, ...(byText ? { byText: { ...query, ...byText } } : {}) }
}

/** The query of the rows that a text index finds, if there is one. */
function byTextOf(
  search: Search,
  dialect: Dialect,
  { work }: ScanEstimate,
  compile: (search: Search) => BoundText,
): (BoundText & Pick<CompiledQuery, 'scanEstimate'>) | undefined {
  const { definition, scope, filter, conditions } = search
  const sought = soughtText(definition, scope, filter === undefined ? [] : termsOf(filter))
  if (!sought) return undefined
  const text = withoutFixed(sought, [...conditions.keys()])
  const edge = (visits: number) => textEdge(text, dialect, visits)
  // It is only used when few rows are found.
  const plan = { isExact: true, isInOrder: true, isCovering: false }
  return { ...compile({ ...search, text, choice: BY_KEY }), scanEstimate: { most: 0, work, plan, edge } }
}

/** The parameters of the statement of a search. */
export function parametersOf({ definition, scope, source, isOnePlan }: Search, dialect: Dialect, language = '') {
  return new SqlParameters(dialect, companyIn(definition, scope), language, source, isOnePlan)
}

/** The query with a second text where one plan of the database serves all values. */
export function withOnePlan(
  query: CompiledQuery,
  search: Search,
  compile: (search: Search) => BoundText,
): CompiledQuery {
  return search.steady ? { ...query, onePlan: compile({ ...search, served: search.steady, isOnePlan: true }) } : query
}

/** Removes key columns that equality conditions already fix: SQLite would scan the text index again to compare them. */
function withoutFixed({ index, ...sought }: SoughtText, conditions: readonly Condition[]): SoughtText {
  const fixed = new Set(conditions.filter(({ kind }) => kind === 'equal').map(({ column }) => column))
  const key = index.key.filter((column) => !fixed.has(column))
  return { ...sought, index: key.length === 0 ? index : { ...index, key } }
}

/** The primary key columns of a built-in or declared table. */
export function keyColumns({ key, properties, companyColumn }: DocumentDefinition): string[] {
  const columns = key.map((name) => ownColumn(properties[name] as ValueProperty) ?? '')
  return [companyColumn, ...columns.filter((column) => column !== companyColumn)]
}

function scanEstimateOf(
  search: Search,
  dialect: Dialect,
  { rows, offset, select }: Window,
  before: ScanEstimate['before'],
): ScanEstimate {
  const most = rows + offset
  const { choice, conditions, isSearchable } = search
  const edge = (visits: number, columns?: ReadonlySet<string>) => edgeOf(search, dialect, visits, columns)
  const work = workOf(search, select, choice?.isCovering === true)
  if (!choice) return { most, work, edge, bounds: isSearchable ? boundsOf([...conditions.keys()]) : undefined }
  const { isInOrder, isCovering, walked } = choice
  const { isExact } = search
  return { most, work, edge, plan: { isExact, isInOrder, isCovering }, ...(before && walked ? { before } : {}) }
}

/**
 * A query for the row at which a search has visited `visits` rows. It returns the column by which the rows are found,
 * if any. Without a known search that is any row of the table.
 */
function edgeOf(search: Search, dialect: Dialect, visits: number, columns?: ReadonlySet<string>): BoundText {
  const { choice, definition } = search
  const sql = parametersOf(search, dialect)
  const rows = FromClause.of(definition, sql, 't', choice)
  const inside = [...search.conditions].filter(([one, part]) =>
    choice ? choice.search.has(one) : columns !== undefined && (Array.isArray(part) || columns.has(one.column)),
  )
  const parts = inside.map(([, part]) => part)
  const scope = parts.filter((part) => Array.isArray(part)) as KeyFilter
  const terms = parts.filter((part) => !Array.isArray(part)) as BoundExpression[]
  const filter = terms.length > 0 ? { kind: 'and' as const, terms } : undefined
  const where = whereOf(sql, rows, new FilterCompiler(sql, rows), scope, filter, choice)
  const walked = choice?.walked
  const column = walked && rows.own(walked.column)
  const order = walked ? ` order by ${column}${walked.isDescending ? ' desc' : ''}` : ''
  const text = `select ${column ?? 1} from ${rows.from.text()} ${where}${order} limit 1 offset ${visits}`
  return sql.statement(text)
}

function termsOf(filter: BoundExpression): readonly BoundExpression[] {
  return filter.kind === 'and' ? filter.terms.flatMap(termsOf) : [filter]
}

function scopeCondition([column, value]: KeyFilter[number]): Condition {
  return Array.isArray(value)
    ? { column, kind: 'list', values: value, isWeak: true }
    : { column, kind: 'equal', values: [value], isWeak: value === 0 }
}

const KINDS = { eq: 'equal', gt: 'lower', ge: 'lower', lt: 'upper', le: 'upper' } as const

/** Undefined for a term that no index can serve. */
function conditionOf(term: BoundExpression): Condition | undefined {
  switch (term.kind) {
    case 'in':
      return conditionOn(term.operand, 'list', term.values)
    case 'compare':
      if (term.op === 'ne' || term.right.kind !== 'value') return undefined
      return conditionOn(term.left, KINDS[term.op], [term.right])
    case 'test': {
      const { operand } = term
      if (operand.kind !== 'call' || operand.name !== 'startswith') return undefined
      const [text, start] = operand.args
      if (!text || start?.kind !== 'value') return undefined
      return conditionOn(text, hasSuccessor(start) ? 'both' : 'lower', [start])
    }
    default:
      return undefined
  }
}

/** Only columns of the document's table count: joined rows are read after the search. */
function conditionOn(
  operand: BoundOperand,
  kind: Condition['kind'],
  values: Condition['values'],
): Condition | undefined {
  if (operand.kind !== 'property' || operand.place.item !== undefined || operand.place.via.length > 0) return undefined
  const column = ownColumn(operand.property)
  return column === undefined ? undefined : { column, kind, values }
}

/** The number of search bounds that are equivalent to the conditions. */
function boundsOf(conditions: readonly Condition[]): number {
  return conditions.reduce((sum, { kind }) => sum + (kind === 'both' ? 2 : 1), 0)
}

function indexQueryOf(
  { definition, scope, filter, order, reads = [] }: Requested,
  conditions: Search['conditions'],
): IndexQuery {
  const columns = new Set([...keyColumns(definition), ...scope.map(([column]) => column)])
  const isPlain =
    (filter === undefined || namesOwnColumns(filter, columns)) && reads.every((one) => isOwn(one, columns))
  const wanted = order
    .filter(({ by }) => !('constant' in by.property.source))
    .map(({ by, isDescending }) => {
      const column = by.place.via.length === 0 ? ownColumn(by.property) : undefined
      return column === undefined ? undefined : { column, isDescending }
    })
  const isByColumns = wanted.every((one) => one !== undefined)
  for (const one of wanted) if (one) columns.add(one.column)
  return {
    conditions: [...conditions.keys()],
    order: isByColumns ? wanted : undefined,
    // No index has columns of items.
    columns: isPlain && isByColumns && !definition.unfolding ? columns : undefined,
  }
}

/** Whether a filter only needs columns of the document's table; adds them to `columns`. */
function namesOwnColumns(filter: BoundExpression, columns: Set<string>): boolean {
  const inOperand = (operand: BoundOperand): boolean => {
    if (operand.kind === 'value') return true
    if (operand.kind === 'call') return operand.args.every(inOperand)
    return isOwn(operand, columns)
  }
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.terms.every((term) => namesOwnColumns(term, columns))
    case 'not':
      return namesOwnColumns(filter.term, columns)
    case 'compare':
      return inOperand(filter.left) && inOperand(filter.right)
    case 'in':
    case 'test':
      return inOperand(filter.operand)
    case 'any':
    case 'all':
    case 'words':
      return false
  }
}

/** Whether a property is a column of the document's table; adds it to `columns`. */
function isOwn({ property: { source }, place }: BoundProperty, columns: Set<string>): boolean {
  if (place.item !== undefined || place.via.length > 0 || !('column' in source) || source.table !== undefined)
    return false
  columns.add(source.column)
  return true
}

/** The column of a property if it is compared in its stored form, so that an index can be used. */
function ownColumn({ source }: ValueProperty): string | undefined {
  if (!('column' in source) || source.table !== undefined) return undefined
  return source.storedAs === undefined || source.storedAs === 'text' ? source.column : undefined
}

/**
 * The WHERE clause: the scope, the filter, and for a partial index the condition that its missing rows are excluded.
 */
export function whereOf(
  sql: SqlParameters,
  rows: FromClause,
  filters: FilterCompiler,
  scope: KeyFilter,
  filter: BoundExpression | undefined,
  choice?: Choice,
  text?: SoughtText,
): string {
  const fixed = scope.map(([column, value]) => {
    const bind = (one: SqlValue) => sql.bind(one, typeof one === 'number' ? 'integer' : 'string', true)
    if (!Array.isArray(value)) return rows.has(column, () => bind(value as SqlValue))
    return `${rows.own(column)} in (${value.map(bind).join(', ')})`
  })
  const { without } = choice?.index ?? {}
  if (without) fixed.push(`${rows.own(without.column)} <> ${textLiteral(without.value)}`)
  if (text) fixed.push(mayHave(text, rows, sql))
  if (filter) fixed.push(filters.condition(filter))
  return fixed.length === 0 ? '' : `where ${fixed.join(' and ')}`
}
