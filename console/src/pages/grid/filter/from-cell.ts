// What a cell says, as a condition: only such rows, or all others.
import { dayOf } from '../../../service/moments.ts'
import { type CellValue, type Column, valuesOf } from '../list-columns.ts'
import type { Row } from '../rows.ts'
import { type Condition, columnAt, conditionsIn, filterOf, isFilterable } from './conditions.ts'
import { operatorsOf } from './values.ts'

/** Longer texts would fill the address. */
const MOST_CHARACTERS = 200

/** Undefined for what no condition says, such as several items of a list. */
export function conditionOfCell(row: Row, column: Column, isWanted: boolean): Condition | undefined {
  const [one, ...others] = valuesOf(row, column)
  if (!one || others.length > 0 || !isFilterable(column)) return undefined
  const value = textIn(one, column)
  if (value.length > MOST_CHARACTERS) return undefined
  const operator = value === '' ? (isWanted ? 'isEmpty' : 'isFilled') : isWanted ? 'is' : 'isNot'
  const values = value === '' ? [] : [value]
  // There are two booleans.
  if (column.kind === 'boolean')
    return { path: column.path, operator: 'is', values: [String((value === 'true') === isWanted)] }
  return operatorsOf(column).includes(operator) ? { path: column.path, operator, values } : undefined
}

function textIn({ value }: CellValue, column: Column): string {
  const text = String(value ?? '')
  return column.kind === 'date-time' ? dayOf(text, column) : text
}

/** The filter with one more condition, which takes the place of what it makes idle. */
export function filterWith(filter: string, next: Condition, columns: readonly Column[]): string {
  const conditions = conditionsIn(filter, columns)
  if (!conditions) return `(${filter}) and ${filterOf([next], columns)}`
  return filterOf(conditionsWith(conditions, next, columns), columns)
}

function conditionsWith(conditions: readonly Condition[], next: Condition, columns: readonly Column[]): Condition[] {
  const ofOthers = conditions.filter(({ path }) => path !== next.path)
  if (next.operator === 'is') return [...ofOthers, next]
  const column = columnAt(columns, next.path)
  const before = conditions.filter(({ path, operator }) => path === next.path && /^(?:isNot|noneOf)$/.test(operator))
  if (next.operator !== 'isNot' || before.length === 0 || !column || !operatorsOf(column).includes('noneOf')) {
    return [...conditions.filter((one) => !isSame(one, next)), next]
  }
  const values = [...new Set([...before, next].flatMap((one) => one.values))]
  const rest = conditions.filter((one) => !before.includes(one))
  return [...rest, values.length === 1 ? next : { ...next, operator: 'noneOf', values }]
}

const isSame = (one: Condition, other: Condition): boolean =>
  one.path === other.path && one.operator === other.operator && String(one.values) === String(other.values)
