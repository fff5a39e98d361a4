// What a table of requests a second does not show: a large export, point reads beside scans, and parsing alone.
import autocannon from 'autocannon'
import { ledgerDocument } from '../../src/objects/documents/general-ledger-transactions.ts'
import { readOptions } from '../../src/query/options.ts'
import { planCollection } from '../../src/query/plan.ts'
import { customerDocument } from '../../src/records/customers/customer-document.ts'
import { measure } from '../measure.ts'
import type { Subject } from '../subject.ts'
import { percent } from '../targets.ts'
import { WORKLOADS, type Workload } from '../workloads.ts'
import { CUSTOMERS } from './seed.ts'

const EXPORT = '/v1/objects/general-ledger-transactions?posted=true'
const SCAN = `${EXPORT}&$filter=contains(description,'no such text')&$select=transactionNumber`
const SINGLE = '/v1/attribute-values/C1/V000100/0'

/** Lines for the report. */
export async function measureSpecial(subjects: readonly Subject[], token: string, rounds: number): Promise<string> {
  const lines = [
    ...(await exports(subjects, token, rounds)),
    ...(await readsBesideScans(subjects, token)),
    ...(await customerPatches(subjects, token, rounds)),
    ...parsing(),
  ]
  return ['| work | measured | to reach |', '|---|---|---|', ...lines].join('\n')
}

async function exports(subjects: readonly Subject[], token: string, rounds: number): Promise<string[]> {
  const times = new Map<string, number[]>()
  let megabytes = 0
  for (let round = 0; round < rounds; round++) {
    for (const subject of subjects) {
      const begun = performance.now()
      megabytes = (await download(subject, token)) / 1_000_000
      times.set(subject.name, [...(times.get(subject.name) ?? []), performance.now() - begun])
    }
  }
  const own = times.get('service') ?? []
  const against = (floor: string) =>
    (times.get(floor) ?? []).map((ms, round) => ((own[round] ?? 0) / ms).toFixed(2)).join(', ')
  const memory = subjects.find(({ name }) => name === 'service')?.peakMegabytesEach() ?? []
  const shown = `${Math.round(megabytes)} MB in ${own.map((ms) => (ms / 1000).toFixed(1)).join(', ')} s: ${against('guarded floor')} times the guarded floor, ${against('bare floor')} the bare one (each round); most memory of each process: ${memory.join(', ')} MB`
  return [`| export of the million as NDJSON over HTTP | ${shown} | 1.5 times the floor, under 300 MB |`]
}

async function download(subject: Subject, token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}`, accept: 'application/x-ndjson', 'accept-encoding': 'identity' }
  const answer = await fetch(subject.address + EXPORT, { headers })
  let bytes = 0
  for await (const piece of answer.body ?? []) bytes += piece.length
  return bytes
}

/** Point reads at a rate well below the most, while four scans run all the time. */
async function readsBesideScans(subjects: readonly Subject[], token: string): Promise<string[]> {
  const service = subjects.find(({ name }) => name === 'service')
  if (!service) return []
  const headers = { authorization: `Bearer ${token}` }
  let isOver = false
  let scans = 0
  const scanning = Array.from({ length: 4 }, async () => {
    while (!isOver) {
      await (await fetch(service.address + SCAN, { headers })).text()
      scans += 1
    }
  })
  const load = (duration: number) =>
    autocannon({ url: service.address + SINGLE, headers, connections: 4, overallRate: 500, duration })
  await load(2)
  const { latency } = await load(6)
  isOver = true
  await Promise.all(scanning)
  return [
    `| single GET, 500 a second, while four scans of the million run | p50 ${latency.p50} ms, p99 ${latency.p99} ms (${scans} scans in 8 s) | p99 under 20 ms |`,
  ]
}

/** PATCH of a customer beside POST of an attribute value, in turns. */
async function customerPatches(subjects: readonly Subject[], token: string, rounds: number): Promise<string[]> {
  const service = subjects.find(({ name }) => name === 'service')
  const post = WORKLOADS.find(({ name }) => name === 'POST')
  if (!service || !post) return []
  let changes = 0
  const patch: Workload = {
    name: 'PATCH of a customer',
    writes: true,
    next: () => ({
      method: 'PATCH',
      path: `/v1/customers/${100_000 + (changes % CUSTOMERS)}`,
      body: JSON.stringify([{ op: 'replace', path: '/customerName', value: `Customer ${++changes}` }]),
    }),
  }
  const shares: string[] = []
  for (let round = 0; round < rounds; round++) {
    const posted = await measure(service, post, token, PATCH_SECONDS)
    const patched = await measure(service, patch, token, PATCH_SECONDS)
    shares.push(percent(patched.perSecond / posted.perSecond))
  }
  return [`| PATCH of a customer | ${shares.join(', ')} of POST of an attribute value (each round) | 80 % |`]
}

const PATCH_SECONDS = 4

const USUAL = "accountingInformation/account eq '1040' and period ge 202601 and startswith(description,'Order')"

function parsing(): string[] {
  const definition = ledgerDocument(customerDocument(undefined))
  // As many parts as a filter may have, and as long as it may be.
  const term = `description eq '${'x'.repeat(26)}' or `
  const long = `${term.repeat(160)}status eq 'N'`
  return [
    `| parse and plan of a usual filter | ${micros(definition, USUAL).toFixed(0)} us | under 50 us |`,
    `| parse and plan of a filter of ${long.length} characters | ${micros(definition, long).toFixed(0)} us | under 5,000 us |`,
  ]
}

const RUNS = 2_000

function micros(definition: ReturnType<typeof ledgerDocument>, filter: string): number {
  const once = () =>
    planCollection(
      definition,
      readOptions([
        ['$filter', filter],
        ['$limit', '100'],
      ]),
    )
  for (let run = 0; run < RUNS; run++) once()
  const begun = performance.now()
  for (let run = 0; run < RUNS; run++) once()
  return ((performance.now() - begun) / RUNS) * 1000
}
