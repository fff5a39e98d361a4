// Exact numbers on SQLite, whose own are 64-bit integers and doubles: keys that sort as their numbers do. JavaScript
// makes them once for each group; it adds only values that are no integers.
import { isNumberText } from '../../../base/long-number.ts'
import { floorUnits } from '../../../base/numbers/decimal.ts'
import { averageKey, ExactSum, keyOf, keyOfUnits, textOfKey } from '../../../base/numbers/exact.ts'
import { calculate, quotient, rounded } from '../../../base/numbers/units.ts'
import type { AggregatedValue, Arithmetic, Scaled } from '../../../sql/dialect.ts'
import type { Connection } from './connection.ts'

/** Marks the scale of doubles, which have none. */
const NO_SCALE = -1

/**
 * Integers are added in two halves, because `sum` fails beyond 64 bits. The shift is arithmetic: each integer is its
 * upper half times 2^32 plus the lower one, which is never negative.
 */
export function sumOf({ sql, isInteger, scale = 0 }: AggregatedValue): string {
  if (!isInteger) return `exact_sum(${sql})`
  return `exact_halves(coalesce(sum(${sql} >> 32), 0), coalesce(sum(${sql} & 4294967295), 0), ${scale})`
}

export function averageOf(value: AggregatedValue): string {
  return `exact_average(${sumOf(value)}, count(*), ${value.scale ?? NO_SCALE})`
}

/** Another number as an exact one. */
export function exactOf(sql: string, scale: number | undefined): string {
  return `exact_number(${sql}, ${scale ?? 0})`
}

/** The digits of an exact number. */
export function exactText(sql: string): string {
  return `exact_text(${sql})`
}

/** Units of the last digit: an integer, or a text of one where it needs more than 64 bits. */
export const arithmetic: Arithmetic = {
  operand: (sql) => sql,
  literal: (units) => (isShort(units) ? `(${units})` : `'${units}'`),
  calculate: (name, left, right) => `units_${name}(${pair(left, right)})`,
  divide: (left, right, places) => `units_divide(${pair(left, right)}, ${places})`,
  round: ({ sql, scale }, places) => `units_round(${sql}, ${scale}, ${places})`,
  total: (sql) => `units_total(${sql})`,
  exact: ({ sql, scale }) => `exact_units(${sql}, ${scale})`,
}

function pair(left: Scaled, right: Scaled): string {
  return `${left.sql}, ${left.scale}, ${right.sql}, ${right.scale}`
}

function isShort(units: bigint): boolean {
  return BigInt.asIntN(64, units) === units
}

function stored(units: bigint): bigint | string {
  return isShort(units) ? units : String(units)
}

const EXACT = { deterministic: true, useBigIntArguments: true } as const

const exactSum = {
  start: () => new ExactSum(),
  step: (sum: ExactSum, value: unknown) => {
    if (typeof value === 'bigint' || typeof value === 'number') sum.add(value)
    else if (typeof value === 'string') sum.addText(textOfKey(value))
    return sum
  },
  result: (sum: ExactSum) => sum.key,
}

export function addExactNumbers(connection: Connection): void {
  connection.function('exact_halves', EXACT, (upper, lower, scale) =>
    keyOfUnits((BigInt(upper as bigint) << 32n) + BigInt(lower as bigint), Number(scale)),
  )
  connection.function('exact_average', EXACT, (sum, count, scale) => {
    const places = Number(scale)
    return averageKey(String(sum), BigInt(count as bigint), places === NO_SCALE ? undefined : places)
  })
  connection.function('exact_number', EXACT, (value, scale) =>
    typeof value === 'bigint' ? keyOfUnits(value, Number(scale)) : keyOf(String(value)),
  )
  // The text of a JSON number; null for what is none.
  connection.function('decimal_units', EXACT, (text, scale) =>
    typeof text === 'string' && isNumberText(text) ? floorUnits(text, Number(scale)).floor : null,
  )
  connection.function('exact_text', EXACT, (key) => textOfKey(String(key)))
  for (const name of ['add', 'subtract', 'multiply'] as const) {
    connection.function(`units_${name}`, EXACT, (left, leftScale, right, rightScale) =>
      stored(calculate(name, unitsIn(left), Number(leftScale), unitsIn(right), Number(rightScale))),
    )
  }
  connection.function('units_divide', EXACT, (left, leftScale, right, rightScale, places) =>
    stored(quotient(unitsIn(left), Number(leftScale), unitsIn(right), Number(rightScale), Number(places))),
  )
  connection.function('units_round', EXACT, (units, scale, places) =>
    stored(rounded(unitsIn(units), Number(scale), Number(places))),
  )
  connection.function('exact_units', EXACT, (units, scale) => keyOfUnits(unitsIn(units), Number(scale)))
  const total = { start: () => 0n, step: (sum: bigint, units: unknown) => sum + unitsIn(units), result: stored }
  connection.aggregate('units_total', { ...EXACT, ...total } as unknown as Parameters<Connection['aggregate']>[1])
  // Any value may accumulate, but the types know only those of columns.
  connection.aggregate('exact_sum', { ...EXACT, ...exactSum } as unknown as Parameters<Connection['aggregate']>[1])
}

function unitsIn(value: unknown): bigint {
  return BigInt(value as bigint | string)
}
