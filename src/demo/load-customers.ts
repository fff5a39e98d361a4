// Creates the demo customers under the usual rules.
import { recordBatches } from '../records/engine/create-records.ts'
import { customerDocument } from '../records/kinds/customer-document.ts'
import { customersOf } from '../records/kinds/customers.ts'
import type { Service } from '../records/shared/service.ts'
import { createRecords, demoCaller, hasRecords, readDemoRecords, type TellProgress } from './demo-records.ts'

/** Creates the customers unless there are some. Their numbers follow the order of the file. */
export async function loadCustomers(service: Service, progress: TellProgress): Promise<void> {
  if (await hasRecords(service, customerDocument(undefined))) return
  const rulesOf = (companyId: string) => {
    const company = service.companies.require(companyId)
    return recordBatches(demoCaller(companyId), company, customersOf(company), service.own)
  }
  await createRecords(service, { lines: readDemoRecords('customers'), rulesOf }, progress)
}
