// Attributes: owners, number series, ranges and patterns.
import type { AttributeSetup, NumberingSetup } from '../setup-schema.ts'
import { valuePattern } from '../value-pattern.ts'
import { valueRule } from '../value-rule.ts'
import type { SetupPath, YamlSource } from '../yaml-source.ts'
import { checkReference } from './check.ts'
import type { CompanyIndex } from './companies.ts'

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
  const isPatternSound = pattern === undefined || checkPattern(pattern, [...path, 'values', 'pattern'], source)
  const isWhole = isPatternSound && ['values', 'numbering'].every((part) => source.isSound([...path, part]))
  if (attribute.numbering && checkNumbering(attribute.numbering, [...path, 'numbering'], source) && isWhole) {
    checkNumbersFit(attribute, attribute.numbering, [...path, 'numbering'], source)
  }
}

function checkPattern(pattern: string, path: SetupPath, source: YamlSource): boolean {
  try {
    valuePattern(pattern)
    return true
  } catch (error) {
    source.add(path, `the pattern ${error instanceof Error ? error.message : error}`)
    return false
  }
}

/** Whether the series is one at all. */
export function checkNumbering({ from, to }: NumberingSetup, path: SetupPath, source: YamlSource): boolean {
  if (!(from > to)) return true
  source.add([...path, 'from'], `the series begins at ${from}, after its end ${to}`)
  return false
}

/** The first and the last number must be legal values of the attribute. */
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
    const wrong = rule(prefix + String(number).padStart(width, '0'))
    if (wrong !== undefined) source.add([...path, member], `the series gives an illegal value: ${wrong}`)
  }
}
