import type { Caller } from '../../access/caller.ts'
import { withoutZone } from '../../base/dates.ts'
import { readStored, withDefaults } from '../../model/fill-record.ts'
import type { Customer } from '../../model/records/customer.ts'
import type { CompanyRules } from '../../setup/rules/rules.ts'
import type { ReadTx } from '../../store/store.ts'
import type { Service } from '../shared/service.ts'
import { customerNotFound, draftOf, type GivenCustomer, keyFilterOf, schemaFor } from './customer.ts'
import { customerAccess } from './customer-document.ts'
import { type FoundCustomer, findCustomer } from './customer-store.ts'

/** Returns one complete customer by its id. Throws 404 with the id. */
export async function readCustomer(
  service: Service,
  caller: Caller,
  companyId: string,
  customerId: string,
): Promise<FoundCustomer> {
  const company = service.companies.require(companyId)
  const access = customerAccess(caller, company, 'read')
  const tx = service.store.reading(company.id)
  const found = await access.find(tx, keyFilterOf(customerId), () => findWithCustomFields(tx, company, customerId))
  if (!found) throw customerNotFound(company, customerId)
  return access.redactBody(found)
}

/**
 * Returns the record with all current custom fields of the company; their dates have no time zone, like all dates of a
 * customer.
 */
export function findWithCustomFields(
  tx: ReadTx,
  company: CompanyRules,
  customerId: string,
): Promise<FoundCustomer | undefined> {
  return findCustomer(tx, customerId, (stored) => completeCustomFields(company, stored))
}

function completeCustomFields(company: CompanyRules, stored: string): string {
  if ((company.customers?.customFieldGroups.length ?? 0) === 0) return '{}'
  const { customFieldGroups } = schemaFor(company).properties
  const completed = withDefaults(customFieldGroups, JSON.parse(stored)) as Customer['customFieldGroups']
  for (const { name, fields } of company.customers?.customFieldGroups ?? []) {
    for (const field of fields) {
      const group = completed[name]
      if (group && field.type === 'date-time') group[field.name] = withoutZone(String(group[field.name]))
    }
  }
  return JSON.stringify(completed)
}

/** The draft of a stored record. */
export function storedDraft(company: CompanyRules, found: FoundCustomer): Customer {
  return draftOf(company, readStored(schemaFor(company), found.body) as GivenCustomer)
}
