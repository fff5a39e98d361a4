// Exact numbers on SQLite, whose own are 64-bit integers and doubles: keys that sort as their numbers do. JavaScript
// makes them once for each group; it adds only values that are no integers.
import { isNumberText } from '../../../base/long-number.ts'
import { floorUnits } from '../../../base/numbers/decimal.ts'
import { averageKey, ExactSum, keyOfText, keyOfUnits, textOfKey } from '../../../base/numbers/exact.ts'
import { calculate, quotient, rounded } from '../../../base/numbers/units.ts'
import type { AggregatedValue, Arithmetic, Scaled, ShortNumber } from '../../../sql/dialect.ts'
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

/**
 * Units of the last digit: an integer, or a text of one where it needs more than 64 bits. A function of JavaScript
 * takes three times the processor time of reading a row: SQLite itself calculates where no integer can grow beyond 64
 * bits.
 */
export const arithmetic: Arithmetic = {
  operand: (sql, _type, scale, isColumn) => ({
    sql,
    scale,
    short: isColumn ? { sql, most: SHORT, columns: [sql] } : undefined,
  }),
  literal: (units, scale) => {
    const sql = isShort(units) ? `(${units})` : `'${units}'`
    return { sql, scale, short: shortNumber(sql, units < 0n ? -units : units) }
  },
  calculate: (name, left, right, scale) => ({
    sql: `units_${name}(${pair(left, right)})`,
    scale,
    short: left.short && right.short && calculatedShort(name, left, left.short, right, right.short),
  }),
  divide: (left, right, places) => ({ sql: `units_divide(${pair(left, right)}, ${places})`, scale: places }),
  round: ({ sql, scale, short }, places) => ({
    sql: `units_round(${sql}, ${scale}, ${places})`,
    scale: places,
    short: short && roundedShort(short, 10n ** BigInt(scale - places)),
  }),
  total,
  exact: (number) => `exact_units(${unitsSql(number)}, ${number.scale})`,
  ifShort,
}

/** The magnitude of short numbers: the product of two fits into 64 bits. */
const SHORT = 2n ** 31n - 1n
/** Sums and differences of such numbers do not grow beyond 64 bits. */
const LONGEST = 2n ** 62n

const OPERATORS = { add: '+', subtract: '-', multiply: '*' } as const

function calculatedShort(
  name: keyof typeof OPERATORS,
  { scale: leftScale }: Scaled,
  left: ShortNumber,
  { scale: rightScale }: Scaled,
  right: ShortNumber,
): ShortNumber | undefined {
  const columns = [...left.columns, ...right.columns]
  if (name === 'multiply') return shortNumber(`(${left.sql} * ${right.sql})`, left.most * right.most, columns)
  const scale = Math.max(leftScale, rightScale)
  const [leftTimes, rightTimes] = [10n ** BigInt(scale - leftScale), 10n ** BigInt(scale - rightScale)]
  const sql = `(${left.sql} * ${leftTimes} ${OPERATORS[name]} ${right.sql} * ${rightTimes})`
  return shortNumber(sql, left.most * leftTimes + right.most * rightTimes, columns)
}

/** In units that are `part` of those of the number. SQLite divides integers towards zero. */
function roundedShort({ sql, most, columns }: ShortNumber, part: bigint): ShortNumber | undefined {
  const half = part / 2n
  if (!shortNumber(sql, most + half)) return undefined
  return shortNumber(`((${sql} + iif(${sql} < 0, -${half}, ${half})) / ${part})`, most / part + 1n, columns)
}

function shortNumber(sql: string, most: bigint, columns: readonly string[] = []): ShortNumber | undefined {
  return most < LONGEST ? { sql, most, columns } : undefined
}

/** The number in the faster way where its columns hold short ones. */
export function unitsSql({ sql, short }: Scaled): string {
  return !short || short.sql === sql ? sql : ifShort(short, short.sql, sql)
}

function ifShort(number: ShortNumber, met: string, otherwise: string): string {
  const areShort = areShortIn(number)
  return areShort === '' ? met : `iif(${areShort}, ${met}, ${otherwise})`
}

function areShortIn({ columns }: ShortNumber): string {
  return [...new Set(columns)].map((column) => `${column} between -${SHORT} and ${SHORT}`).join(' and ')
}

/** `total` of so many integers is exact where it is below LONGEST_DOUBLE: its compensated errors do not add up to 1. */
const MOST_ADDED = 2 ** 17
const LONGEST_DOUBLE = 2 ** 53
/** Makes a total too long, whatever else is added. */
const NOT_SHORT = '1e300'

/** Short numbers are added by SQLite: its `sum` would fail beyond 64 bits, and `total` answers a double instead. */
function total(number: Scaled, from: string): string {
  const all = `select units_total(${unitsSql(number)}) ${from}`
  const { short } = number
  const areShort = short && areShortIn(short)
  if (!areShort) return `(${all})`
  const sum = `total(iif(${areShort}, ${short.sql}, ${NOT_SHORT}))`
  const isExact = `abs(${sum}) < ${LONGEST_DOUBLE} and count(*) < ${MOST_ADDED}`
  return `(select iif(${isExact}, cast(${sum} as integer), (${all})) ${from})`
}

function pair(left: Scaled, right: Scaled): string {
  return `${unitsSql(left)}, ${left.scale}, ${unitsSql(right)}, ${right.scale}`
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
    typeof value === 'bigint' ? keyOfUnits(value, Number(scale)) : keyOfText(String(value)),
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
