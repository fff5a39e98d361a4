import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Command, InvalidArgumentError } from 'commander'
import { Caller } from '../access/caller.ts'
import type { Application } from '../app.ts'
import { patchAttributeValue } from '../records/attribute-values/patch-attribute-value.ts'
import { readAttributeValue } from '../records/attribute-values/read-attribute-value.ts'
import type { Service } from '../records/shared/service.ts'
import { readSetup } from '../setup/read-setup.ts'
import { claimFolder } from './demo/demo-folder.ts'
import { loadCustomers } from './demo/load-customers.ts'
import { loadDocuments } from './demo/load-documents.ts'
import { loadLedger } from './demo/load-ledger.ts'
import { type Progress, startProgress } from './progress.ts'
import { serve } from './serve.ts'
import { type ServeSettings, serveSettings, setting } from './settings.ts'

/** Writes that arrive together share a commit. */
const WRITES_AT_ONCE = 64
const DATA = './data/demo'
const FOLDER = new URL('../../examples/demo/', import.meta.url)

/** `demo`: serves the demo company, and says how to talk to it. */
export function demoCommand(): Command {
  const command = new Command('demo')
    .description('serve the demo company (what npm start does)')
    .addHelpText('after', '\nExamples:\n  tabularium demo\n  tabularium demo --port 9000 --data /tmp/demo')
  for (const option of [...serveSettings(), transactions]) {
    command.addOption(option.name() === 'data' ? option.default(DATA) : option)
  }
  return command.action((settings: DemoSettings) => demo(settings))
}

interface DemoSettings extends ServeSettings {
  readonly transactions: number
}

const transactions = setting('--transactions <number>', 'ledger transactions to make when there are none')
  .default(100_000)
  .argParser(transactionCount)

/** PostgreSQL does not number customers in the order in which their writes begin. */
const ONE_AT_A_TIME = 1
const MOST_TRANSACTIONS = 10_000_000

function transactionCount(text: string): number {
  const count = Number(text)
  if (/^\d{1,8}$/.test(text) && count !== 1 && count <= MOST_TRANSACTIONS) return count
  throw new InvalidArgumentError(`It must be a number from 2 to ${MOST_TRANSACTIONS}, or 0 for none.`)
}

async function demo(settings: DemoSettings): Promise<void> {
  if (settings.database === undefined) claimFolder(settings.data)
  const setup = fileURLToPath(new URL('company.yaml', FOLDER))
  const prepare = async (application: Application) => {
    const { service } = application
    await connectValues(service)
    const result = readSetup(readFileSync(setup, 'utf8'), process.env)
    const attributeValues = result.setup?.companies?.find(({ id }) => id === 'EN')?.attributeValues ?? {}
    await withProgress('making customers', (told) =>
      loadCustomers(service, told, settings.database === undefined ? undefined : ONE_AT_A_TIME),
    )
    await withProgress('filing documents', (told) => loadDocuments(application, told))
    if (settings.transactions === 0) return
    await withProgress('making the ledger', (told) =>
      loadLedger(service, { attributeValues }, settings.transactions, told),
    )
  }
  await serve({ ...settings, setup }, { prepare, greeting })
}

type Told = (done: number, total: number) => void

/** Shows on a terminal how far the work is. */
async function withProgress(what: string, work: (told: Told) => Promise<void>): Promise<void> {
  let progress: Progress | undefined
  await work((done, total) => {
    progress ??= startProgress(what, total)
    progress.at(done)
  })
  progress?.end()
}

/** A line of the demo's records: the body of an attribute relation. */
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

/** Adds the relations between the demo's values, by the rules that hold for everybody; values that have some are left alone. */
async function connectValues(service: Service): Promise<void> {
  const lines = readFileSync(new URL('records.ndjson', FOLDER), 'utf8').trim().split('\n')
  const groups = new Map<string, RelationLine[]>()
  for (const line of lines.map((text) => JSON.parse(text) as RelationLine)) {
    const key = JSON.stringify([line.companyId, line.attributeId, line.attributeValue])
    groups.set(key, [...(groups.get(key) ?? []), line])
  }
  const waiting = [...groups.values()]
  while (waiting.length > 0) {
    await Promise.all(waiting.splice(0, WRITES_AT_ONCE).map((group) => connectValue(service, group)))
  }
}

async function connectValue(service: Service, group: readonly RelationLine[]): Promise<void> {
  const [first] = group
  if (!first) return
  const { companyId } = first
  const key = { attributeId: first.attributeId, attributeValue: first.attributeValue, periodFrom: '0' }
  const caller = new Caller({ id: 'demo', defaultCompany: companyId }, 'demo', new Map())
  const found = await readAttributeValue(service, caller, companyId, key)
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
  await patchAttributeValue(service, { caller, companyId, requestId: 'demo', key, body, ifMatch: undefined })
}

function greeting(address: string): string {
  return `
The demo company is served. A first answer:

  curl -s -u demo:demo-secret '${address}/v1/attribute-values/C1?$filter=contains(description,%27Oslo%27)&$limit=3'

A token, for an hour:

  curl -s -u demo:demo-secret -d grant_type=client_credentials ${address}/oauth/token

Every endpoint, readable: ${address}/docs
Stop with Ctrl-C.
`
}
