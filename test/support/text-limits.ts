import { CUSTOMER_LENGTHS } from '../../src/model/records/customer.ts'

/** The greatest length of a text of customers. */
export function limitOf(field: string): number {
  const limit = CUSTOMER_LENGTHS[field]
  if (limit === undefined) throw new Error(`${field} has no limit`)
  return limit
}
