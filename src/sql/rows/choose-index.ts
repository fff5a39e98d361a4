// Chooses the index that finds the rows of a query. The choice uses only keys, indexes and orders of definitions, not
// statistics, which may be outdated or sampled.
import type { TableIndex } from '../../model/document.ts'
import { BoundValue } from '../../query/bound-value.ts'

/** A condition on a column that every row of the answer meets. */
export interface Condition {
  readonly column: string
  /** `lower` and `upper`: a one-sided range; `both`: a two-sided range, such as a text prefix. */
  readonly kind: 'equal' | 'list' | 'lower' | 'upper' | 'both'
  /** The compared values, some of them of the query; of a range its lower bound, if any. */
  readonly values: readonly unknown[]
  /**
   * A condition that most rows meet is no reason to choose an index: in the scope a list, such as two of three states,
   * or a flag that is not set.
   */
  readonly isWeak?: boolean
}

export interface IndexQuery {
  readonly conditions: readonly Condition[]
  /** Undefined: the order needs more than columns of the table. Empty: no order, such as for a count. */
  readonly order: readonly { readonly column: string; readonly isDescending: boolean }[] | undefined
  /** All columns of the table in conditions and order; undefined when they need more than an index can hold. */
  readonly columns: ReadonlySet<string> | undefined
}

export interface Choice {
  readonly index: TableIndex
  readonly isPrimary: boolean
  /** The conditions by which the index is searched; the others are checked row by row. */
  readonly search: ReadonlySet<Condition>
  /** At most one row is found. */
  readonly isUnique: boolean
  readonly isInOrder: boolean
  /** The first column of the order, when rows are found in its order: then few more rows are visited than answered. */
  readonly walked: { readonly column: string; readonly isDescending: boolean } | undefined
  /** The index has all columns of conditions and order, so that only rows of the answer are read from the table. */
  readonly isCovering: boolean
}

interface Candidate extends Choice {
  readonly equals: number
  readonly range: 'both' | 'one' | 'none'
  /** The number of list conditions, of the filter or the scope. */
  readonly lists: number
}

/**
 * Chooses by these rules, the first of equal ones: it finds one row; it compares more columns for equality; it has a
 * two-sided range; it has the order, which avoids a sort and allows an early stop, or at least its first column; it has
 * a one-sided range; it covers the query.
 */
export function chooseIndex(key: readonly string[], indexes: readonly TableIndex[], query: IndexQuery): Choice {
  const primary: TableIndex = { name: '', columns: key }
  const usable = indexes.filter(({ without }) => without === undefined || leavesOut(query.conditions, without))
  return [primary, ...usable]
    .map((index) => candidate(index, index === primary, key, query))
    .reduce((best, one) => (isBetter(one, best) ? one : best))
}

/**
 * Whether a choice is the best for all values of a query: rows are found in the order, at least by its first column,
 * and the index has all that is compared. A condition that most rows meet is left to each row.
 */
export function isSteady(choice: Choice, indexes: readonly TableIndex[], { conditions }: IndexQuery): boolean {
  const rest = conditions.filter((one) => !choice.search.has(one) && !isMetByMost(one, indexes))
  const isWalked = choice.isInOrder || choice.walked !== undefined
  return isWalked && rest.every(({ kind, column }) => kind === 'equal' && choice.index.columns.includes(column))
}

/** Whether a partial index leaves out the rows that meet the condition, because they are most. */
function isMetByMost(condition: Condition, indexes: readonly TableIndex[]): boolean {
  const isOn = ({ without }: TableIndex) => without?.column === condition.column && !leavesOut([condition], without)
  return condition.kind === 'equal' && indexes.some(isOn)
}

/** Whether the conditions exclude the rows with that value. */
function leavesOut(conditions: readonly Condition[], { column, value }: NonNullable<TableIndex['without']>): boolean {
  return conditions.some((one) => {
    if (one.column !== column) return false
    const isHere = (given: unknown) => (given instanceof BoundValue ? given.ask((it) => it === value) : given === value)
    if (one.kind === 'equal' || one.kind === 'list') return !one.values.some(isHere)
    // Every other text sorts after the empty one.
    return value === '' && (one.kind === 'lower' || one.kind === 'both') && one.values.some((bound) => !isHere(bound))
  })
}

function candidate(index: TableIndex, isPrimary: boolean, key: readonly string[], query: IndexQuery): Candidate {
  const found = prefixOf(index, query.conditions)
  const { search, fixed, lists } = found
  const isUnique = lists === 0 && key.every((column) => fixed.has(column))
  const wanted = query.order?.filter(({ column }) => !fixed.has(column))
  const [first] = wanted ?? []
  return {
    index,
    isPrimary,
    search,
    isUnique,
    isInOrder: isUnique || (wanted !== undefined && isInOrder(index, found, key, wanted)),
    walked: lists === 0 && first?.column === index.columns[found.length] ? first : undefined,
    isCovering: query.columns !== undefined && [...query.columns].every((one) => index.columns.includes(one)),
    equals: found.equals,
    range: found.range,
    lists,
  }
}

interface Prefix {
  readonly search: ReadonlySet<Condition>
  /** Columns with the same value in all rows found. */
  readonly fixed: ReadonlySet<string>
  /** The number of columns compared with one value or with a list. */
  readonly length: number
  readonly equals: number
  readonly lists: number
  readonly range: Candidate['range']
}

/** The longest prefix of an index's columns that conditions restrict: equalities and lists, then one range. */
function prefixOf({ columns }: TableIndex, conditions: readonly Condition[]): Prefix {
  const search = new Set<Condition>()
  const fixed = new Set<string>()
  let [length, equals, lists] = [0, 0, 0]
  for (const column of columns) {
    const on = conditions.filter((one) => one.column === column)
    const found = on.find(({ kind }) => kind === 'equal') ?? on.find(({ kind }) => kind === 'list')
    if (!found) {
      const range = rangeOf(on)
      for (const one of range) search.add(one)
      const isBoth = range.length === 2 || range[0]?.kind === 'both'
      return { search, fixed, length, equals, lists, range: isBoth ? 'both' : range.length === 1 ? 'one' : 'none' }
    }
    search.add(found)
    length += 1
    if (found.kind === 'equal') fixed.add(column)
    else lists += 1
    if (!found.isWeak) equals += 1
  }
  return { search, fixed, length, equals, lists, range: 'none' }
}

/** One condition for each end of a range. */
function rangeOf(conditions: readonly Condition[]): Condition[] {
  const both = conditions.find(({ kind }) => kind === 'both')
  if (both) return [both]
  const ends = [conditions.find(({ kind }) => kind === 'lower'), conditions.find(({ kind }) => kind === 'upper')]
  return ends.filter((one) => one !== undefined)
}

/** Whether rows are found in the order or in its exact reverse. */
function isInOrder(
  index: TableIndex,
  { fixed, length, lists }: Prefix,
  key: readonly string[],
  wanted: NonNullable<IndexQuery['order']>,
): boolean {
  if (wanted.length === 0) return true
  if (lists > 0) return false
  const isReversed = wanted[0]?.isDescending !== isDescending(index, wanted[0]?.column ?? '')
  const columns = new Set(fixed)
  for (const [at, { column, isDescending: isWanted }] of wanted.entries()) {
    // Terms after a complete key have no effect.
    if (key.every((one) => columns.has(one))) return true
    if (index.columns[length + at] !== column) return false
    if ((isDescending(index, column) !== isWanted) !== isReversed) return false
    columns.add(column)
  }
  return true
}

function isDescending({ descending }: TableIndex, column: string): boolean {
  return descending?.includes(column) ?? false
}

function isBetter(one: Candidate, best: Candidate): boolean {
  return ranksOf(one).reduce((found, rank, at) => found || rank - (ranksOf(best)[at] ?? 0), 0) > 0
}

function ranksOf(one: Candidate): number[] {
  const { isUnique, equals, range, isCovering, isPrimary, lists } = one
  const isWalked = one.walked !== undefined || one.isInOrder
  const order = Number(isWalked) + Number(one.isInOrder)
  const unique = isUnique ? 1 + Number(isPrimary) : 0
  return [unique, equals, range === 'both', order, range === 'one', isCovering && !isPrimary, lists].map(Number)
}
