import type { CompanyRules, LegalValuesOf } from '../../../setup/rules/rules.ts'
import type { LegalValues } from './value-store.ts'

/** Whether a code is in the value list, or an open value of the attribute, that the setup names for a field. */
export async function isLegalCode(
  values: LegalValues,
  company: CompanyRules,
  legal: LegalValuesOf,
  code: string,
): Promise<boolean> {
  if ('valueList' in legal) return company.valueLists.has(legal.valueList, code)
  return values.isLegalValue(legal.attributeId, code)
}
