// A plan to one statement in which the database itself makes the answer's text. Identifiers come from the definition
// alone; every value of the query text is a bound parameter.
import type { DocumentDefinition, JsonList, Properties } from '../../model/document.ts'
import type { BoundExpression, BoundProperty } from '../../query/bound.ts'
import type { Plan } from '../../query/plan.ts'
import type { SelectedProperty } from '../../query/plan-select.ts'
import type { AnswerForm, BoundText, CompiledQuery, EdgeValue, KeyFilter } from '../store.ts'
import type { Choice } from './choose-index.ts'
import { FilterCompiler } from './compile-filter.ts'
import { SqlParameters } from './emitter.ts'
import type { Expressions, JsonCell, JsonMember } from './expressions.ts'
import { FromClause } from './rows.ts'
import { byTextOf, keyColumns, type Search, scanEstimateOf, searchFor } from './search.ts'
import { whereOf } from './where.ts'

export interface CompileOptions {
  /** Of descriptions: one that the company's value lists have. */
  readonly language?: string
  readonly form?: AnswerForm
  /** The limit where the plan has none. */
  readonly cap?: number | undefined
}

/** The rows of a plan within a scope. */
export function compileCollection(
  plan: Plan,
  scope: KeyFilter,
  engine: Expressions,
  options: CompileOptions = {},
): CompiledQuery {
  const search = searchFor({ ...plan, scope }, engine)
  const rows = plan.limit ?? options.cap ?? Number.POSITIVE_INFINITY
  const window = { rows, offset: plan.offset, select: plan.select }
  const scanEstimate = scanEstimateOf(search, engine, window, (edge) =>
    statementOf(plan, search, engine, options, edge),
  )
  const byText = byTextOf(search, engine, scanEstimate, (found) => statementOf(plan, found, engine, options))
  return { ...statementOf(plan, search, engine, options), scanEstimate, ...(byText ? { byText } : {}) }
}

/** `edge`: only rows before those with this value in the column that they are found by. */
function statementOf(
  plan: Plan,
  search: Search,
  engine: Expressions,
  { language = '', form = 'array', cap }: CompileOptions,
  edge?: EdgeValue,
): BoundText {
  const sql = new SqlParameters(engine, language)
  const rows = FromClause.of(plan.definition, sql, 't', search.choice)
  const members = plan.select.map((selected) => memberOf(selected, rows, sql))
  const isByKeys = isFoundByKeys(search, plan, rows)
  const isApart = isByKeys || engine.selectsBeforeLimit
  const ofPage = isApart ? FromClause.of(plan.definition, sql, 't', search.choice) : rows
  const page = pageOf(plan, search, plan.limit ?? cap, ofPage, sql, edge)
  const from = isByKeys
    ? fromKeys(rows, page, search, sql)
    : isApart
      ? fromPage(rows, page, isFar(search, plan) ? keyColumns(plan.definition) : undefined, sql)
      : `from ${textOf(page)}`
  const text =
    form === 'array'
      ? engine.jsonArray(members, from)
      : form === 'rows'
        ? engine.jsonRows(members, from)
        : engine.cells(flat(members), from)
  return { text, parameters: sql.parameters }
}

/**
 * Whether more entries of an index are visited than rows answered, and it has all that decides, but not all that is
 * answered. Otherwise SQLite would look up the row of each entry; where all are answered, that takes less than a join.
 */
function isFoundByKeys({ choice, isExact }: Search, { limit = 0, offset }: Plan, rows: FromClause): boolean {
  if (!choice?.isCovering || choice.isPrimary) return false
  if (isExact && choice.isInOrder && offset <= limit) return false
  return [...rows.columns].some((column) => !choice.index.columns.includes(column))
}

/** Which rows are answered and in which order. */
interface Page {
  readonly rows: FromClause
  readonly where: string
  readonly order: readonly { readonly sql: string; readonly direction: string }[]
  /** Limit and offset. */
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
  return { rows, where, order, window: sql.engine.window(limit, sql.bind(plan.offset, 'integer')) }
}

function isBefore(edge: EdgeValue, rows: FromClause, choice: Choice | undefined, sql: SqlParameters): string {
  if (!choice?.walked) throw new Error('rows that are found in no order have no edge')
  const { column, isDescending } = choice.walked
  return `${rows.own(column)} ${isDescending ? '>' : '<'} ${sql.bind(edge, typeof edge === 'string' ? 'string' : 'integer')}`
}

/**
 * What is the same for every row decides no order; as a number, SQL would take a constant for the place of a column.
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

/** For each row of a page so many are skipped that it pays to look up those of the page a second time. */
const FAR = 10

/** Whether many rows are skipped that an index alone can tell. */
function isFar({ isCovered }: Search, { limit, offset }: Plan): boolean {
  return isCovered && limit !== undefined && offset >= FAR * limit
}

/**
 * The page is found in a select of its own, which reads plain columns; `rows` are its rows. With `key` it reads that
 * alone, by which they are then looked up. What joins them to others may put them into another order, so that what they
 * are ordered by comes along.
 */
function fromPage(rows: FromClause, page: Page, key: readonly string[] | undefined, sql: SqlParameters): string {
  const { quote } = sql.engine
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
 * The keys of the page are found in an index that has all that is asked, then their rows. SQLite keeps the order of the
 * tables of a cross join, so the rows come in that of the page.
 */
function fromKeys(rows: FromClause, page: Page, { definition, choice }: Search, sql: SqlParameters): string {
  const { quote } = sql.engine
  const key = keyColumns(definition).map(quote)
  const keys = key.map((column) => `${page.rows.alias}.${column}`).join(', ')
  const same = key.map((column) => `${rows.alias}.${column} = k.${column}`).join(' and ')
  const byKey = FromClause.of(definition, sql, rows.alias, choice && { ...choice, isPrimary: true }).from.text()
  return `from ${rows.from.text(`(select ${keys} from ${textOf(page)}) k cross join ${byKey} on ${same}`)}`
}

/** A table that is not ours may call its columns anything. */
function unusedName(name: string, used: ReadonlySet<string>): string {
  return used.has(name) ? unusedName(`${name}_`, used) : name
}

/** A count looks at every row. */
const ALL = Number.POSITIVE_INFINITY

/** How many rows a filter leaves within a scope: one row with one column. */
export function compileCount(
  definition: DocumentDefinition,
  filter: BoundExpression | undefined,
  scope: KeyFilter,
  engine: Expressions,
): CompiledQuery {
  const search = searchFor({ definition, scope, filter, order: [] }, engine)
  const scanEstimate = scanEstimateOf(search, engine, { rows: 1, offset: ALL, select: [] })
  const byText = byTextOf(search, engine, scanEstimate, (found) => countOf(found, engine))
  return { ...countOf(search, engine), scanEstimate, ...(byText ? { byText } : {}) }
}

function countOf({ definition, scope, filter, choice, text }: Search, engine: Expressions): BoundText {
  const sql = new SqlParameters(engine, '')
  const rows = FromClause.of(definition, sql, 't', choice)
  const where = whereOf(sql, rows, new FilterCompiler(sql, rows), scope, filter, choice, text)
  return { text: `select count(*) as total from ${rows.from.text()} ${where}`, parameters: sql.parameters }
}

/** The columns of an answer in cells: groups are written `group.property`. */
export function cellsOf(select: readonly SelectedProperty[]): { name: string; isText: boolean }[] {
  return select.flatMap((selected) => {
    const { kind, name } = selected
    if (kind === 'group' || kind === 'association') {
      return cellsOf(selected.properties).map((cell) => ({ ...cell, name: `${name}.${cell.name}` }))
    }
    const isText = kind !== 'value' || selected.property.type === 'string' || selected.property.type === 'date-time'
    return [{ name, isText }]
  })
}

function memberOf(selected: SelectedProperty, rows: FromClause, sql: SqlParameters): JsonMember {
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
  const { engine } = sql
  // What is stored is the whole list as JSON already: no need to take it apart.
  if ('json' in list.from && isWhole(properties, list.properties)) {
    return engine.storedList(outer.storedList(list.from as JsonList))
  }
  const { rows, condition, orderBy } = outer.items(list)
  const members = properties.map((inner) => memberOf(inner, rows, sql))
  return engine.list(members, `from ${rows.from.text()} where ${condition} order by ${orderBy}`)
}

/** Whether everything is selected, under its own name and in its order. */
function isWhole(selected: readonly SelectedProperty[], properties: Properties): boolean {
  const names = Object.keys(properties)
  if (selected.length !== names.length) return false
  return selected.every((one, at) => {
    const property = properties[names[at] ?? '']
    if (one.name !== names[at] || !property || one.kind !== property.kind) return false
    return one.kind !== 'group' || (property.kind === 'group' && isWhole(one.properties, property.properties))
  })
}

function flat(members: readonly JsonMember[]): JsonCell[] {
  return members.flatMap((member) => ('members' in member ? flat(member.members) : [member]))
}
