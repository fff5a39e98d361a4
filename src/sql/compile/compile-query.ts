// Compiles a plan to one statement in which the database builds the text of the answer. Identifiers come only from the
// definition; every value of the query is a bound parameter.
import type { DocumentDefinition } from '../../model/document.ts'
import type { BoundExpression, BoundProperty } from '../../query/bound.ts'
import type { Plan } from '../../query/plan.ts'
import type { Dialect } from '../dialect.ts'
import type { Choice } from '../rows/choose-index.ts'
import { FilterCompiler } from '../rows/compile-filter.ts'
import {
  type AnswerForm,
  type BoundText,
  type CompiledQuery,
  costly,
  type EdgeValue,
  type KeyFilter,
} from '../rows/compiled-query.ts'
import type { SqlParameters } from '../rows/emitter.ts'
import { type PastChanges, PastRows } from '../rows/past-rows.ts'
import type { FirstParameters, OpenRowSource, RowSource } from '../rows/row-source.ts'
import { FromClause } from '../rows/rows.ts'
import {
  compileSearch,
  keyColumns,
  parametersOf,
  type Search,
  searchFor,
  whereOf,
  withOnePlan,
} from '../rows/search.ts'
import { compileGroupCount, compileGroups, isGrouped } from './compile-grouped.ts'
import { inColumns, memberOf, statementIn } from './members.ts'
import { fromPage, isSameKey, orderTerms, type Page, pageText, windowOf } from './page.ts'

interface CompileOptions {
  /** The language of descriptions: one of the company's value lists. */
  readonly language?: string
  readonly form?: AnswerForm
  /** The rows to read in place of those of the document's tables. */
  readonly source?: RowSource | undefined
  /** The limit when the plan has none. */
  readonly cap?: number | undefined
}

/** Compiles the query for the rows of a plan within a scope, or for their groups. */
export function compileCollection(
  plan: Plan,
  scope: KeyFilter,
  dialect: Dialect,
  options: CompileOptions = {},
): CompiledQuery {
  if (isGrouped(plan)) {
    const { language = '', form = 'array', source, cap } = options
    return compileGroups(plan, scope, dialect, { language, form, source, cap })
  }
  const search = searchFor({ ...plan, scope, source: options.source }, dialect)
  const rows = plan.limit ?? options.cap ?? Number.POSITIVE_INFINITY
  const window = { rows, offset: plan.offset, select: plan.select }
  const compile = (found: Search, edge?: EdgeValue) => statementOf(plan, found, dialect, options, edge)
  const query = compileSearch(search, dialect, window, compile, (edge) => compile(search, edge))
  // How many rows are skipped decides the plan.
  return plan.offset === 0 ? withOnePlan(query, search, compile) : query
}

/** `edge`: returns only rows before this value of the column by which they are found. */
function statementOf(
  plan: Plan,
  search: Search,
  dialect: Dialect,
  { language = '', form = 'array', cap }: CompileOptions,
  edge?: EdgeValue,
): BoundText {
  const sql = parametersOf(search, dialect, language)
  const rows = FromClause.of(plan.definition, sql, 't', search.choice)
  const select = inColumns(form) ? plan.columns : plan.select
  const members = select.map((selected) => memberOf(selected, rows, sql))
  const usesKeys = isFoundByKeys(search, plan, rows)
  const usesSubselect = usesKeys || dialect.selectsBeforeLimit
  const pageRows = usesSubselect ? FromClause.of(plan.definition, sql, 't', search.choice) : rows
  const page = pageOf(plan, search, plan.limit ?? cap, pageRows, sql, edge)
  const from = usesKeys
    ? fromKeys(rows, page, search, sql)
    : usesSubselect
      ? fromPage(rows, page, isFar(search, plan) ? restOfKey(plan.definition) : undefined, sql)
      : `from ${pageText(page)}`
  return statementIn(form, members, from, sql)
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

function pageOf(
  plan: Plan,
  { scope, choice, text, served }: Search,
  most: number | undefined,
  rows: FromClause,
  sql: SqlParameters,
  edge: EdgeValue | undefined,
): Page {
  const filters = new FilterCompiler(sql, rows)
  const all = whereOf(sql, rows, filters, scope, plan.filter, served, text)
  const where = edge === undefined ? all : `${all} and ${isBefore(edge, rows, choice, sql)}`
  const order = orderTerms(
    plan.order.filter(({ by }) => !isSameForAll(by, scope)),
    filters,
  )
  return { rows, where, order, window: windowOf(most, plan.offset, sql) }
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

/** From this ratio of skipped to answered rows on, it pays to read the rows of the page in a second lookup. */
const FAR_RATIO = 10

/**
 * Whether many rows are skipped: an index alone may find them, and where none has the order, the keys take a fraction
 * of the memory that complete rows take in the sort. Only tables of the service have their key as an index.
 */
function isFar({ definition: { indexes, unfolding } }: Search, { limit, offset }: Plan): boolean {
  return indexes !== undefined && !unfolding && limit !== undefined && offset >= FAR_RATIO * limit
}

/**
 * The keys of the page are found in a covering index, then their rows. SQLite preserves the table order of a cross
 * join, so the rows have the order of the page.
 */
function fromKeys(rows: FromClause, page: Page, { definition, choice }: Search, sql: SqlParameters): string {
  const { quote } = sql.dialect
  const key = restOfKey(definition)
  const keys = key.map((column) => `${page.rows.alias}.${quote(column)}`).join(', ')
  const same = isSameKey(rows, 'k', key)
  const byKey = FromClause.of(definition, sql, rows.alias, choice && { ...choice, isPrimary: true }).from.text()
  return `from ${rows.from.text(`(select ${keys} from ${pageText(page)}) k cross join ${byKey} on ${same}`)}`
}

/** The key within the company. */
function restOfKey(definition: DocumentDefinition): string[] {
  return keyColumns(definition).filter((column) => column !== definition.companyColumn)
}

/** A count visits every row. */
const ALL = Number.POSITIVE_INFINITY

/** Compiles the query for the number of records of an answer without limit, or of groups. */
export function compileTotal(plan: Plan, scope: KeyFilter, dialect: Dialect, source?: RowSource): CompiledQuery {
  if (isGrouped(plan)) return compileGroupCount(plan, scope, dialect, source)
  return compileCount(plan.definition, plan.filter, scope, dialect, source)
}

/** Compiles the query that counts the rows within a scope that meet a filter: one row with one column. */
export function compileCount(
  definition: DocumentDefinition,
  filter: BoundExpression | undefined,
  scope: KeyFilter,
  dialect: Dialect,
  source?: RowSource,
): CompiledQuery {
  const search = searchFor({ definition, scope, filter, order: [], source }, dialect)
  const compile = (found: Search) => countOf(found, dialect)
  const query = compileSearch(search, dialect, { rows: 1, offset: ALL, select: [] }, compile)
  return withOnePlan(query, search, compile)
}

function countOf(search: Search, dialect: Dialect): BoundText {
  const { definition, scope, filter, choice, text, served } = search
  const sql = parametersOf(search, dialect)
  const rows = FromClause.of(definition, sql, 't', choice)
  const filters = new FilterCompiler(sql, rows)
  const where = whereOf(sql, rows, filters, scope, filter, served, text)
  return sql.statement(`select count(*) as total from ${rows.from.text()} ${where}`)
}

/** Answers the last rows by the key that meet the filter, of so many in all. Only of tables of the service. */
export function compileLast(
  plan: Plan,
  scope: KeyFilter,
  dialect: Dialect,
  options: CompileOptions,
  most: number,
): CompiledQuery {
  const source = lastRows(plan, most)
  // Many rows are read before the first is answered.
  return costly(compileCollection(plan, scope, dialect, { ...options, source }))
}

/** Counts the rows of a table, up to so many. */
export function compileLastCount(plan: Plan, scope: KeyFilter, dialect: Dialect, most: number): CompiledQuery {
  return costly(compileTotal(plan, scope, dialect, lastRows(plan, most)))
}

function lastRows({ definition }: Plan, most: number): LastRows {
  return new LastRows(definition, keyColumns(definition), most)
}

/** The rows as they were: compiled for each request, because the changed rows are in its text. */
export async function compilePastCollection(
  plan: Plan,
  scope: KeyFilter,
  dialect: Dialect,
  options: CompileOptions,
  changed: PastChanges,
): Promise<CompiledQuery> {
  const source = new PastRows(plan.definition, changed)
  // It reads all that has changed before it answers anything.
  return costly(await source.withStates(compileCollection(plan, scope, dialect, { ...options, source }), dialect))
}

export async function compilePastCount(
  plan: Plan,
  scope: KeyFilter,
  dialect: Dialect,
  changed: PastChanges,
): Promise<CompiledQuery> {
  const source = new PastRows(plan.definition, changed)
  // It reads all that has changed before it answers anything.
  return costly(await source.withStates(compileTotal(plan, scope, dialect, source), dialect))
}

const NAME = 'last rows'

/**
 * The last rows of a document's table by its key, which a query reads in place of the whole table: for questions that
 * no index serves, and whose time must not grow with the table.
 */
class LastRows implements RowSource {
  readonly #table: string
  readonly #key: readonly string[]
  readonly #most: number

  /** `key`: the columns of the primary key, that of the company first. */
  constructor({ table }: DocumentDefinition, key: readonly string[], most: number) {
    this.#table = table
    this.#key = key
    this.#most = most
  }

  open(sql: FirstParameters): OpenRowSource {
    const { dialect } = sql
    const { quote } = dialect
    const columns = new Set<string>()
    return {
      standInFor: (table) => (table === this.#table ? { name: NAME, columns } : undefined),
      clause: () => {
        const [company = '', ...rest] = this.#key
        const read = [...columns].map((column) => `m.${quote(column)}`).join(', ')
        const order = rest.map((column) => `m.${quote(column)} desc`).join(', ')
        const from = `${quote(this.#table)} m${dialect.pinned?.(this.#table, undefined) ?? ''}`
        return `with ${quote(NAME)} as (select ${read} from ${from} where m.${quote(company)} = ${sql.company}${
          order === '' ? '' : ` order by ${order}`
        } limit ${this.#most}) `
      },
    }
  }
}
