// Which rules of a property a value breaks. Values are complete: an absent one is the empty value, or the default.
import { type Exact, unitsOf } from '../../base/numbers/decimal.ts'
import { isLongerThan } from '../../base/text.ts'
import { type FieldRules, isEmptyValue } from './declared-field-rules.ts'

export function isTooLong({ type, maxLength }: FieldRules, value: unknown): boolean {
  return type === 'string' && isLongerThan(value as string, maxLength)
}

export function matchesPattern({ pattern }: FieldRules, value: unknown): boolean {
  return pattern === undefined || pattern.matches(String(value))
}

export function isOutOfRange({ type, scale, minimum, maximum }: FieldRules, value: unknown): boolean {
  if (minimum === undefined && maximum === undefined) return false
  const compare = (bound: number) =>
    type === 'decimal' ? compareDecimals(value as Exact, bound, scale) : Number(value) - bound
  return (minimum !== undefined && compare(minimum) < 0) || (maximum !== undefined && compare(maximum) > 0)
}

/** Negative if the decimal is below the bound, which has no more digits behind the point. */
function compareDecimals(value: Exact, bound: number, scale: number): number {
  const [left, right] = [unitsOf(value, scale), unitsOf(bound, scale)]
  if (left === undefined || right === undefined) return Number(value) - bound
  return BigInt(left) < BigInt(right) ? -1 : BigInt(left) > BigInt(right) ? 1 : 0
}

/** Whether a stored value may stand for none: a number that a record needs may be 0. */
export function mayBeAbsent({ type, required }: FieldRules, value: unknown): boolean {
  return isEmptyValue(type, value) && (type === 'string' || type === 'date-time' || !required)
}
