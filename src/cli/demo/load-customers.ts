// Puts the demo's customers into the store, by the rules that hold for everybody.
import { readFileSync } from 'node:fs'
import { Caller } from '../../access/caller.ts'
import type { JsonObject } from '../../base/strict-json.ts'
import { Problem } from '../../errors/problem.ts'
import { createCustomer } from '../../records/customers/create-customer.ts'
import { readCustomer } from '../../records/customers/read-customer.ts'
import type { Service } from '../../records/shared/service.ts'

const FILE = new URL('../../../examples/demo/customers.ndjson', import.meta.url)
const COMPANY = 'EN'
/** What the company numbers its first customer: that of the first line. */
const FIRST_CUSTOMER = '100000'
/** On SQLite, writes that arrive together share a commit. */
const WRITES_AT_ONCE = 64

/** A line of the file: the body of a customer that its company numbers. */
type CustomerLine = JsonObject & { readonly companyId: string }

/**
 * Makes the customers unless there are some already; `progress` is told how many there are so far. The numbers follow the
 * file: SQLite writes in the order in which writes begin. PostgreSQL does not, so there it must be one at once.
 */
export async function loadCustomers(
  service: Service,
  progress: (done: number, total: number) => void,
  writesAtOnce = WRITES_AT_ONCE,
): Promise<void> {
  if (await isThere(service, FIRST_CUSTOMER)) return
  const lines = readFileSync(FILE, 'utf8').trim().split('\n')
  for (let done = 0; done < lines.length; ) {
    const batch = lines.slice(done, done + writesAtOnce)
    await Promise.all(batch.map((line) => create(service, JSON.parse(line) as CustomerLine)))
    done += batch.length
    progress(done, lines.length)
  }
}

async function create(service: Service, body: CustomerLine): Promise<void> {
  const { companyId } = body
  await createCustomer(service, { caller: callerIn(companyId), companyId, requestId: 'demo', body })
}

/** Without roles, and so without rules: everything is there. */
function callerIn(companyId: string): Caller {
  return new Caller({ id: 'demo', defaultCompany: companyId }, 'demo', new Map())
}

async function isThere(service: Service, customerId: string): Promise<boolean> {
  try {
    await readCustomer(service, callerIn(COMPANY), COMPANY, customerId)
    return true
  } catch (error) {
    if (error instanceof Problem && error.status === 404) return false
    throw error
  }
}
