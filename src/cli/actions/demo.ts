import { fileURLToPath } from 'node:url'
import type { Application } from '../../app/application.ts'
import { requireFreeAddress } from '../../app/listening.ts'
import { readText } from '../../base/process/read-text.ts'
import { requireDemoDatabase } from '../../demo/demo-database.ts'
import { claimFolder } from '../../demo/demo-folder.ts'
import { demoCaller, readDemoRecords, type TellProgress } from '../../demo/demo-records.ts'
import { loadCustomers } from '../../demo/load-customers.ts'
import { loadDocuments } from '../../demo/load-documents.ts'
import { loadLedger } from '../../demo/load-ledger.ts'
import { loadOwnRecords } from '../../demo/load-own-records.ts'
import { valueRecord } from '../../records/attribute-values/attribute-value-record.ts'
import { getRecord, patchRecord } from '../../records/shared/record-pipeline.ts'
import type { Service } from '../../records/shared/service.ts'
import { readSetup } from '../../setup/check/read-setup.ts'
import type { ServeSettings } from '../settings/settings.ts'
import { type Progress, startProgress } from '../terminal/progress.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { serve } from './serve.ts'
import { isWorker } from './worker-group.ts'

export interface DemoSettings extends ServeSettings {
  readonly transactions: number
}

/** Number of concurrent writes, which share commits. */
const CONCURRENT_WRITES = 64
/** In examples/demo/company.yaml with the hash of the password. */
const PERSON = { user: 'ingrid.solberg', password: 'console-demo' }
const FOLDER = new URL('../../../examples/demo/', import.meta.url)

/** Serves the demo company. */
export async function runDemo(settings: DemoSettings, terminal: Terminal): Promise<void> {
  if (!isWorker) await requireFreeAddress(settings)
  const setup = fileURLToPath(new URL('company.yaml', FOLDER))
  const demo = readSetup(readText(setup), terminal.env).setup ?? { version: 1 }
  const { data, database } = settings
  if (database === undefined) claimFolder(data)
  else if (!isWorker) await requireDemoDatabase({ data, database }, demo)
  const prepare = async (application: Application) => {
    const { service } = application
    await connectValues(service)
    const attributeValues = demo.companies?.find(({ id }) => id === 'EN')?.attributeValues ?? {}
    await showProgress(terminal, 'making customers', (report) => loadCustomers(service, report))
    await showProgress(terminal, 'making suppliers, employees and exchange rates', (report) =>
      loadOwnRecords(service, report),
    )
    await showProgress(terminal, 'filing documents', (report) => loadDocuments(application, report))
    if (settings.transactions === 0) return
    await showProgress(terminal, 'making the ledger', (report) =>
      loadLedger(service, { attributeValues }, settings.transactions, report),
    )
  }
  // Whoever tries webhooks has a receiver on the same machine.
  const { webhookNetworks = ['loopback'] } = settings
  await serve({ ...settings, setup, webhookNetworks }, terminal, { prepare, greeting, offeredPerson: PERSON })
}

/** Shows the progress of the work on a terminal. */
async function showProgress(
  terminal: Terminal,
  what: string,
  work: (report: TellProgress) => Promise<void>,
): Promise<void> {
  let progress: Progress | undefined
  await work((done, total) => {
    progress ??= startProgress(terminal, what, total)
    progress.at(done)
  })
  progress?.end()
}

/** A line of the demo records: the body of an attribute relation. */
interface RelationLine {
  readonly attributeId: string
  readonly attributeValue: string
  readonly relatedAttributeId: string
  readonly relationValue: string
  readonly companyId: string
  readonly dateFrom: string
  readonly dateTo: string
  readonly percentage: number
}

/** Adds the relations between the demo values under the usual rules. Values that already have relations are skipped. */
async function connectValues(service: Service): Promise<void> {
  const groups = new Map<string, RelationLine[]>()
  for (const line of readDemoRecords<RelationLine>('records')) {
    const key = JSON.stringify([line.companyId, line.attributeId, line.attributeValue])
    groups.set(key, [...(groups.get(key) ?? []), line])
  }
  const remaining = [...groups.values()]
  while (remaining.length > 0) {
    await Promise.all(remaining.splice(0, CONCURRENT_WRITES).map((group) => connectValue(service, group)))
  }
}

async function connectValue(service: Service, group: readonly RelationLine[]): Promise<void> {
  const [first] = group
  if (!first) return
  const { companyId } = first
  const key = { attributeId: first.attributeId, attributeValue: first.attributeValue, periodFrom: '0' }
  const caller = demoCaller(companyId)
  const found = await getRecord(service, valueRecord, { caller, companyId, key })
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
  await patchRecord(service, valueRecord, { caller, companyId, requestId: 'demo', key, body, ifMatch: undefined })
}

function greeting(address: string): string {
  return `
The demo company is served. In a browser, as ${PERSON.user} with the password ${PERSON.password}:

  ${address}/

A first answer:

  curl -s -u demo:demo-secret '${address}/v1/attribute-values/C1?$filter=contains(description,%27Oslo%27)&$limit=3'

A token, for an hour:

  curl -s -u demo:demo-secret -d grant_type=client_credentials ${address}/oauth/token

Guides, and every endpoint: ${address}/docs
Stop with Ctrl-C.
`
}
