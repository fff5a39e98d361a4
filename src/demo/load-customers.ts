// Creates the demo customers under the usual rules.

import { Problem } from '../errors/problem.ts'
import { createCustomer } from '../records/customers/create-customer.ts'
import { customerRecord } from '../records/customers/customer-record.ts'
import { getRecord } from '../records/shared/pipeline/record-pipeline.ts'
import type { Service } from '../records/shared/service.ts'
import { COMPANY, createInOrder, creationOf, demoCaller, type ReportProgress, readDemoRecords } from './demo-records.ts'

/** The number of the customer of the first line. */
const FIRST_CUSTOMER = '100000'

/**
 * Creates the customers unless they exist already. Their numbers follow the order of the file, on PostgreSQL only with
 * one write at a time.
 */
export async function loadCustomers(
  service: Service,
  progress: ReportProgress,
  concurrentWrites?: number,
): Promise<void> {
  if (await exists(service, FIRST_CUSTOMER)) return
  const lines = readDemoRecords('customers')
  await createInOrder(lines, (line) => createCustomer(service, creationOf(line)), progress, concurrentWrites)
}

async function exists(service: Service, customerId: string): Promise<boolean> {
  try {
    await getRecord(service, customerRecord, { caller: demoCaller(COMPANY), companyId: COMPANY, key: customerId })
    return true
  } catch (error) {
    if (error instanceof Problem && error.code === 1040) return false
    throw error
  }
}
