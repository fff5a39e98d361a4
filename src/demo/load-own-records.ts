// Creates the records of the documents that the demo's setup declares, under the usual rules.
import { createOwnRecord } from '../records/own/create-own-record.ts'
import type { Service } from '../records/shared/service.ts'
import { createInOrder, creationOf, hasRecords, type ReportProgress, readDemoRecords } from './demo-records.ts'

/** The documents with a file of records, in the order in which they are loaded. */
const LOADED = ['employees', 'suppliers', 'exchange-rates']

/** Creates the records of each document unless it has some already. Records stand behind those that they refer to. */
export async function loadOwnRecords(
  service: Service,
  progress: ReportProgress,
  concurrentWrites?: number,
): Promise<void> {
  const missing = []
  for (const name of LOADED) {
    const rules = service.own.findRecord('v1', name)
    if (rules && !(await hasRecords(service, rules.record.document)))
      missing.push({ rules, lines: readDemoRecords(name) })
  }
  const total = missing.reduce((sum, { lines }) => sum + lines.length, 0)
  let before = 0
  for (const { rules, lines } of missing) {
    const create = (line: (typeof lines)[number]) => createOwnRecord(service, rules, creationOf(line))
    await createInOrder(lines, create, (done) => progress(before + done, total), concurrentWrites)
    before += lines.length
  }
}
