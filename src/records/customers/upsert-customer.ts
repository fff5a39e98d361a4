import { type UpsertRequest, upsertRecord } from '../shared/pipeline/upsert-record.ts'
import type { Service } from '../shared/service.ts'
import { createCustomer } from './create-customer.ts'
import { customerRecord } from './customer-record.ts'

/** Creates the customer of a record, or updates the members that the record gives if the customer exists. */
export function upsertCustomer(service: Service, request: UpsertRequest): Promise<'written' | 'unchanged'> {
  const kind = {
    type: customerRecord,
    keyNames: ['customerId'],
    requested: ([customerId = '']: readonly string[]) => customerId,
    create: (created: UpsertRequest) => createCustomer(service, created),
  }
  return upsertRecord(service, kind, request)
}
