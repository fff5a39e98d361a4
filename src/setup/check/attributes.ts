// Checks attributes: owners, number series, ranges and patterns.
import type { AttributeSetup, NumberingSetup } from '../read/setup-schema.ts'
import type { SetupPath, YamlSource } from '../read/yaml-source.ts'
import { valuePattern } from '../rules/value-pattern.ts'
import { valueRule } from '../rules/value-rule.ts'
import type { CompanyIndex } from './check.ts'
import { checkReference } from './check.ts'

export function checkAttribute(
  attribute: AttributeSetup,
  path: SetupPath,
  index: CompanyIndex,
  source: YamlSource,
): void {
  checkReference(source, [...path, 'owner', 'attributeId'], 'attribute', attribute.owner?.attributeId, index.attributes)
  const { minimum, maximum, pattern } = attribute.values ?? {}
  if (minimum !== undefined && maximum !== undefined && minimum > maximum) {
    source.add([...path, 'values', 'minimum'], `the minimum ${minimum} is greater than the maximum ${maximum}`)
  }
  const isPatternValid = pattern === undefined || checkPattern(pattern, [...path, 'values', 'pattern'], source)
  const areRulesValid = isPatternValid && ['values', 'numbering'].every((part) => source.isValid([...path, part]))
  if (attribute.numbering && checkNumbering(attribute.numbering, [...path, 'numbering'], source) && areRulesValid) {
    checkNumbersFit(attribute, attribute.numbering, [...path, 'numbering'], source)
  }
}

export function checkPattern(pattern: string, path: SetupPath, source: YamlSource): boolean {
  try {
    valuePattern(pattern)
    return true
  } catch (error) {
    source.add(path, `the pattern ${error instanceof Error ? error.message : error}`)
    return false
  }
}

/** Returns whether the series starts before it ends. */
export function checkNumbering({ from, to }: NumberingSetup, path: SetupPath, source: YamlSource): boolean {
  if (!(from > to)) return true
  source.add([...path, 'from'], `the series begins at ${from}, after its end ${to}`)
  return false
}

/** Checks that the first and the last number of the series are legal values of the attribute. */
function checkNumbersFit(
  attribute: AttributeSetup,
  numbering: NumberingSetup,
  path: SetupPath,
  source: YamlSource,
): void {
  const { from, to, prefix = '', width = 0 } = numbering
  const rule = valueRule(attribute.values ?? {})
  for (const [member, number] of [
    ['from', from],
    ['to', to],
  ] as const) {
    const problem = rule(prefix + String(number).padStart(width, '0'))
    if (problem !== undefined) source.add([...path, member], `the series gives an illegal value: ${problem}`)
  }
}
