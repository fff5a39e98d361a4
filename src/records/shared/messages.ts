// Error messages that several resources use.
import { capitalised } from '../../base/text.ts'
import type { AttributeRules, CompanyRules, RelationRules } from '../../setup/rules/rules.ts'

/** The attribute as messages name it: by its name, else by its id (decision 1). */
export function attributeName(company: CompanyRules, attributeId: string): string {
  return company.attributes.get(attributeId)?.name ?? attributeId
}

export function isNotLegal(company: CompanyRules, attributeId: string, value: string): string {
  return `${value} is not a legal ${attributeName(company, attributeId)}`
}

export function noManualMaintenance(attribute: AttributeRules): string {
  return `Attribute ${attribute.name} does not allow manual maintenance`
}

export function isMandatory(relation: RelationRules): string {
  return `The relation ${relation.name} is mandatory`
}

interface Range {
  readonly minimum: number | undefined
  readonly maximum: number | undefined
}

export function outOfRange(field: string, { minimum, maximum }: Range): string {
  const range = [minimum === undefined ? '' : `at least ${minimum}`, maximum === undefined ? '' : `at most ${maximum}`]
  return `The field ${capitalised(field)} must be ${range.filter(Boolean).join(' and ')}.`
}

export function tooFew(field: string, least: number): string {
  return `The field ${capitalised(field)} must have at least ${least} items.`
}
