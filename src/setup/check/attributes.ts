// Checks attributes: owners, number series, ranges and patterns.
import { messageOf } from '../../base/thrown.ts'
import type { AttributeSetup, NumberingSetup } from '../file/setup-schema.ts'
import type { SetupPart } from '../file/yaml-source.ts'
import { longestMatched } from '../rules/value-pattern.ts'
import { LONGEST_VALUE, type ValueRule, valueRule } from '../rules/value-rule.ts'
import { type CompanyIndex, checkRange, checkReference } from './check.ts'

export function checkAttribute(attribute: AttributeSetup, place: SetupPart, index: CompanyIndex): void {
  checkReference(place.at('owner', 'attributeId'), 'attribute', attribute.owner?.attributeId, index.attributes)
  const { values = {} } = attribute
  const { pattern, maxLength } = values
  checkRange(values, place.at('values'))
  const isPatternValid = pattern === undefined || checkPattern(pattern, maxLength, place.at('values', 'pattern'))
  const areRulesValid = isPatternValid && ['values', 'numbering'].every((part) => place.at(part).isValid)
  if (attribute.numbering && checkNumbering(attribute.numbering, place.at('numbering')) && areRulesValid) {
    checkNumbersFit(attribute.numbering, valueRule(values), place.at('numbering'))
  }
}

/** `longest`: the length of the longest value that is matched. */
export function checkPattern(pattern: string, longest: number = LONGEST_VALUE, place: SetupPart): boolean {
  const problem = problemOfPattern(pattern, longest)
  if (problem !== undefined) place.add(`the pattern ${problem}`)
  return problem === undefined
}

function problemOfPattern(pattern: string, longest: number): string | undefined {
  try {
    const most = longestMatched(pattern)
    if (!(longest > most)) return undefined
    return `could take long for ${longest} characters: a maxLength of at most ${most} is needed, or a simpler pattern`
  } catch (error) {
    return messageOf(error)
  }
}

/** Returns whether the series starts before it ends. */
export function checkNumbering({ from, to }: NumberingSetup, place: SetupPart): boolean {
  if (!(from > to)) return true
  place.at('from').add(`the series begins at ${from}, after its end ${to}`)
  return false
}

/** Checks that the first and the last number of the series are legal values. */
export function checkNumbersFit(
  { from, to, prefix = '', width = 0 }: NumberingSetup,
  problemOf: ValueRule,
  place: SetupPart,
): void {
  for (const [member, number] of Object.entries({ from, to })) {
    const problem = problemOf(prefix + String(number).padStart(width, '0'))
    if (problem !== undefined) place.at(member).add(`the series gives an illegal value: ${problem}`)
  }
}
