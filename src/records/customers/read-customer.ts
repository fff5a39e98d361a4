import type { Caller } from '../../access/caller.ts'
import { withoutZone } from '../../base/dates.ts'
import { readStored, withDefaults } from '../../model/fill-record.ts'
import type { CompanyRules } from '../../setup/rules.ts'
import type { ReadTx } from '../../store/store.ts'
import type { Service } from '../shared/service.ts'
import { type Customer, customerNotFound, draftOf, type GivenCustomer, rowWith, schemaFor } from './customer.ts'
import { customerSight } from './customer-document.ts'
import { type FoundCustomer, findCustomer } from './customer-store.ts'

/** One customer, whole, by its id. Throws 404 naming it. */
export async function readCustomer(
  service: Service,
  caller: Caller,
  companyId: string,
  customerId: string,
): Promise<FoundCustomer> {
  const company = service.companies.require(companyId)
  const sight = customerSight(caller, company, 'read')
  const tx = service.store.reading(company.id)
  const found = await sight.find(tx, rowWith(customerId), () => findWhole(tx, company, customerId))
  if (!found) throw customerNotFound(company, customerId)
  return sight.shownOf(found)
}

/** The record with every custom field that the company has now; dates among them without zone, as all dates of a customer. */
export function findWhole(tx: ReadTx, company: CompanyRules, customerId: string): Promise<FoundCustomer | undefined> {
  return findCustomer(tx, customerId, (stored) => filledCustom(company, stored))
}

function filledCustom(company: CompanyRules, stored: string): string {
  if ((company.customers?.customFieldGroups.length ?? 0) === 0) return '{}'
  const { customFieldGroups } = schemaFor(company).properties
  const whole = withDefaults(customFieldGroups, JSON.parse(stored)) as Customer['customFieldGroups']
  for (const { name, fields } of company.customers?.customFieldGroups ?? []) {
    for (const field of fields) {
      const group = whole[name]
      if (group && field.type === 'date-time') group[field.name] = withoutZone(String(group[field.name]))
    }
  }
  return JSON.stringify(whole)
}

/** The record as it was written. */
export function storedDraft(company: CompanyRules, found: FoundCustomer): Customer {
  return draftOf(company, readStored(schemaFor(company), found.body) as GivenCustomer)
}
