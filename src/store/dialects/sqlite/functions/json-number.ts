import { DECIMAL_DIGITS } from '../../../../base/numbers/decimal.ts'

/** SQLite writes a double of so many digits with just these. */
const EXACT_DIGITS = 13
/** Smaller doubles are written with an exponent. */
const PLAIN_SCALE = 4

/** A decimal, which is kept in units of its last digit, as JSON in its shortest form. */
export function jsonDecimal(sql: string, scale: number): string {
  return scale === 0 ? sql : shortest(sql, scale, `json(${decimalText(sql, scale)})`)
}

/** A decimal as the cell of a row: a number where a double says it, else a text. */
export function decimalCell(sql: string, scale: number): string {
  return scale === 0 ? `cast(${sql} as text)` : shortest(sql, scale, decimalText(sql, scale))
}

/** As it is compared with a double. */
export function decimalAsDouble(sql: string, scale: number): string {
  return scale === 0 ? `cast(${sql} as real)` : `cast(${decimalText(sql, scale)} as real)`
}

/** Most decimals are whole, or a double has all their digits; the text of the others takes longer to make. */
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

/** Row values: the whole part, and what is behind the point as if it had as many digits as there are. */
export function inParts(sql: string, scale: number): string {
  const unit = 10 ** scale
  return scale === 0 ? `(${sql}, 0)` : `(${sql} / ${unit}, ${sql} % ${unit} * ${10n ** BigInt(DECIMAL_DIGITS - scale)})`
}

/**
 * A double as JSON, with the digits that PostgreSQL and JavaScript write: a whole one without `.0`, another with 15
 * when they say it. SQLite by itself adds digits that nobody has sent, 90071992547409.906 for 90071992547409.9.
 */
export function jsonNumber(sql: string): string {
  const short = `printf('%.15g', ${sql})`
  const other = `iif(cast(${short} as real) = ${sql}, json(${short}), ${sql})`
  return `iif(${sql} = cast(${sql} as integer), cast(${sql} as integer), ${other})`
}
