// `npm run bench:companies`: what a group of companies takes on one service: its start, its memory, and the first request
// of a company that nobody has asked for. Flags: --companies 1000; --database sqlite or postgres. All data is deleted.
import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { BENCH_SECRET, tokenOf } from '../cast.ts'
import { runCommand } from '../command.ts'
import { runFolder, SERVICE } from '../place.ts'
import { addressOf, startServer } from '../postgres/server.ts'
import { Subject } from '../subject.ts'
import { clientOf, companyId, groupSetups } from './company-group.ts'

const { values: flags } = parseArgs({
  options: { companies: { type: 'string', default: '1000' }, database: { type: 'string', default: 'sqlite' } },
})
const COMPANIES = Number(flags.companies)
const tokens = new Map<string, string>()
const SOME = Math.min(50, COMPANIES)

const folder = runFolder()
// Under root the database runs as another user, which must be able to enter the folder.
chmodSync(folder, 0o755)
const server = flags.database === 'postgres' ? await startServer(join(folder, 'cluster'), true) : undefined
try {
  await measure(await databaseSettings())
} finally {
  await server?.stop()
}
process.exit()

async function databaseSettings(): Promise<string[]> {
  const data = join(folder, 'data')
  mkdirSync(data)
  if (!server) return ['--data', data]
  await server.administer('create database companies owner bench')
  return ['--data', data, '--database', addressOf('companies')]
}

async function measure(store: readonly string[]): Promise<void> {
  let seconds = 0
  for (const file of groupSetups(folder, COMPANIES)) {
    seconds += (await runCommand(['setup', file, ...store], { BENCH_SECRET })).seconds
  }
  print(`${COMPANIES} companies set up in ${seconds.toFixed(0)} s`)
  const begun = performance.now()
  const serve = [SERVICE, 'serve', '--port', '0', '--workers', '1', '--log-level', 'error', ...store]
  const service = await Subject.start('service', serve, { BENCH_SECRET })
  print(`started in ${((performance.now() - begun) / 1000).toFixed(1)} s, ${usageOf(service)}`)
  await ask(service, 1)
  const times: number[] = []
  for (let no = 2; no <= SOME; no++) times.push(await ask(service, no))
  print(`first request of each of ${times.length} companies: ${summary(times)}; ${usageOf(service)}`)
  for (let no = SOME + 1; no <= COMPANIES; no++) times.push(await ask(service, no))
  print(`first request of each of ${times.length} companies: ${summary(times)}; ${usageOf(service)}`)
  await service.stop()
}

/** In milliseconds. */
async function ask(service: Subject, no: number): Promise<number> {
  const client = clientOf(no)
  const token = tokens.get(client) ?? (await tokenOf(service, client))
  tokens.set(client, token)
  const begun = performance.now()
  const url = `${service.address}/v1/objects/customers?companyId=${companyId(no)}&limit=10`
  const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
  await answer.arrayBuffer()
  if (!answer.ok) throw new Error(`${url} was answered with ${answer.status}`)
  return performance.now() - begun
}

/** On a busy machine the processor time tells more than the clock. */
function usageOf(service: Subject): string {
  return `${service.memorySum().toFixed(0)} MiB of memory and ${service.processorSeconds().toFixed(2)} s of processor time so far`
}

function summary(times: readonly number[]): string {
  const sorted = [...times].sort((one, other) => one - other)
  const at = (part: number) =>
    `${(sorted[Math.min(Math.floor(sorted.length * part), sorted.length - 1)] ?? 0).toFixed(1)} ms`
  return `median ${at(0.5)}, p99 ${at(0.99)}, most ${at(1)}`
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
