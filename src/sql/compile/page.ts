// The page of an answer: which rows, in which order, and how they are found before their members are made.
import type { Ordering } from '../../query/plan.ts'
import { quote } from '../dialect.ts'
import type { FilterCompiler } from '../rows/compile-filter.ts'
import type { SqlParameters } from '../rows/emitter.ts'
import type { FromClause } from '../rows/rows.ts'

/** The rows of the answer and their order. */
export interface Page {
  readonly rows: FromClause
  readonly where: string
  readonly order: readonly { readonly sql: string; readonly direction: string }[]
  /** The limit and offset clause. */
  readonly window: string
}

/** The terms of an order. A text whose indexes have a prefix is sorted by that first. */
export function orderTerms(order: readonly Ordering[], filters: FilterCompiler): Page['order'] {
  return order.flatMap(({ by, isDescending }) => {
    const { start, sql } = filters.property(by)
    return [...(start ? [start.order] : []), sql].map((one) => ({
      sql: one,
      direction: isDescending ? ' desc' : '',
    }))
  })
}

/** The limit and offset clause; it adds its parameters, which are the last of the statement. */
export function windowOf(most: number | undefined, offset: number, sql: SqlParameters): string {
  if (sql.isOnePlan) return sql.dialect.window(most === undefined ? most : String(most), String(offset))
  const limit = most === undefined ? undefined : sql.bind(most, 'integer')
  return sql.dialect.window(limit, sql.bind(offset, 'integer'))
}

export function pageText({ rows, where, order, window }: Page): string {
  return `${rows.from.text()} ${where}${orderBy(order.map(({ sql, direction }) => sql + direction))}${window}`
}

function orderBy(terms: readonly string[]): string {
  return terms.length === 0 ? '' : ` order by ${terms.join(', ')}`
}

/**
 * The page is found in a subselect of plain columns, whose rows `rows` then are. With `key` it selects only the key, by
 * which the rows are then looked up. Joins may change the order of the rows, so the subselect also returns the sort
 * values.
 */
export function fromPage(rows: FromClause, page: Page, key: readonly string[] | undefined, sql: SqlParameters): string {
  const { quote } = sql.dialect
  const columns = key ?? [...rows.columns]
  const named = (key || rows.from.hasJoins ? page.order : []).map((one, at) => {
    return { ...one, name: quote(unusedName(`order${at + 1}`, new Set(columns))) }
  })
  const selected = columns.map((column) => `${page.rows.alias}.${quote(column)}`)
  selected.push(...named.map(({ sql, name }) => `${sql} as ${name}`))
  const alias = key ? 'k' : rows.alias
  const found = `(select ${selected.join(', ')} from ${pageText(page)}) ${alias}`
  const first = key ? `${found} join ${rows.from.first} on ${isSameKey(rows, alias, key)}` : found
  return `from ${rows.from.text(first)}${orderBy(named.map(({ name, direction }) => `${alias}.${name}${direction}`))}`
}

/** The condition that a row of the company has the rest of the key that was found under the alias. */
export function isSameKey(rows: FromClause, alias: string, key: readonly string[]): string {
  const same = key.map((column) => `${rows.alias}.${quote(column)} = ${alias}.${quote(column)}`)
  return [rows.ofCompany(), ...same].join(' and ')
}

/** An external table may have any column names. */
function unusedName(name: string, used: ReadonlySet<string>): string {
  return used.has(name) ? unusedName(`${name}_`, used) : name
}
