// The parts of a customer outside its own row: its attribute value and the relations of that value.

import { coded } from '../../errors/catalogue.ts'
import type { Findings } from '../../errors/findings.ts'
import type { Problem } from '../../errors/problem.ts'
import type { Customer } from '../../model/records/customer.ts'
import type { AttributeRules, CompanyRules } from '../../setup/rules/rules.ts'
import type { KeyRange } from '../../store/journal/journal.ts'
import type { Tx } from '../../store/store.ts'
import type { RecordAccess } from '../shared/access/record-access.ts'
import { changeRecordValue, putRecordValue, type RecordValue } from '../shared/master-data/record-value-store.ts'
import { addRelatedValues, areRelationsChanged, saveRelatedValues } from '../shared/master-data/related-value.ts'
import { RELATION_ENTITY, relationsOf } from '../shared/master-data/relation-store.ts'
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

/**
 * Writes the value of a new customer and its relations, with one journal entry for each. Returns the transaction at the
 * entry of the last relation, whose number becomes the tag of the customer.
 */
export async function addParts(
  tx: Tx,
  company: CompanyRules,
  { attributeId, attribute }: SubjectOfCustomer,
  customer: Customer,
): Promise<Tx | undefined> {
  const value = await tx.nextEntry()
  const subject = { attribute, attributeValue: customer.customerId }
  const last = await addRelatedValues(tx, company, subject, customer.relatedValues)
  await putRecordValue(value, undefined, customerValue(attributeId, customer), (last ?? value).entryNo)
  return last
}

/** Updates the value and the relations of a changed customer, with one journal entry for each change. */
export async function saveParts(
  tx: Tx,
  company: CompanyRules,
  { attributeId, attribute }: SubjectOfCustomer,
  stored: Customer,
  customer: Customer,
): Promise<void> {
  await changeRecordValue(tx, customerValue(attributeId, stored), customerValue(attributeId, customer))
  if (!areRelationsChanged(stored, customer)) return
  const relations = await relationsOf(tx, attributeId, customer.customerId)
  const subject = { attribute, attributeValue: customer.customerId }
  await saveRelatedValues(tx, company, subject, relations, customer.relatedValues)
}

function customerValue(attributeId: string, customer: Customer): RecordValue {
  const status = statusCode(customer.payment.status) ?? 'N'
  return { attributeId, attributeValue: customer.customerId, description: customer.customerName, status }
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
