// `npm run bench:scale`: the time of each query on ledgers of different sizes, measured in turn in one run.
// Flags: --rows 1000000,10000000; --database sqlite or postgres; --repeats 5. All data is deleted at the end.
import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { BENCH_SECRET, startService, tokenOf } from '../cast.ts'
import { runCommand } from '../command.ts'
import { runFolder, SETUP } from '../place.ts'
import { startServer } from '../postgres/server.ts'
import { medianOf } from '../ratios.ts'
import { customers } from '../records/customers.ts'
import { Random } from '../records/random.ts'
import { QUICK, type Scale } from '../records/scale.ts'
import { baseValues } from '../records/values.ts'
import { importFile, json } from '../seed/import-records.ts'
import type { Subject } from '../subject.ts'
import type { LedgerDatabase } from './ledger-database.ts'
import { PostgresLedger } from './postgres-ledger.ts'
import { SCALE_QUESTIONS, type ScaleQuestion } from './questions.ts'
import { SqliteLedger } from './sqlite-ledger.ts'

const { values: flags } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000,10000000' },
    database: { type: 'string', default: 'sqlite' },
    repeats: { type: 'string', default: '5' },
  },
})
const REPEATS = Number(flags.repeats)
const SEED = 42

interface Ledger {
  readonly scale: Scale
  readonly database: LedgerDatabase
  readonly service: Subject
  readonly token: string
}

const folder = runFolder()
const isPostgres = flags.database === 'postgres'
// Under root the database runs as another user, which must be able to enter the folder.
chmodSync(folder, 0o755)
const server = isPostgres ? await startServer(join(folder, 'cluster'), true) : undefined
try {
  const ledgers: Ledger[] = []
  for (const rows of flags.rows.split(',').map(Number)) ledgers.push(await startLedger(rows))
  await compare(ledgers)
  for (const { database, service } of ledgers) {
    await service.stop()
    await database.remove()
  }
} finally {
  await server?.stop()
}
process.exit()

async function startLedger(ledgerLines: number): Promise<Ledger> {
  const scale = { ...QUICK, ledgerLines }
  const data = join(folder, `data-${ledgerLines}`)
  mkdirSync(data)
  const database = await databaseOf(data, `ledger_${ledgerLines}`)
  const store = ['--data', data, ...database.settings]
  await runCommand(['setup', SETUP, ...store], { BENCH_SECRET })
  await importFile(store, 'attribute-values', json(baseValues()), join(folder, 'values.ndjson'))
  await importFile(store, 'customers', json(customers(scale.customers)), join(folder, 'customers.ndjson'))
  const begun = performance.now()
  await database.fill(scale)
  print(`${ledgerLines} lines on ${database.name}, loaded in ${Math.round((performance.now() - begun) / 1000)} s`)
  for (const [name, bytes] of await database.sizes()) print(`  ${name}: ${Math.round(bytes / 1024 / 1024)} MiB`)
  const service = await startService(data, [...database.settings, '--workers', '1'], [], database.helper)
  return { scale, database, service, token: await tokenOf(service) }
}

async function databaseOf(data: string, name: string): Promise<LedgerDatabase> {
  if (!server) return new SqliteLedger(data)
  await server.administer(`create database ${name} owner bench`)
  return new PostgresLedger(server, name, folder)
}

/** A line for each query: the median time on each ledger, and how many times that of the first one it is. */
async function compare(ledgers: readonly Ledger[]): Promise<void> {
  print(`| query | grows with | ${ledgers.map(({ scale }) => `${scale.ledgerLines} lines, ms`).join(' | ')} | times |`)
  for (const question of SCALE_QUESTIONS) {
    const times = await timesOf(question, ledgers)
    const medians = times.map(medianOf)
    const ratio = ((medians.at(-1) ?? 0) / (medians[0] ?? 1)).toFixed(2)
    const shown = medians.map((one) => one.toFixed(1)).join(' | ')
    print(`| ${question.name} | ${question.growsWith} | ${shown} | ${ratio} |`)
  }
}

/** The ledgers are asked in turn; the first answers, which fill caches, do not count. */
async function timesOf(question: ScaleQuestion, ledgers: readonly Ledger[]): Promise<number[][]> {
  const randoms = ledgers.map(() => new Random(SEED))
  const times: number[][] = ledgers.map(() => [])
  for (let no = 0; no <= REPEATS; no++) {
    for (const [at, ledger] of ledgers.entries()) {
      const milliseconds = await ask(question, ledger, randoms[at] as Random, no)
      if (no > 0) times[at]?.push(milliseconds)
    }
  }
  return times
}

/** Each request has another language, so that no answer comes from the response cache. */
async function ask(question: ScaleQuestion, ledger: Ledger, random: Random, no: number): Promise<number> {
  const { service, token, scale } = ledger
  const headers = { authorization: `Bearer ${token}`, 'accept-language': `en, x-${no}` }
  const begun = performance.now()
  const answer = await fetch(service.address + question.path(random, scale), { method: question.method, headers })
  await answer.arrayBuffer()
  if (!answer.ok) print(`${question.name}: ${answer.status}`)
  return performance.now() - begun
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
