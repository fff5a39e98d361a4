import { draftOf, recordJson, ENTITY as VALUE } from '../../records/attribute-values/attribute-value.ts'
import type { CompanyRules } from '../../setup/rules/rules.ts'

/** The start of a whole text. */
const WHOLE = '{"companyId":'

/** Whether only some members of the value are journaled, as those of the value that a record is are. */
export function isShortValue(entity: string, text: string): boolean {
  return entity === VALUE && text !== '' && !text.startsWith(WHOLE)
}

/** The value as GET answers it, but for its related values, of which only some members were journaled. */
export function wholeValue(company: CompanyRules, text: string): string {
  const value = draftOf({ ...JSON.parse(text), companyId: company.id })
  const attribute = company.attributes.get(value.attributeId)
  return (attribute && recordJson(company, attribute, value)) ?? JSON.stringify(value)
}
