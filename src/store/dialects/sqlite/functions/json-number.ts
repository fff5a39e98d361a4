import { DECIMAL_DIGITS } from '../../../../base/numbers/decimal.ts'

/** SQLite formats a double with up to this number of digits exactly. */
const EXACT_DIGITS = 13
/** Doubles with more leading zeros are formatted with an exponent. */
const PLAIN_SCALE = 4

/** A decimal, which is stored in units of its last digit, as JSON in its shortest form. */
export function jsonDecimal(sql: string, scale: number): string {
  return scale === 0 ? sql : shortest(sql, scale, `json(${decimalText(sql, scale)})`)
}

/** A decimal as a cell: a number when a double is exact, otherwise a text. */
export function decimalCell(sql: string, scale: number): string {
  return scale === 0 ? `cast(${sql} as text)` : shortest(sql, scale, decimalText(sql, scale))
}

/** A decimal for comparison with a double. */
export function decimalAsDouble(sql: string, scale: number): string {
  return scale === 0 ? `cast(${sql} as real)` : `cast(${decimalText(sql, scale)} as real)`
}

/** Most decimals are integers or exact doubles; only the others need the slower text. */
function shortest(sql: string, scale: number, text: string): string {
  const [unit, most, least] = [10 ** scale, 10 ** EXACT_DIGITS - 1, 10 ** Math.max(0, scale - PLAIN_SCALE)]
  const isShort = least === 1 ? `${sql} between -${most} and ${most}` : `abs(${sql}) between ${least} and ${most}`
  return `iif(${sql} % ${unit} = 0, ${sql} / ${unit}, iif(${isShort}, ${sql} / ${unit}.0, ${text}))`
}

function decimalText(sql: string, scale: number): string {
  const unit = 10 ** scale
  const digits = `printf('%s%d.%0${scale}d', iif(${sql} < 0, '-', ''), abs(${sql}) / ${unit}, abs(${sql}) % ${unit})`
  return `rtrim(${digits}, '0')`
}

/** A decimal as a row value of its integer part and its fraction, scaled to the maximum number of digits. */
export function inParts(sql: string, scale: number): string {
  const unit = 10 ** scale
  return scale === 0 ? `(${sql}, 0)` : `(${sql} / ${unit}, ${sql} % ${unit} * ${10n ** BigInt(DECIMAL_DIGITS - scale)})`
}

/**
 * A double as JSON, with the same digits as PostgreSQL and JavaScript: an integer without `.0`, others with 15 digits
 * if these are exact. SQLite itself adds spurious digits: 90071992547409.906 for 90071992547409.9.
 */
export function jsonNumber(sql: string): string {
  const short = `printf('%.15g', ${sql})`
  const other = `iif(cast(${short} as real) = ${sql}, json(${short}), ${sql})`
  return `iif(${sql} = cast(${sql} as integer), cast(${sql} as integer), ${other})`
}
