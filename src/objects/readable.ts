// What a caller may read of a document.
import type { Caller } from '../access/caller.ts'
import type { DocumentDefinition } from '../model/document.ts'
import { associatedWith, restricted } from '../model/restricted.ts'
import type { CompanyRules } from '../setup/rules/rules.ts'
import type { EnterpriseDocument } from './enterprise-document.ts'

/** The document as the caller's rules show it; undefined if no role names it. */
export function readableDefinition(
  document: EnterpriseDocument,
  caller: Caller,
  company: CompanyRules,
): DocumentDefinition | undefined {
  const whole = document.of(company)
  if (!caller.mayQuery(company.id, 'read', whole.name)) return undefined
  const rules = caller.rulesForQuery(company.id, whole.name, associatedWith(whole))
  return rules ? restricted(whole, rules) : whole
}
