// How the rows of a question are searched for, and how far that may reach, for a store that must not be held up.
import type { DocumentDefinition, ValueProperty } from '../../model/document.ts'
import type { BoundExpression, BoundOperand } from '../../query/bound.ts'
import type { Plan } from '../../query/plan.ts'
import type { SelectedProperty } from '../../query/plan-select.ts'
import type { BoundText, CompiledQuery, KeyFilter } from '../store.ts'
import { type Choice, type Condition, chooseIndex, type IndexQuery } from './choose-index.ts'
import { FilterCompiler } from './compile-filter.ts'
import { SqlParameters } from './emitter.ts'
import type { Expressions } from './expressions.ts'
import { FromClause } from './rows.ts'
import { BY_KEY, type SoughtText, soughtText, textEdge } from './sought-text.ts'
import { successorOf } from './successor.ts'
import { whereOf } from './where.ts'
import { workOf } from './work.ts'

/** What is asked of one document. */
export interface Asked {
  readonly definition: DocumentDefinition
  readonly scope: KeyFilter
  readonly filter: BoundExpression | undefined
  readonly order: Plan['order']
}

export interface Search extends Asked {
  /** Conditions of the scope and the filter that an index can find, each with what it was made of. */
  readonly conditions: ReadonlyMap<Condition, KeyFilter[number] | BoundExpression>
  /** Absent where the database chooses. */
  readonly choice: Choice | undefined
  /** There are no other conditions than these. */
  readonly isSearchable: boolean
  /** The chosen index finds just the rows that meet all conditions. */
  readonly isExact: boolean
  /** A text that must stand in one column, which has an index for that. */
  readonly text: SoughtText | undefined
  /** Some index of the table has all columns that conditions and order name. */
  readonly isCovered: boolean
}

/** What an index could do for what is asked; the terms are the conditions that every row meets. */
export function questionFor(asked: Asked) {
  const { scope, filter } = asked
  const terms = filter === undefined ? [] : termsOf(filter)
  const conditions = new Map<Condition, KeyFilter[number] | BoundExpression>()
  for (const entry of scope) conditions.set(scopeCondition(entry), entry)
  for (const term of terms) {
    const condition = conditionOf(term)
    if (condition) conditions.set(condition, term)
  }
  return { question: questionOf(asked, conditions), conditions, terms }
}

export function searchFor(asked: Asked, engine: Expressions): Search {
  const { definition, scope } = asked
  const { question, conditions, terms } = questionFor(asked)
  const { indexes } = definition
  const choice = engine.pinned && indexes ? chooseIndex(keyColumns(definition), indexes, question) : undefined
  const isSearchable = conditions.size === scope.length + terms.length
  return {
    ...asked,
    conditions,
    choice,
    isSearchable,
    isExact: isSearchable && choice?.search.size === conditions.size,
    isCovered: isCovered(definition, question.columns),
    // A database that chooses by itself is told of the index in any case.
    text: engine.pinned ? undefined : soughtText(definition, scope, terms),
  }
}

/** For an engine that is told how to search: the query of the rows that a text index finds, where there is one. */
export function byTextOf(
  search: Search,
  engine: Expressions,
  reach: Pick<CompiledQuery['scanEstimate'], 'rows' | 'work'>,
  compile: (search: Search) => BoundText,
): CompiledQuery | undefined {
  const { definition, scope, filter, conditions } = search
  if (!engine.pinned) return undefined
  const sought = soughtText(definition, scope, filter === undefined ? [] : termsOf(filter))
  if (!sought) return undefined
  const text = withoutFixed(sought, [...conditions.keys()])
  const edge = (visits: number) => textEdge(text, engine, visits)
  // It is asked only when few rows are found.
  const plan = { isExact: true, isInOrder: true, isCovering: false }
  return { ...compile({ ...search, text, choice: BY_KEY }), scanEstimate: { ...reach, most: 0, plan, edge } }
}

/** SQLite would walk the text index a second time to compare columns that other conditions have fixed already. */
function withoutFixed({ index, ...sought }: SoughtText, conditions: readonly Condition[]): SoughtText {
  const fixed = new Set(conditions.filter(({ kind }) => kind === 'equal').map(({ column }) => column))
  const key = index.key.filter((column) => !fixed.has(column))
  return { ...sought, index: key.length === 0 ? index : { ...index, key } }
}

function isCovered(definition: DocumentDefinition, columns: IndexQuery['columns']): boolean {
  if (!definition.indexes || !columns) return false
  const whole = definition.indexes.filter(({ without }) => without === undefined)
  const all = [keyColumns(definition), ...whole.map((index) => index.columns)]
  return all.some((index) => [...columns].every((column) => index.includes(column)))
}

/** The primary key of a table of ours. */
export function keyColumns({ key, properties, companyColumn }: DocumentDefinition): string[] {
  const columns = key.map((name) => ownColumn(properties[name] as ValueProperty) ?? '')
  return [companyColumn, ...columns.filter((column) => column !== companyColumn)]
}

export function scanEstimateOf(
  search: Search,
  engine: Expressions,
  window: { readonly rows: number; readonly offset: number; readonly select: readonly SelectedProperty[] },
  before?: CompiledQuery['scanEstimate']['before'],
): CompiledQuery['scanEstimate'] {
  const { rows, select } = window
  const most = rows + window.offset
  const { choice, conditions, isSearchable } = search
  const edge = (visits: number, columns?: ReadonlySet<string>) => edgeOf(search, engine, visits, columns)
  const work = workOf(search, select, choice?.isCovering === true)
  if (!choice) return { rows, most, work, edge, bounds: isSearchable ? boundsOf([...conditions.keys()]) : undefined }
  const { isInOrder, isCovering, walked } = choice
  const { isExact } = search
  return { rows, most, work, edge, plan: { isExact, isInOrder, isCovering }, ...(before && walked ? { before } : {}) }
}

/**
 * The row with which a search has visited so many. Its column, where there is one, is that by which the rows are found.
 * Where nothing says how they are found, that is any row of the table.
 */
function edgeOf(
  search: Search,
  engine: Expressions,
  visits: number,
  columns?: ReadonlySet<string>,
): Pick<CompiledQuery, 'text' | 'parameters'> {
  const { choice, definition } = search
  const sql = new SqlParameters(engine, '')
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
  return { text, parameters: sql.parameters }
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

/** Nothing for a term that no index alone can find. */
function conditionOf(term: BoundExpression): Condition | undefined {
  switch (term.kind) {
    case 'in':
      return conditionOn(
        term.operand,
        'list',
        term.values.map(({ value }) => value),
      )
    case 'compare':
      if (term.op === 'ne' || term.right.kind !== 'value') return undefined
      return conditionOn(term.left, KINDS[term.op], [term.right.value])
    case 'test': {
      const { operand } = term
      if (operand.kind !== 'call' || operand.name !== 'startswith') return undefined
      const [text, start] = operand.args
      if (!text || start?.kind !== 'value' || typeof start.value !== 'string') return undefined
      return conditionOn(text, successorOf(start.value) === undefined ? 'lower' : 'both', [start.value])
    }
    default:
      return undefined
  }
}

/** Only columns of the document's own table count: those of joined rows are looked at after it was searched. */
function conditionOn(
  operand: BoundOperand,
  kind: Condition['kind'],
  values: Condition['values'],
): Condition | undefined {
  if (operand.kind !== 'property' || operand.place.item !== undefined || operand.place.via.length > 0) return undefined
  const column = ownColumn(operand.property)
  return column === undefined ? undefined : { column, kind, values }
}

/** How many bounds of a search say the same as the conditions. */
function boundsOf(conditions: readonly Condition[]): number {
  return conditions.reduce((sum, { kind }) => sum + (kind === 'both' ? 2 : 1), 0)
}

function questionOf({ definition, scope, filter, order }: Asked, conditions: Search['conditions']): IndexQuery {
  const columns = new Set([...keyColumns(definition), ...scope.map(([column]) => column)])
  const isPlain = filter === undefined || namesOwnColumns(filter, columns)
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
    columns: isPlain && isByColumns ? columns : undefined,
  }
}

/** Whether a filter needs nothing but columns of the document's own table; adds them. */
function namesOwnColumns(filter: BoundExpression, columns: Set<string>): boolean {
  const inOperand = (operand: BoundOperand): boolean => {
    if (operand.kind === 'value') return true
    if (operand.kind === 'call') return operand.args.every(inOperand)
    const { property, place } = operand
    const { source } = property
    if (place.item !== undefined || place.via.length > 0 || !('column' in source) || source.table !== undefined)
      return false
    columns.add(source.column)
    return true
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
      return false
  }
}

/** The column that a property is compared by as it is stored, so that an index on it serves. */
function ownColumn({ source }: ValueProperty): string | undefined {
  if (!('column' in source) || source.table !== undefined) return undefined
  return source.storedAs === undefined || source.storedAs === 'text' ? source.column : undefined
}
