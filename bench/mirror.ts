// `npm run bench:mirror`: how long a mirror takes to load a company from the stand-in ERP of the tests at full share, what
// it asks for, what memory it takes above what it has while the ERP is away, and how old it is while 20 customers are
// changed in a second there. Contents of documents are left out. Flags: --ledger, --customers, --values, --documents
// (numbers of records), --follow (seconds to follow), --database (postgres://..., empty; absent: SQLite).
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { CREDENTIALS, withSecret } from '../test/support/mirror.ts'
import { machine } from './machine.ts'
import { runFolder, SERVICE } from './place.ts'
import { Subject } from './subject.ts'

const { values } = parseArgs({
  options: {
    ledger: { type: 'string', default: '1000000' },
    customers: { type: 'string', default: '100000' },
    values: { type: 'string', default: '200000' },
    documents: { type: 'string', default: '20000' },
    follow: { type: 'string', default: '600' },
    database: { type: 'string' },
  },
})
const ERP = new URL('../test/support/erp/program.ts', import.meta.url).pathname
const WRITES_A_SECOND = 20
const SAMPLE_MS = 250
/** Long enough to be ready, and to have asked the ERP in vain. */
const IDLE_MS = 15_000
const SECRET = 'a secret of the benchmark'
const AUTHORIZATION = `Basic ${Buffer.from(`programs:${SECRET}`).toString('base64')}`

interface MirroredDocument {
  readonly name: string
  readonly phase: string
  readonly ageSeconds: number
}

const folder = runFolder()
const setup = join(folder, 'mirror.yaml')
const { ledger, customers, values: codes, documents, follow, database } = values
const sizes = ['--ledger', ledger, '--customers', customers, '--values', codes, '--documents', documents]
const erp = await Subject.start('ERP', [ERP, ...sizes, '--writes', String(WRITES_A_SECOND)])
const environment = { ...CREDENTIALS, ERP_TOKEN_URL: `${erp.address}/oauth/token`, TEST_CLIENT_SECRET: SECRET }

await discover()
const mirror = await start('serve', '--data', join(folder, 'data'), ...(database ? ['--database', database] : []))
await delay(IDLE_MS)
const idle = mirror.memorySum()
const begun = await traffic()
const [from, processor] = [performance.now(), mirror.processorSeconds()]
await control('faults?503=0')
const most = await load()
const seconds = (performance.now() - from) / 1_000
const loaded = await traffic()
console.info(machine())
console.info(
  `loaded in ${seconds.toFixed(0)} s, ${(mirror.processorSeconds() - processor).toFixed(0)} s of processor time, by ` +
    `${loaded.total.requests - begun.total.requests} requests, at most ${loaded.peakRequests} in a minute and ` +
    `${Math.round(loaded.peakBytes / 1e6)} MB in five; ${loaded.total.refused - begun.total.refused} were refused`,
)
console.info(`memory: ${idle} MiB while the ERP was away, at most ${most} MiB while loading: ${most - idle} MiB above`)
console.info(await ages())
await Promise.all([mirror.stop(), erp.stop('SIGKILL')])
process.exit()

/** Has the setup written by the command, and takes all of the quotas. */
async function discover(): Promise<void> {
  const discovering = await start('mirror', erp.address, '--company', 'EN', '--data', join(folder, 'discovered'))
  await discovering.stop('SIGKILL')
  const text = withSecret(readFileSync(setup, 'utf8')).replace(
    /^( +)clientIdEnv: .*/m,
    '$&\n$1share: 1\n$1contents: lazy',
  )
  if (!text.includes('share: 1') || !text.includes('secretEnv: TEST')) throw new Error(`another setup: ${text}`)
  writeFileSync(setup, text)
  await control('faults?503=1')
}

function start(...command: readonly string[]): Promise<Subject> {
  const flags = ['--setup', setup, '--port', '0', '--log-level', 'error']
  return Subject.start('mirror', [SERVICE, ...command, ...flags], environment)
}

/** Until each document follows. Returns the most memory that there was. */
async function load(): Promise<number> {
  let most = 0
  for (;;) {
    const until = performance.now() + 2_000
    while (performance.now() < until) {
      most = Math.max(most, mirror.memorySum())
      await delay(SAMPLE_MS)
    }
    const all = await mirrored()
    if (all.length > 0 && all.every(({ phase }) => phase === 'following')) return most
  }
}

/** How old what is shown of the customers is, by itself and by its slowest hundredth, and what following asks for. */
async function ages(): Promise<string> {
  const [before, times] = [(await traffic()).total.requests, [] as number[]]
  const until = performance.now() + Number(follow) * 1_000
  while (performance.now() < until) {
    const found = (await mirrored()).find(({ name }) => name === 'customers')
    times.push(found?.ageSeconds ?? Number.POSITIVE_INFINITY)
    await delay(SAMPLE_MS)
  }
  const sorted = times.sort((one, other) => one - other)
  const minutes = Number(follow) / 60
  const asked = ((await traffic()).total.requests - before) / minutes
  return (
    `age of customers while ${WRITES_A_SECOND} of them are changed in a second: median ${sorted[sorted.length >> 1]} s, ` +
    `99th percentile ${sorted[Math.floor(sorted.length * 0.99)]} s, by ${asked.toFixed(1)} requests a minute`
  )
}

async function mirrored(): Promise<readonly MirroredDocument[]> {
  const answer = await fetch(`${mirror.address}/v1/mirror?companyId=EN`, { headers: { authorization: AUTHORIZATION } })
  if (answer.status !== 200) throw new Error(`the mirror answers ${answer.status}: ${await answer.text()}`)
  return ((await answer.json()) as { documents: readonly MirroredDocument[] }).documents
}

interface ErpTraffic {
  readonly total: { readonly requests: number; readonly refused: number }
  readonly peakRequests: number
  readonly peakBytes: number
}

function traffic(): Promise<ErpTraffic> {
  return control('traffic') as Promise<ErpTraffic>
}

async function control(path: string): Promise<unknown> {
  return (await fetch(`${erp.address}/control/${path}`)).json()
}
