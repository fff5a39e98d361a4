// Exact numbers on SQLite, whose own are 64-bit integers and doubles: keys that sort as their numbers do. JavaScript
// makes them once for each group; it adds only values that are no integers.
import { isNumberText } from '../../../base/long-number.ts'
import { floorUnits } from '../../../base/numbers/decimal.ts'
import { averageKey, ExactSum, keyOf, keyOfUnits, textOfKey } from '../../../base/numbers/exact.ts'
import type { AggregatedValue } from '../../../sql/dialect.ts'
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

const EXACT = { deterministic: true, useBigIntArguments: true } as const

const exactSum = {
  start: () => new ExactSum(),
  step: (sum: ExactSum, value: unknown) => {
    if (typeof value === 'bigint' || typeof value === 'number') sum.add(value)
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
  // Any value may accumulate, but the types know only those of columns.
  connection.aggregate('exact_sum', { ...EXACT, ...exactSum } as unknown as Parameters<Connection['aggregate']>[1])
}
