// Creates the demo customers under the usual rules.

import { readFileSync } from 'node:fs'
import { Caller } from '../access/caller.ts'
import type { JsonObject } from '../base/strict-json.ts'
import { Problem } from '../errors/problem.ts'
import { createCustomer } from '../records/customers/create-customer.ts'
import { customerRecord } from '../records/customers/customer-record.ts'
import { getRecord } from '../records/shared/pipeline/record-pipeline.ts'
import type { Service } from '../records/shared/service.ts'

const FILE = new URL('../../examples/demo/customers.ndjson', import.meta.url)
const COMPANY = 'EN'
/** The number of the customer of the first line. */
const FIRST_CUSTOMER = '100000'
/** Number of concurrent writes, which share commits on SQLite. */
const CONCURRENT_WRITES = 64

/** A line of the file: the body of a customer, whose number the company assigns. */
type CustomerLine = JsonObject & { readonly companyId: string }

/**
 * Creates the customers unless they exist already; `progress` is called with the number created so far. Customer
 * numbers follow the order of the file: SQLite writes in the order in which writes start. PostgreSQL does not, so it
 * requires `concurrentWrites` to be 1.
 */
export async function loadCustomers(
  service: Service,
  progress: (done: number, total: number) => void,
  concurrentWrites = CONCURRENT_WRITES,
): Promise<void> {
  if (await exists(service, FIRST_CUSTOMER)) return
  const lines = readFileSync(FILE, 'utf8').trim().split('\n')
  for (let done = 0; done < lines.length; ) {
    const batch = lines.slice(done, done + concurrentWrites)
    await Promise.all(batch.map((line) => create(service, JSON.parse(line) as CustomerLine)))
    done += batch.length
    progress(done, lines.length)
  }
}

async function create(service: Service, body: CustomerLine): Promise<void> {
  const { companyId } = body
  await createCustomer(service, { caller: callerIn(companyId), companyId, requestId: 'demo', body })
}

/** A caller without roles has no restrictions. */
function callerIn(companyId: string): Caller {
  return new Caller({ id: 'demo', defaultCompany: companyId }, 'demo', new Map())
}

async function exists(service: Service, customerId: string): Promise<boolean> {
  try {
    await getRecord(service, customerRecord, { caller: callerIn(COMPANY), companyId: COMPANY, key: customerId })
    return true
  } catch (error) {
    if (error instanceof Problem && error.code === 1040) return false
    throw error
  }
}
