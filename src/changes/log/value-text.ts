import { draftOf, recordJson, ENTITY as VALUE } from '../../records/attribute-values/attribute-value.ts'
import { CUSTOMER_ENTITY as CUSTOMER } from '../../records/kinds/customers.ts'
import type { CompanyRules } from '../../setup/rules/rules.ts'

/** The start of a whole text. That of a record of the setup begins as the setup declares it. */
const WHOLE = '{"companyId":'

/** Whether only some members of the value are journaled, as those of the value of a customer are. */
export function isShortValue(entity: string, text: string): boolean {
  return (entity === VALUE || entity === CUSTOMER) && text !== '' && !text.startsWith(WHOLE)
}

/** The value as GET answers it, but for its related values, of which only some members were journaled. */
export function wholeValue(company: CompanyRules, text: string): string {
  const value = draftOf({ ...JSON.parse(text), companyId: company.id })
  const attribute = company.attributes.get(value.attributeId)
  return (attribute && recordJson(company, attribute, value)) ?? JSON.stringify(value)
}
