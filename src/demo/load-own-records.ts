// Creates the records of the documents that the demo's setup declares, under the usual rules.
import { recordBatches } from '../records/engine/create-records.ts'
import { declaredKind } from '../records/kinds/declared.ts'
import type { Service } from '../records/shared/service.ts'
import { createRecords, demoCaller, hasRecords, readDemoRecords, type TellProgress } from './demo-records.ts'

/** The documents with a file of records, in the order in which they are loaded. */
const LOADED = ['employees', 'suppliers', 'exchange-rates']

/** Creates the records of each document unless there are some. They stand behind those that they refer to. */
export async function loadOwnRecords(service: Service, progress: TellProgress): Promise<void> {
  const { companies, own } = service
  const missing = []
  for (const name of LOADED) {
    const rules = own.findRecord('v1', name)
    if (rules && !(await hasRecords(service, rules.record.document)))
      missing.push({ rules, lines: readDemoRecords(name) })
  }
  const total = missing.reduce((sum, { lines }) => sum + lines.length, 0)
  let before = 0
  for (const { rules, lines } of missing) {
    const rulesOf = (companyId: string) =>
      recordBatches(demoCaller(companyId), companies.require(companyId), declaredKind(rules), own)
    await createRecords(service, { lines, rulesOf }, (done) => progress(before + done, total))
    before += lines.length
  }
}
