// Makes the records of the demo company, where they are not there yet.
import type { Application } from '../../app/application.ts'
import { readText } from '../../base/process/files.ts'
import { type DatabaseLocation, requireDemoDatabase } from '../../demo/demo-database.ts'
import { COMPANY, demoCaller, readDemoRecords } from '../../demo/demo-records.ts'
import { loadCustomers, loadDocuments, loadLedger, loadOwnRecords, loadPurchases } from '../../demo/load-records.ts'
import { PurchaseLedger } from '../../demo/purchases.ts'
import { VALUES } from '../../records/attribute-values/attribute-value-record.ts'
import { KindRecords } from '../../records/engine/kind-records.ts'
import type { RelationKey } from '../../records/shared/master-data/relation-store.ts'
import { getRecord, patchRecord } from '../../records/shared/record-pipeline.ts'
import type { Service } from '../../records/shared/service.ts'
import { readSetup } from '../../setup/check/read-setup.ts'
import type { Setup } from '../../setup/file/setup-schema.ts'
import { stageOn } from '../terminal/progress.ts'
import type { Terminal } from '../terminal/terminal.ts'

/** Concurrent writes share commits. More would wait for a session of PostgreSQL, and on a busy machine in vain. */
const CONCURRENT_WRITES = 10

/** Throws a usage error when the database holds other records than those of the demo. */
export function requireDemo(location: DatabaseLocation, setup: string, terminal: Terminal): Promise<void> {
  return requireDemoDatabase(location, readDemo(setup, terminal))
}

export async function prepareDemo(
  application: Application,
  setup: string,
  transactions: number,
  terminal: Terminal,
): Promise<void> {
  const { service } = application
  await connectValues(service)
  const stage = stageOn(terminal)
  await stage('making customers', (report) => loadCustomers(service, report))
  await stage('making suppliers, employees and exchange rates', (report) => loadOwnRecords(service, report))
  await stage('filing documents', (report) => loadDocuments(application, report))
  if (transactions === 0) return
  // Records that are there need no setup, which takes a third of a start to read.
  const readValues = () => readDemo(setup, terminal).companies?.find(({ id }) => id === COMPANY)?.attributeValues ?? {}
  const purchases = new PurchaseLedger()
  await stage('making the ledger', (report) => loadLedger(service, readValues, transactions, report, purchases))
  await stage('making contracts, orders and invoices', (report) =>
    loadPurchases(service, purchases, readValues, transactions, report),
  )
}

function readDemo(setup: string, terminal: Terminal): Setup {
  return readSetup(readText(setup), terminal.env).setup ?? { version: 1 }
}

/** A line of the demo records: the body of an attribute relation. */
interface RelationLine extends RelationKey {
  readonly companyId: string
  readonly dateFrom: string
  readonly dateTo: string
  readonly percentage: number
}

/** Adds the relations between the demo values under the usual rules. Values that already have relations are skipped. */
async function connectValues(service: Service): Promise<void> {
  const keyOf = (line: RelationLine) => JSON.stringify([line.companyId, line.attributeId, line.attributeValue])
  const remaining = [...Map.groupBy(readDemoRecords<RelationLine>('records'), keyOf).values()]
  while (remaining.length > 0) {
    await Promise.all(remaining.splice(0, CONCURRENT_WRITES).map((group) => connectValue(service, group)))
  }
}

async function connectValue(service: Service, group: readonly RelationLine[]): Promise<void> {
  const [first] = group
  if (!first) return
  const { companyId } = first
  const key = [first.attributeId, first.attributeValue, '0']
  const caller = demoCaller(companyId)
  const values = new KindRecords(VALUES, caller, service.own)
  const found = await getRecord(service, values, { caller, companyId, key })
  if ((JSON.parse(found.body) as { relatedValues: unknown[] }).relatedValues.length > 0) return
  const company = service.companies.require(companyId)
  const body = group.map((line) => ({
    op: 'add',
    path: '/relatedValues/-',
    value: {
      relationId: company.linkBetween(line.attributeId, line.relatedAttributeId)?.id ?? '',
      relatedValue: line.relationValue,
      percentage: line.percentage,
      dateFrom: line.dateFrom,
      dateTo: line.dateTo,
    },
  }))
  await patchRecord(service, values, { caller, companyId, requestId: 'demo', key, body, ifMatch: undefined })
}
