import { draftOf, recordJson } from '../../records/attribute-values/attribute-value.ts'
import type { CompanyRules } from '../../setup/rules/rules.ts'

/** The start of a whole text. */
const WHOLE = '{"companyId":'

/** Whether an earlier version has journaled only some members of the value, as it did for the value of a customer. */
export function isShortValue(text: string): boolean {
  return text !== '' && !text.startsWith(WHOLE)
}

/** The value as GET answers it, but for its related values, when only some members of it were journaled. */
export function wholeValue(company: CompanyRules, text: string): string {
  if (!isShortValue(text)) return text
  const value = draftOf({ ...JSON.parse(text), companyId: company.id })
  const attribute = company.attributes.get(value.attributeId)
  return (attribute && recordJson(company, attribute, value)) ?? JSON.stringify(value)
}
