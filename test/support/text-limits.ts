import { textLengthsOf } from '../../src/model/record-fields.ts'
import { Customer } from '../../src/model/records/customer.ts'

/** The longest texts of a customer, by name at any depth. */
export const CUSTOMER_LENGTHS = textLengthsOf(Customer.fields)

/** The greatest length of a text of customers. */
export function limitOf(field: string): number {
  const limit = CUSTOMER_LENGTHS[field]
  if (limit === undefined) throw new Error(`${field} has no limit`)
  return limit
}
