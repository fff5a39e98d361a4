// The ERP as a process: node test/support/erp/program.ts --ledger 1000000 --customers 100000 --seed 7
// It prints `listening on http://...`, takes writes by itself when asked, and ends with SIGTERM.
import { parseArgs } from 'node:util'
import { Erp } from './erp.ts'
import { fractions } from './random.ts'
import { ErpServer } from './server.ts'

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    seed: { type: 'string', default: '1' },
    ledger: { type: 'string', default: '400' },
    customers: { type: 'string', default: '100' },
    values: { type: 'string', default: '200' },
    documents: { type: 'string', default: '40' },
    others: { type: 'string', default: '60' },
    'base-path': { type: 'string', default: '' },
    'no-quotas': { type: 'boolean', default: false },
    gzip: { type: 'boolean', default: false },
    ndjson: { type: 'boolean', default: false },
    /** Customers that are changed each second. */
    writes: { type: 'string', default: '0' },
  },
})

const erp = new Erp({
  seed: Number(values.seed),
  sizes: {
    ledger: Number(values.ledger),
    customers: Number(values.customers),
    values: Number(values.values),
    documents: Number(values.documents),
    others: Number(values.others),
  },
  basePath: values['base-path'],
  hasGzip: values.gzip,
  hasLines: values.ndjson,
  ...(values['no-quotas'] && { quotas: false as const }),
})

/** Beside the interface: what has been asked for, the hash of a document, and faults, for who is another process. */
const answer = erp.answer.bind(erp)
erp.answer = async (request) => {
  const url = new URL(request.target, 'http://erp')
  if (!url.pathname.startsWith('/control/')) return answer(request)
  return { status: 200, headers: { 'Content-Type': 'application/json' }, body: [JSON.stringify(controlled(url))] }
}

function controlled({ pathname, searchParams }: URL): unknown {
  const kind = searchParams.get('kind') ?? 'customers'
  if (pathname === '/control/hash') return erp.hash(kind, { without: searchParams.get('without')?.split(',') ?? [] })
  if (pathname === '/control/faults') {
    for (const [name, share] of searchParams) erp.faults.shares[name as '429'] = Number(share)
    return erp.faults.shares
  }
  const { total, requests, bytes, minutes } = erp.traffic
  return { total, peakRequests: requests.peak, peakBytes: bytes.peak, minutes: Object.fromEntries(minutes) }
}

const server = new ErpServer(erp)
const next = fractions(Number(values.seed) + 1)
const rate = Number(values.writes)
let written = 0
const writing = rate > 0 ? setInterval(writeOne, 1000 / rate) : undefined

function writeOne(): void {
  const customerId = String(100_000 + Math.floor(next() * Number(values.customers)))
  written += 1
  if (erp.find('customers', { customerId }))
    erp.change('customers', { customerId }, { aliasName: `Changed ${written}` })
}

process.once('SIGTERM', () => {
  clearInterval(writing)
  void server.stop()
})
console.log(`listening on ${await server.start(Number(values.port))}`)
