// Which index finds the rows of a question. Definitions know keys, indexes and orders; statistics, which may be old or
// of a sample, decide nothing.
import type { TableIndex } from '../../model/document.ts'

/** What is said of a column by a condition that every row meets. */
export interface Condition {
  readonly column: string
  /** `lower` and `upper`: a bound on one side; `both`: on both sides, such as the start of a text. */
  readonly kind: 'equal' | 'list' | 'lower' | 'upper' | 'both'
  /** What it is compared with; of a range its lower bound, where it has one. */
  readonly values: readonly unknown[]
  /**
   * What leaves most rows is no reason to take an index: of the scope a list, such as two of three states, or a flag
   * that is not set.
   */
  readonly isWeak?: boolean
}

export interface IndexQuery {
  readonly conditions: readonly Condition[]
  /** Absent: by something else than columns of the table. Empty: by nothing, as of a count. */
  readonly order: readonly { readonly column: string; readonly isDescending: boolean }[] | undefined
  /** All columns of the table that conditions and order name; absent where they need more than an index can hold. */
  readonly columns: ReadonlySet<string> | undefined
}

export interface Choice {
  readonly index: TableIndex
  readonly isPrimary: boolean
  /** The conditions by which the index is searched: the others are checked row by row. */
  readonly search: ReadonlySet<Condition>
  /** At most one row is found. */
  readonly isUnique: boolean
  readonly isInOrder: boolean
  /** The first of the order, where rows are found in the order of this one: then few more are visited than answered. */
  readonly walked: { readonly column: string; readonly isDescending: boolean } | undefined
  /** All conditions and the order are in the index, so that no row is looked at that is not answered. */
  readonly isCovering: boolean
}

interface Candidate extends Choice {
  readonly equals: number
  readonly range: 'both' | 'one' | 'none'
  /** A list, of the question or of the scope. */
  readonly lists: number
}

/**
 * The best by these rules, of equals the first: it finds one row; more columns are compared for equality; a range with
 * both ends; the order, which needs no sort then and can stop early, or at least its first column; a range with one
 * end; all that is asked is in it.
 */
export function chooseIndex(key: readonly string[], indexes: readonly TableIndex[], question: IndexQuery): Choice {
  const primary: TableIndex = { name: '', columns: key }
  const usable = indexes.filter(({ without }) => without === undefined || leavesOut(question.conditions, without))
  return [primary, ...usable]
    .map((index) => candidate(index, index === primary, key, question))
    .reduce((best, one) => (isBetter(one, best) ? one : best))
}

/** Whether no row with that value is asked for. */
function leavesOut(conditions: readonly Condition[], { column, value }: NonNullable<TableIndex['without']>): boolean {
  return conditions.some((one) => {
    if (one.column !== column) return false
    if (one.kind === 'equal' || one.kind === 'list') return !one.values.includes(value)
    // Every text but the empty one comes after it.
    return value === '' && (one.kind === 'lower' || one.kind === 'both') && one.values.some((bound) => bound !== '')
  })
}

function candidate(index: TableIndex, isPrimary: boolean, key: readonly string[], question: IndexQuery): Candidate {
  const found = prefixOf(index, question.conditions)
  const { search, fixed, lists } = found
  const isUnique = lists === 0 && key.every((column) => fixed.has(column))
  const wanted = question.order?.filter(({ column }) => !fixed.has(column))
  const [first] = wanted ?? []
  return {
    index,
    isPrimary,
    search,
    isUnique,
    isInOrder: isUnique || (wanted !== undefined && isInOrder(index, found, key, wanted)),
    walked: lists === 0 && first?.column === index.columns[found.length] ? first : undefined,
    isCovering: question.columns !== undefined && [...question.columns].every((one) => index.columns.includes(one)),
    equals: found.equals,
    range: found.range,
    lists,
  }
}

interface Prefix {
  readonly search: ReadonlySet<Condition>
  /** Columns that are the same in all rows found. */
  readonly fixed: ReadonlySet<string>
  /** How many columns are compared with one value or with several. */
  readonly length: number
  readonly equals: number
  readonly lists: number
  readonly range: Candidate['range']
}

/** How far the conditions go along the columns of an index: equalities and lists, then one range. */
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

/** One condition for each end. */
function rangeOf(conditions: readonly Condition[]): Condition[] {
  const both = conditions.find(({ kind }) => kind === 'both')
  if (both) return [both]
  const ends = [conditions.find(({ kind }) => kind === 'lower'), conditions.find(({ kind }) => kind === 'upper')]
  return ends.filter((one) => one !== undefined)
}

/** Whether rows are found in the order, or all of them in its reverse. */
function isInOrder(
  index: TableIndex,
  { fixed, length, lists }: Prefix,
  key: readonly string[],
  wanted: NonNullable<IndexQuery['order']>,
): boolean {
  if (wanted.length === 0) return true
  if (lists > 0) return false
  const isReversed = wanted[0]?.isDescending !== isDescending(index, wanted[0]?.column ?? '')
  const seen = new Set(fixed)
  for (const [at, { column, isDescending: isWanted }] of wanted.entries()) {
    // What stands behind a whole key decides nothing.
    if (key.every((one) => seen.has(one))) return true
    if (index.columns[length + at] !== column) return false
    if ((isDescending(index, column) !== isWanted) !== isReversed) return false
    seen.add(column)
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
