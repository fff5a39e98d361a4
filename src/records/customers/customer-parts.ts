// The parts of a customer outside its own row: its attribute value and the relations of that value.

import { coded } from '../../errors/catalogue.ts'
import type { Findings } from '../../errors/findings.ts'
import type { Problem } from '../../errors/problem.ts'
import type { Customer } from '../../model/records/customer.ts'
import type { AttributeRules, CompanyRules } from '../../setup/rules/rules.ts'
import type { KeyRange } from '../../store/journal/journal.ts'
import type { RecordAccess } from '../shared/access/record-access.ts'
import type { ValueAndRelations } from '../shared/master-data/record-parts.ts'
import { RELATION_ENTITY } from '../shared/master-data/relation-store.ts'
import { ENTITY, type GivenCustomer, statusCode } from './customer.ts'

export interface SubjectOfCustomer {
  readonly attributeId: string
  readonly attribute: AttributeRules
}

/** The customer attribute of the company. Throws 422 if the company has no customers. */
export function customerAttribute(company: CompanyRules): SubjectOfCustomer {
  const attributeId = company.customers?.attributeId
  const attribute = attributeId === undefined ? undefined : company.attributes.get(attributeId)
  if (attributeId === undefined || !attribute) {
    throw coded(422, 3010, `Company ${company.id} keeps no customers: its setup has no section 'customers'.`)
  }
  return { attributeId, attribute }
}

/** The journal ranges with the changes of a customer: its entries, then those of its relations. */
export function journalRangesOf({ attributeId }: SubjectOfCustomer, customerId: string): readonly KeyRange[] {
  return [
    { entity: ENTITY, firstParts: [customerId] },
    { entity: RELATION_ENTITY, firstParts: [attributeId, customerId] },
  ]
}

/** The parts of a customer with these members. */
export function partsOf({ attributeId }: SubjectOfCustomer, customer: Customer): ValueAndRelations {
  const status = statusCode(customer.payment.status) ?? 'N'
  const value = { attributeId, attributeValue: customer.customerId, description: customer.customerName, status }
  return { value, relatedValues: customer.relatedValues }
}

/**
 * The rejection of a customer as it was sent. Missing custom field groups are added as empty objects to hold their
 * findings.
 */
export function customerRejection(
  company: CompanyRules,
  given: GivenCustomer | Customer,
  findings: Findings,
  access: RecordAccess,
): Problem {
  const groups = (company.customers?.customFieldGroups ?? []).map(({ name }) => name)
  const failing = groups.filter((name) => findings.has(['customFieldGroups', name]))
  const customFieldGroups: Record<string, Record<string, unknown>> = { ...given.customFieldGroups }
  for (const name of failing) customFieldGroups[name] ??= {}
  return access.refusal(failing.length > 0 ? { ...given, customFieldGroups } : given, findings)
}
