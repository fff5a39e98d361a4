// Many new customers in one write, for an import.
import type { Caller } from '../../access/caller.ts'
import type { JsonObject } from '../../base/strict-json.ts'
import type { CompanyRules } from '../../setup/rules.ts'
import type { Tx } from '../../store/store.ts'
import { BatchLookups } from '../shared/lookups.ts'
import { insertNewCustomer, type NewCustomer, readNewCustomer } from './create-customer.ts'
import { customerSight } from './customer-document.ts'
import { customerAttribute } from './customer-parts.ts'

/** By the rules of a single new customer. The caller must see all customers: nothing is undone because of what is not seen. */
export function customerBatches(caller: Caller, company: CompanyRules) {
  const sight = customerSight(caller, company, 'create')
  return {
    read: (record: JsonObject): NewCustomer => readNewCustomer(company, customerAttribute(company), sight, record),
    begin: async (batch: Tx, customers: readonly NewCustomer[]) => {
      const lookups = new BatchLookups(batch)
      await lookups.findPresent(customers.map(({ subject, draft }) => [subject.attributeId, draft.customerId]))
      return async (tx: Tx, customer: NewCustomer): Promise<void> => {
        const { customerId } = await insertNewCustomer(tx, lookups, customer)
        lookups.add([customer.subject.attributeId, customerId])
      }
    },
  }
}
