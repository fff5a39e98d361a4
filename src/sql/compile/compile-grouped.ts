// Compiles a grouped query: the groups are a subselect, whose rows then are those of a document like others.
import type { DocumentDefinition } from '../../model/document.ts'
import type { Aggregate } from '../../query/aggregates.ts'
import type { BoundProperty } from '../../query/bound.ts'
import type { Grouped, Plan } from '../../query/plan.ts'
import type { AggregatedValue, Dialect } from '../dialect.ts'
import { FilterCompiler } from '../rows/compile-filter.ts'
import type { AnswerForm, BoundText, CompiledQuery, KeyFilter } from '../rows/compiled-query.ts'
import type { SqlParameters } from '../rows/emitter.ts'
import type { RowSource } from '../rows/row-source.ts'
import { absentSql, FromClause } from '../rows/rows.ts'
import { compileSearch, parametersOf, type Requested, type Search, searchFor, whereOf } from '../rows/search.ts'
import { inColumns, memberOf, statementIn } from './members.ts'
import { fromPage, orderTerms, type Page, pageText, windowOf } from './page.ts'

interface GroupedPlan extends Plan {
  readonly grouping: Grouped
}

export function isGrouped(plan: Plan): plan is GroupedPlan {
  return plan.grouping !== undefined
}

interface Options {
  readonly language: string
  readonly form: AnswerForm
  readonly source: RowSource | undefined
  readonly cap: number | undefined
}

/** Every row is visited, however few groups are answered. */
const ALL = Number.POSITIVE_INFINITY

/** Compiles the query for the groups of the rows within a scope. */
export function compileGroups(plan: GroupedPlan, scope: KeyFilter, dialect: Dialect, options: Options): CompiledQuery {
  const search = searchOf(plan, scope, dialect, options.source)
  const window = { rows: plan.limit ?? options.cap ?? ALL, offset: ALL, select: plan.select }
  return compileSearch(search, dialect, window, (found) => statementOf(plan, found, dialect, options))
}

/** Compiles the query that counts the groups of the rows within a scope: one row with one column. */
export function compileGroupCount(
  plan: GroupedPlan,
  scope: KeyFilter,
  dialect: Dialect,
  source?: RowSource,
): CompiledQuery {
  const search = searchOf(plan, scope, dialect, source)
  return compileSearch(search, dialect, { rows: 1, offset: ALL, select: [] }, (found) => {
    const sql = parametersOf(found, dialect)
    const rows = FromClause.derived(subselectOf(plan, found, sql), sql)
    const where = whereOf(sql, rows, new FilterCompiler(sql, rows), [], plan.grouping.having)
    return sql.statement(`select count(*) as total from ${rows.from.text()} ${where}`)
  })
}

function searchOf(plan: GroupedPlan, scope: KeyFilter, dialect: Dialect, source: RowSource | undefined): Search {
  return searchFor({ ...requestedBy(plan, scope), source }, dialect)
}

/** The conditions and the order of a plan's rows, and what else is read of them for groups. */
export function requestedBy(plan: Plan, scope: KeyFilter): Requested {
  const { definition, filter, order, grouping } = plan
  const requested = { definition, scope, filter, order }
  return grouping ? { ...requested, reads: grouping.aggregates.flatMap(({ of }) => of ?? []) } : requested
}

function statementOf(plan: GroupedPlan, search: Search, dialect: Dialect, options: Options): BoundText {
  const { grouping, limit, offset } = plan
  const sql = parametersOf(search, dialect, options.language)
  const subselect = subselectOf(plan, search, sql)
  const rows = FromClause.derived(subselect, sql)
  const select = inColumns(options.form) ? plan.columns : plan.select
  const members = select.map((selected) => memberOf(selected, rows, sql))
  const pageRows = dialect.selectsBeforeLimit ? FromClause.derived(subselect, sql) : rows
  const filters = new FilterCompiler(sql, pageRows)
  const page: Page = {
    rows: pageRows,
    where: whereOf(sql, pageRows, filters, [], grouping.having),
    order: orderTerms(grouping.order, filters),
    window: windowOf(limit ?? options.cap, offset, sql),
  }
  const from = dialect.selectsBeforeLimit ? fromPage(rows, page, undefined, sql) : `from ${pageText(page)}`
  return statementIn(options.form, members, from, sql)
}

/** Groups by the positions of columns: a property may be a constant, which SQL would take for a position. */
function subselectOf({ grouping }: GroupedPlan, search: Search, sql: SqlParameters): string {
  const { groups, aggregates } = grouping
  const { definition, scope, filter, choice, text } = search
  const { quote } = sql.dialect
  const rows = FromClause.of(definition, sql, 't', choice)
  const filters = new FilterCompiler(sql, rows)
  const columns = groups.map(({ column, by }) => `${comparedValue(by, filters, sql)} as ${quote(column)}`)
  const positions = columns.map((_column, at) => at + 1).join(', ')
  columns.push(...aggregates.map((one) => `${aggregateOf(one, definition, filters, sql)} as ${quote(one.column)}`))
  const where = whereOf(sql, rows, filters, scope, filter, choice, text)
  const groupBy = positions === '' ? '' : ` group by ${positions}`
  return `select ${columns.join(', ')} from ${rows.from.text()} ${where}${groupBy}`
}

/** A value for comparisons between rows, whatever the collation of its column. */
function comparedValue(property: BoundProperty, filters: FilterCompiler, { dialect }: SqlParameters): string {
  const { sql } = filters.property(property)
  return property.type === 'string' ? dialect.comparedText(sql) : sql
}

function aggregateOf(
  { function: name, of }: Aggregate,
  definition: DocumentDefinition,
  filters: FilterCompiler,
  sql: SqlParameters,
): string {
  if (!of) return 'count(*)'
  const value = comparedValue(of, filters, sql)
  switch (name) {
    case 'countDistinct':
      return `count(distinct ${value})`
    case 'sum':
    case 'average':
      return sql.dialect[name](aggregatedValue(of, definition, value))
    default:
      // There may be no rows, which only a query without groups answers.
      return `coalesce(${name}(${value}), ${absentSql(of.property.type, sql)})`
  }
}

function aggregatedValue(
  { property, place }: BoundProperty,
  definition: DocumentDefinition,
  sql: string,
): AggregatedValue {
  const { type, scale, source } = property
  const document = place.via.at(-1)?.document ?? definition
  // Other programs may keep anything in their columns, and texts of JSON may hold any number.
  const isInteger = type === 'decimal' || (type === 'integer' && 'column' in source && document.isExternal !== true)
  return { sql, type, isInteger, scale: type === 'integer' ? 0 : scale }
}
