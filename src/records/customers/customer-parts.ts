// What belongs to a customer beside its own row: the value that it is, and the relations of that value.
import { coded } from '../../errors/catalogue.ts'
import type { Findings } from '../../errors/findings.ts'
import type { Problem } from '../../errors/problem.ts'
import type { AttributeRules, CompanyRules } from '../../setup/rules.ts'
import type { KeyRange } from '../../store/journal.ts'
import type { Tx } from '../../store/store.ts'
import { type CustomerValue, changeCustomerValue, putCustomerValue } from '../shared/customer-value-store.ts'
import { addRelatedValues, saveRelatedValues } from '../shared/related-value.ts'
import { RELATION_ENTITY, relationsOf } from '../shared/relation-store.ts'
import type { Sight } from '../shared/sight.ts'
import { type Customer, ENTITY, type GivenCustomer, statusCode } from './customer.ts'

export interface SubjectOfCustomer {
  readonly attributeId: string
  readonly attribute: AttributeRules
}

/** The attribute that the company's customers are values of. Throws 422 where the company keeps none. */
export function customerAttribute(company: CompanyRules): SubjectOfCustomer {
  const attributeId = company.customers?.attributeId
  const attribute = attributeId === undefined ? undefined : company.attributes.get(attributeId)
  if (attributeId === undefined || !attribute) {
    throw coded(422, 3010, `Company ${company.id} keeps no customers: its setup has no section 'customers'.`)
  }
  return { attributeId, attribute }
}

/** Where the journal tells of changes to a customer: its own entries, then those of its relations. */
export function changesOf({ attributeId }: SubjectOfCustomer, customerId: string): readonly KeyRange[] {
  return [
    { entity: ENTITY, firstParts: [customerId] },
    { entity: RELATION_ENTITY, firstParts: [attributeId, customerId] },
  ]
}

/**
 * Writes the value of a new customer and its relations, each with a journal entry of its own. Gives the write
 * with the number of the last relation, which is then the tag of the customer.
 */
export async function addParts(
  tx: Tx,
  company: CompanyRules,
  { attributeId, attribute }: SubjectOfCustomer,
  customer: Customer,
): Promise<Tx | undefined> {
  const value = await tx.next()
  const subject = { attribute, attributeValue: customer.customerId }
  const last = await addRelatedValues(tx, company, subject, customer.relatedValues)
  await putCustomerValue(value, undefined, customerValue(attributeId, customer), (last ?? value).entryNo)
  return last
}

/** Writes what a change of a customer changes of its value and its relations, each with a journal entry of its own. */
export async function saveParts(
  tx: Tx,
  company: CompanyRules,
  { attributeId, attribute }: SubjectOfCustomer,
  stored: Customer,
  customer: Customer,
): Promise<void> {
  await changeCustomerValue(tx, customerValue(attributeId, stored), customerValue(attributeId, customer))
  if (!areRelationsChanged(stored, customer)) return
  const relations = await relationsOf(tx, attributeId, customer.customerId)
  const subject = { attribute, attributeValue: customer.customerId }
  await saveRelatedValues(tx, company, subject, relations, customer.relatedValues)
}

export function areRelationsChanged(stored: Customer, customer: Customer): boolean {
  return JSON.stringify(stored.relatedValues) !== JSON.stringify(customer.relatedValues)
}

function customerValue(attributeId: string, customer: Customer): CustomerValue {
  const status = statusCode(customer.payment.status) ?? 'N'
  return { attributeId, customerId: customer.customerId, description: customer.customerName, status }
}

/** The customer as it was sent, with every finding in its place: a custom group that is missing is there to carry its own. */
export function refusedCustomer(
  company: CompanyRules,
  given: GivenCustomer | Customer,
  findings: Findings,
  sight: Sight,
): Problem {
  const groups = (company.customers?.customFieldGroups ?? []).map(({ name }) => name)
  const failing = groups.filter((name) => findings.has(['customFieldGroups', name]))
  const customFieldGroups: Record<string, Record<string, unknown>> = { ...given.customFieldGroups }
  for (const name of failing) customFieldGroups[name] ??= {}
  return sight.refused(failing.length > 0 ? { ...given, customFieldGroups } : given, findings)
}
