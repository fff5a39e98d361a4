// Creates the demo customers under the usual rules.
import { customerBatches } from '../records/customers/create-customers.ts'
import { customerDocument } from '../records/customers/customer-document.ts'
import type { Service } from '../records/shared/service.ts'
import { createRecords, demoCaller, hasRecords, readDemoRecords, type TellProgress } from './demo-records.ts'

/** Creates the customers unless there are some. Their numbers follow the order of the file. */
export async function loadCustomers(service: Service, progress: TellProgress): Promise<void> {
  if (await hasRecords(service, customerDocument(undefined))) return
  const rulesOf = (companyId: string) => customerBatches(demoCaller(companyId), service.companies.require(companyId))
  await createRecords(service, { lines: readDemoRecords('customers'), rulesOf }, progress)
}
