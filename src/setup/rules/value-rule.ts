// Legal values of an attribute (specification, attribute values, rule 1: characters, length, range).

import { addressProblem } from '../../base/text.ts'
import { messageOf } from '../../base/thrown.ts'
import type { AttributeSetup } from '../file/setup-schema.ts'
import { valuePattern } from './value-pattern.ts'

/** Returns what is wrong with a value, or undefined. */
export type ValueRule = (value: string) => string | undefined

/** Default maximum length in characters. */
export const LONGEST_VALUE = 255
const WHOLE_NUMBER = /^(0|-?[1-9]\d{0,14})$/
const CONTROL_OR_SURROGATE = /[\p{Cc}\p{Cs}]/u

/** The check for a stored setup. A pattern that this version cannot compile makes every value illegal. */
export function storedValueRule(rule: NonNullable<AttributeSetup['values']>): ValueRule {
  try {
    return valueRule(rule)
  } catch (error) {
    return () => `No value is legal before the setup has another pattern than ${rule.pattern}: ${messageOf(error)}`
  }
}

/** The check for the values of an attribute. Throws when the pattern does not compile. */
export function valueRule(rule: NonNullable<AttributeSetup['values']>): ValueRule {
  const { type = 'text', maxLength = LONGEST_VALUE } = rule
  const matches = rule.pattern === undefined ? undefined : valuePattern(rule.pattern)
  return (value) => {
    if (CONTROL_OR_SURROGATE.test(value))
      return `The value ${JSON.stringify(value)} has characters that are not allowed`
    const problem = addressProblem(value)
    if (problem !== undefined) return problem
    if (value !== value.trim()) return `The value '${value}' must not begin or end with a blank`
    if ([...value].length > maxLength) return `The value '${value.slice(0, 80)}' is longer than ${maxLength} characters`
    if (matches && !matches(value))
      return `The value '${value}' has characters that are not allowed: it must match ${rule.pattern}`
    return type === 'number' ? checkNumber(value, rule) : undefined
  }
}

function checkNumber(value: string, { minimum, maximum }: { minimum?: number; maximum?: number }): string | undefined {
  if (!WHOLE_NUMBER.test(value)) return `The value '${value}' is not a whole number`
  const number = Number(value)
  if (minimum !== undefined && number < minimum) return `The value ${value} is less than ${minimum}`
  if (maximum !== undefined && number > maximum) return `The value ${value} is greater than ${maximum}`
  return undefined
}
