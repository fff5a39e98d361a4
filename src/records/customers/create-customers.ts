// Creates many customers in one transaction, for imports.
import type { Caller } from '../../access/caller.ts'
import type { JsonObject } from '../../base/strict-json.ts'
import type { CompanyRules } from '../../setup/rules/rules.ts'
import type { Tx } from '../../store/store.ts'
import { BatchLookups, type NewKey } from '../shared/master-data/lookups.ts'
import { type CustomerLookups, insertNewCustomer, type NewCustomer, readNewCustomer } from './create-customer.ts'
import { customerAccess } from './customer-document.ts'
import { customerAttribute } from './customer-parts.ts'
import { findPresentCustomers } from './customer-store.ts'

class CustomerBatchLookups extends BatchLookups implements CustomerLookups {
  readonly #customers = new Map<string, boolean>()

  override async findPresent(keys: readonly NewKey[]): Promise<void> {
    await super.findPresent(keys)
    for (const [, id] of keys) this.#customers.set(id, false)
    for (const id of await findPresentCustomers(this.tx, [...this.#customers.keys()])) this.#customers.set(id, true)
  }

  async isCustomer(customerId: string): Promise<boolean> {
    // The number of a series is in no record of the batch, so it was not looked up before.
    return this.#customers.get(customerId) ?? (await findPresentCustomers(this.tx, [customerId])).length > 0
  }

  override add(key: NewKey): void {
    super.add(key)
    this.#customers.set(key[1], true)
  }
}

/**
 * Applies the rules of a single new customer. All customers must be visible to the caller, because no write is checked
 * for visibility.
 */
export function customerBatches(caller: Caller, company: CompanyRules) {
  const access = customerAccess(caller, company, 'create')
  return {
    read: (record: JsonObject): NewCustomer => readNewCustomer(company, customerAttribute(company), access, record),
    prepare: async (batch: Tx, customers: readonly NewCustomer[]) => {
      const lookups = new CustomerBatchLookups(batch)
      await lookups.findPresent(customers.map(({ subject, draft }) => [subject.attributeId, draft.customerId]))
      return async (tx: Tx, customer: NewCustomer): Promise<void> => {
        const { customerId } = await insertNewCustomer(tx, lookups, customer)
        lookups.add([customer.subject.attributeId, customerId])
      }
    },
  }
}
