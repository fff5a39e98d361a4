// Compiles a plan to one statement in which the database builds the text of the answer. Identifiers come only from the
// definition; every value of the query is a bound parameter.

import type { DocumentDefinition, JsonList, Properties, ValueType } from '../../model/document.ts'
import type { BoundExpression, BoundProperty } from '../../query/bound.ts'
import type { Plan } from '../../query/plan.ts'
import type { SelectedProperty } from '../../query/plan-select.ts'
import type { Dialect, JsonCell, JsonMember } from '../dialects/dialect.ts'
import type { AnswerCell } from '../store.ts'
import type { Choice } from './choose-index.ts'
import { FilterCompiler } from './compile-filter.ts'
import type { AnswerForm, BoundText, CompiledQuery, EdgeValue, KeyFilter } from './compiled-query.ts'
import { SqlParameters } from './emitter.ts'
import { FromClause } from './rows.ts'
import { compileSearch, keyColumns, type Search, searchFor, whereOf } from './search.ts'
import type { RowSource } from './states/row-source.ts'

export interface CompileOptions {
  /** The language of descriptions: one of the company's value lists. */
  readonly language?: string
  readonly form?: AnswerForm
  /** The rows to read in place of those of the document's tables. */
  readonly source?: RowSource | undefined
  /** The limit when the plan has none. */
  readonly cap?: number | undefined
}

/** Compiles the query for the rows of a plan within a scope. */
export function compileCollection(
  plan: Plan,
  scope: KeyFilter,
  dialect: Dialect,
  options: CompileOptions = {},
): CompiledQuery {
  const search = searchFor({ ...plan, scope, source: options.source }, dialect)
  const rows = plan.limit ?? options.cap ?? Number.POSITIVE_INFINITY
  const window = { rows, offset: plan.offset, select: plan.select }
  const compile = (found: Search, edge?: EdgeValue) => statementOf(plan, found, dialect, options, edge)
  return compileSearch(search, dialect, window, compile, (edge) => compile(search, edge))
}

/** `edge`: returns only rows before this value of the column by which they are found. */
function statementOf(
  plan: Plan,
  search: Search,
  dialect: Dialect,
  { language = '', form = 'array', cap }: CompileOptions,
  edge?: EdgeValue,
): BoundText {
  const sql = new SqlParameters(dialect, language, search.source)
  const rows = FromClause.of(plan.definition, sql, 't', search.choice)
  const select = form === 'cells' ? plan.columns : plan.select
  const members = select.map((selected) => memberOf(selected, rows, sql))
  const usesKeys = isFoundByKeys(search, plan, rows)
  const usesSubselect = usesKeys || dialect.selectsBeforeLimit
  const pageRows = usesSubselect ? FromClause.of(plan.definition, sql, 't', search.choice) : rows
  const page = pageOf(plan, search, plan.limit ?? cap, pageRows, sql, edge)
  const from = usesKeys
    ? fromKeys(rows, page, search, sql)
    : usesSubselect
      ? fromPage(rows, page, isFar(search, plan) ? keyColumns(plan.definition) : undefined, sql)
      : `from ${textOf(page)}`
  const text =
    form === 'array'
      ? dialect.jsonArray(members, from)
      : form === 'rows'
        ? dialect.jsonRows(members, from)
        : dialect.cells(flat(members), from)
  return sql.statement(text)
}

/**
 * Whether more index entries are visited than rows answered, and the index covers the conditions but not the answer.
 * Otherwise SQLite would read the row of each entry; where all of them are answered, that is cheaper than a join.
 */
function isFoundByKeys({ choice, isExact }: Search, { limit = 0, offset }: Plan, rows: FromClause): boolean {
  if (!choice?.isCovering || choice.isPrimary) return false
  if (isExact && choice.isInOrder && offset <= limit) return false
  return [...rows.columns].some((column) => !choice.index.columns.includes(column))
}

/** The rows of the answer and their order. */
interface Page {
  readonly rows: FromClause
  readonly where: string
  readonly order: readonly { readonly sql: string; readonly direction: string }[]
  /** The limit and offset clause. */
  readonly window: string
}

function pageOf(
  plan: Plan,
  { scope, choice, text }: Search,
  most: number | undefined,
  rows: FromClause,
  sql: SqlParameters,
  edge: EdgeValue | undefined,
): Page {
  const filters = new FilterCompiler(sql, rows)
  const all = whereOf(sql, rows, filters, scope, plan.filter, choice, text)
  const where = edge === undefined ? all : `${all} and ${isBefore(edge, rows, choice, sql)}`
  const order = plan.order
    .filter(({ by }) => !isSameForAll(by, scope))
    .flatMap(({ by, isDescending }) => {
      const { start, sql } = filters.property(by)
      return [...(start ? [start.order] : []), sql].map((one) => ({
        sql: one,
        direction: isDescending ? ' desc' : '',
      }))
    })
  const limit = most === undefined ? undefined : sql.bind(most, 'integer')
  return { rows, where, order, window: sql.dialect.window(limit, sql.bind(plan.offset, 'integer')) }
}

function isBefore(edge: EdgeValue, rows: FromClause, choice: Choice | undefined, sql: SqlParameters): string {
  if (!choice?.walked) throw new Error('rows that are found in no order have no edge')
  const { column, isDescending } = choice.walked
  return `${rows.own(column)} ${isDescending ? '>' : '<'} ${sql.bind(edge, typeof edge === 'string' ? 'string' : 'integer')}`
}

/**
 * A value that is the same for every row has no effect on the order, and SQL would interpret a numeric constant as the
 * position of a column.
 */
function isSameForAll({ property: { source }, place }: BoundProperty, scope: KeyFilter): boolean {
  if ('constant' in source) return true
  if (!('column' in source) || source.table !== undefined || place.via.length > 0) return false
  return scope.some(([column, value]) => column === source.column && !Array.isArray(value))
}

function textOf({ rows, where, order, window }: Page): string {
  return `${rows.from.text()} ${where}${orderBy(order.map(({ sql, direction }) => sql + direction))}${window}`
}

function orderBy(terms: readonly string[]): string {
  return terms.length === 0 ? '' : ` order by ${terms.join(', ')}`
}

/** From this ratio of skipped to answered rows on, it pays to read the rows of the page in a second lookup. */
const FAR_RATIO = 10

/** Whether many rows are skipped that an index alone can find. */
function isFar({ isCovered }: Search, { limit, offset }: Plan): boolean {
  return isCovered && limit !== undefined && offset >= FAR_RATIO * limit
}

/**
 * The page is found in a subselect of plain columns, whose rows `rows` then are. With `key` it selects only the key, by
 * which the rows are then looked up. Joins may change the order of the rows, so the subselect also returns the sort
 * values.
 */
function fromPage(rows: FromClause, page: Page, key: readonly string[] | undefined, sql: SqlParameters): string {
  const { quote } = sql.dialect
  const columns = key ?? [...rows.columns]
  const named = (key || rows.from.hasJoins ? page.order : []).map((one, at) => {
    return { ...one, name: quote(unusedName(`order${at + 1}`, new Set(columns))) }
  })
  const selected = columns.map((column) => `${page.rows.alias}.${quote(column)}`)
  selected.push(...named.map(({ sql, name }) => `${sql} as ${name}`))
  const alias = key ? 'k' : rows.alias
  const found = `(select ${selected.join(', ')} from ${textOf(page)}) ${alias}`
  const same = key?.map((column) => `${rows.alias}.${quote(column)} = ${alias}.${quote(column)}`).join(' and ')
  const first = same === undefined ? found : `${found} join ${rows.from.first} on ${same}`
  return `from ${rows.from.text(first)}${orderBy(named.map(({ name, direction }) => `${alias}.${name}${direction}`))}`
}

/**
 * The keys of the page are found in a covering index, then their rows. SQLite preserves the table order of a cross
 * join, so the rows have the order of the page.
 */
function fromKeys(rows: FromClause, page: Page, { definition, choice }: Search, sql: SqlParameters): string {
  const { quote } = sql.dialect
  const key = keyColumns(definition).map(quote)
  const keys = key.map((column) => `${page.rows.alias}.${column}`).join(', ')
  const same = key.map((column) => `${rows.alias}.${column} = k.${column}`).join(' and ')
  const byKey = FromClause.of(definition, sql, rows.alias, choice && { ...choice, isPrimary: true }).from.text()
  return `from ${rows.from.text(`(select ${keys} from ${textOf(page)}) k cross join ${byKey} on ${same}`)}`
}

/** An external table may have any column names. */
function unusedName(name: string, used: ReadonlySet<string>): string {
  return used.has(name) ? unusedName(`${name}_`, used) : name
}

/** A count visits every row. */
const ALL = Number.POSITIVE_INFINITY

/** Compiles the query that counts the rows within a scope that meet a filter: one row with one column. */
export function compileCount(
  definition: DocumentDefinition,
  filter: BoundExpression | undefined,
  scope: KeyFilter,
  dialect: Dialect,
  source?: RowSource,
): CompiledQuery {
  const search = searchFor({ definition, scope, filter, order: [], source }, dialect)
  return compileSearch(search, dialect, { rows: 1, offset: ALL, select: [] }, (found) => countOf(found, dialect))
}

function countOf({ definition, scope, filter, choice, text, source }: Search, dialect: Dialect): BoundText {
  const sql = new SqlParameters(dialect, '', source)
  const rows = FromClause.of(definition, sql, 't', choice)
  const where = whereOf(sql, rows, new FilterCompiler(sql, rows), scope, filter, choice, text)
  return sql.statement(`select count(*) as total from ${rows.from.text()} ${where}`)
}

/** The columns of an answer in cells; members of a group are named `group.property`. */
export function cellsOf(select: readonly SelectedProperty[]): AnswerCell[] {
  return select.flatMap((selected): AnswerCell[] => {
    const { kind, name } = selected
    if (kind === 'group' || kind === 'association') {
      return cellsOf(selected.properties).map((cell) => ({ ...cell, name: `${name}.${cell.name}` }))
    }
    return [{ name, type: kind === 'value' ? CELL_TYPES[selected.property.type] : 'text' }]
  })
}

const CELL_TYPES: Readonly<Record<ValueType, AnswerCell['type']>> = {
  string: 'text',
  integer: 'number',
  number: 'number',
  decimal: 'number',
  boolean: 'boolean',
  'date-time': 'date-time',
}

/** A selected property as a member of the answer. */
export function memberOf(selected: SelectedProperty, rows: FromClause, sql: SqlParameters): JsonMember {
  const { name } = selected
  switch (selected.kind) {
    case 'value': {
      const { source, type, scale } = selected.property
      return { name, sql: rows.column(source, type).sql, type, scale }
    }
    case 'description':
      return { name, sql: rows.description(selected.property), type: 'string' }
    case 'group':
      return { name, members: selected.properties.map((inner) => memberOf(inner, rows, sql)) }
    case 'association': {
      const other = rows.along(selected.association)
      return { name, members: selected.properties.map((inner) => memberOf(inner, other, sql)) }
    }
    case 'list':
      return { name, sql: listOf(selected, rows, sql), type: 'json' }
  }
}

function listOf(
  { list, properties }: Extract<SelectedProperty, { kind: 'list' }>,
  outer: FromClause,
  sql: SqlParameters,
): string {
  const { dialect } = sql
  // The complete list is already stored as JSON, so it is not rebuilt.
  if ('json' in list.from && selectsAll(properties, list.properties)) {
    return dialect.storedList(outer.storedList(list.from as JsonList))
  }
  const { rows, condition, orderBy } = outer.items(list)
  const members = properties.map((inner) => memberOf(inner, rows, sql))
  return dialect.list(members, `from ${rows.from.text()} where ${condition} order by ${orderBy}`)
}

/** Whether all properties are selected, with their own names and in their order. */
function selectsAll(selected: readonly SelectedProperty[], properties: Properties): boolean {
  const names = Object.keys(properties)
  if (selected.length !== names.length) return false
  return selected.every((one, at) => {
    const property = properties[names[at] ?? '']
    if (one.name !== names[at] || !property || one.kind !== property.kind) return false
    return one.kind !== 'group' || (property.kind === 'group' && selectsAll(one.properties, property.properties))
  })
}

function flat(members: readonly JsonMember[]): JsonCell[] {
  return members.flatMap((member) => ('members' in member ? flat(member.members) : [member]))
}
