// Groups of two values each as a table of rows and columns, with exact sums: the service adds the records of a group, and
// what is added here are its sums, digit by digit.
import { differenceOf, sumOf } from '../../service/exact-sums.ts'
import { type Axis, type AxisValue, axisValueIn, compareCodes } from './axes.ts'

/** Amounts side by side, as texts with all their digits. Where nothing was summed there is none. */
export interface Amounts {
  readonly cells: readonly (string | undefined)[]
  readonly total: string
}

export interface PivotRow extends Amounts {
  readonly value: AxisValue
}

export interface Pivot extends Amounts {
  readonly columns: readonly AxisValue[]
  readonly rows: readonly PivotRow[]
}

interface PivotAxes {
  readonly rows: Axis
  /** Undefined for totals alone. */
  readonly columns: Axis | undefined
  /** The member of a group with its sum. */
  readonly amount: string
}

/** Days of one month are added; so each row and column is there once. */
export function pivotOf(groups: readonly unknown[], { rows, columns, amount }: PivotAxes): Pivot {
  const found = groups.map((group) => ({
    row: axisValueIn(group, rows),
    column: columns && axisValueIn(group, columns),
    sum: String((group as Readonly<Record<string, unknown>>)[amount] ?? ''),
  }))
  const across = valuesAmong(found.map(({ column }) => column))
  const byRow = Map.groupBy(found, ({ row }) => row.key)
  const down = valuesAmong(found.map(({ row }) => row)).map((value): PivotRow => {
    const inRow = byRow.get(value.key) ?? []
    const byColumn = Map.groupBy(inRow, ({ column }) => column?.key)
    const cells = across.map(({ key }) => addedUp((byColumn.get(key) ?? []).map(({ sum }) => sum)))
    return { value, cells, total: sumOf(inRow.map(({ sum }) => sum)) }
  })
  return { columns: across, rows: down, ...totalsOf(down, across.length) }
}

function valuesAmong(values: readonly (AxisValue | undefined)[]): AxisValue[] {
  const different = new Map(values.flatMap((value) => (value ? [[value.key, value]] : [])))
  return [...different.values()].toSorted(
    (one, other) => compareCodes(one.attributeId, other.attributeId) || compareCodes(one.code, other.code),
  )
}

/** The sums of each column and of all. */
export function totalsOf(rows: readonly Amounts[], columns: number): Amounts {
  const cells = Array.from({ length: columns }, (_, at) => addedUp(rows.flatMap(({ cells }) => cells[at] ?? [])))
  return { cells, total: sumOf(rows.map(({ total }) => total)) }
}

const addedUp = (sums: readonly string[]): string | undefined => (sums.length === 0 ? undefined : sumOf(sums))

export interface Subtotal extends Amounts {
  readonly key: string
  readonly title: string
  readonly rows: readonly PivotRow[]
}

/** Which group a row belongs to; undefined for those that are in none. */
export type GroupOf = (value: AxisValue) => { readonly key: string; readonly title: string } | undefined

/** Rows by their groups, in the order of the groups; those in none stand last. */
export function subtotalsOf(pivot: Pivot, groupOf: GroupOf, others: string): readonly Subtotal[] {
  const named = pivot.rows.map((row) => ({ row, group: groupOf(row.value) }))
  const groups = [...Map.groupBy(named, ({ group }) => group?.key)].map(([key, members]) => {
    const rows = members.map(({ row }) => row)
    const title = members[0]?.group?.title ?? others
    return { key, title, rows, ...totalsOf(rows, pivot.columns.length) }
  })
  const known = groups.filter(({ key }) => key !== undefined).toSorted((a, b) => compareCodes(a.key ?? '', b.key ?? ''))
  return [...known, ...groups.filter(({ key }) => key === undefined)].map((group) => ({
    ...group,
    key: group.key ?? '',
  }))
}

/** What each cell has more than the one before it; nothing summed counts as zero, and nothing stands before the first. */
export function differencesOf(cells: Amounts['cells']): Amounts['cells'] {
  return cells.map((cell, at) => {
    const before = cells[at - 1]
    if (at === 0 || (cell === undefined && before === undefined)) return undefined
    return differenceOf(cell ?? '0', before ?? '0')
  })
}
