// `npm run bench`: the service beside two floors written by hand, in one run, in turns, so that the machine's moods
// cancel out. Settings: BENCH_SECONDS for each cell, BENCH_ROUNDS, BENCH_ONLY for a part of a workload's name;
// `--write` puts the table into docs/performance.md.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Measured, measure } from './measure.ts'
import { type Row, report } from './report.ts'
import { seed } from './seed.ts'
import { Subject } from './subject.ts'
import { WORKLOADS } from './workloads.ts'

const SECONDS = Number(process.env.BENCH_SECONDS ?? 4)
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3)
const ONLY = process.env.BENCH_ONLY ?? ''
const BENCH_SECRET = 'the secret of the benchmark'

const here = (name: string) => new URL(name, import.meta.url).pathname

async function startService(folder: string): Promise<Subject> {
  const args = [
    'src/main.ts',
    'serve',
    '--port',
    '0',
    '--data',
    folder,
    '--setup',
    here('company.yaml'),
    '--log-level',
    'error',
  ]
  return Subject.start('service', args, { BENCH_SECRET })
}

async function tokenOf(service: Subject): Promise<string> {
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: 'bench',
    client_secret: BENCH_SECRET,
  })
  const answer = await fetch(`${service.address}/oauth/token`, { method: 'POST', body: form })
  return ((await answer.json()) as { access_token: string }).access_token
}

async function run(folder: string): Promise<Row[]> {
  const first = await startService(folder)
  await first.stop()
  const copy = (name: string) => join(folder, `${name}.db`)
  seed(folder, ['guarded', 'bare', 'single'].map(copy))

  const service = await startService(folder)
  const keys = join(folder, 'published-keys.json')
  writeFileSync(keys, await (await fetch(`${service.address}/.well-known/jwks.json`)).text())
  const token = await tokenOf(service)
  const guarded = await Subject.start('guarded floor', [here('floor-guarded.ts'), copy('guarded'), 'shared', keys])
  const bare = await Subject.start('bare floor', [here('floor-bare.ts'), copy('bare'), 'shared'])
  const single = await Subject.start('one commit a request', [here('floor-bare.ts'), copy('single'), 'single'])
  const subjects = [service, guarded, bare, single]

  const rows: Row[] = []
  for (const workload of WORKLOADS.filter((one) => one.name.includes(ONLY))) {
    const measured = new Map<string, Measured[]>()
    for (let round = 0; round < ROUNDS; round++) {
      for (const subject of subjects.filter((one) => workload.writes || one !== single)) {
        process.stderr.write(`${workload.name}, round ${round + 1} of ${ROUNDS}: ${subject.name}\n`)
        const cell = await measure(subject, workload, token, SECONDS)
        measured.set(subject.name, [...(measured.get(subject.name) ?? []), cell])
      }
    }
    rows.push({ workload: workload.name, measured })
  }
  process.stderr.write(`most memory: ${subjects.map((one) => `${one.name} ${one.peakMegabytes()} MB`).join(', ')}\n`)
  await Promise.all(subjects.map((subject) => subject.stop()))
  return rows
}

const folder = mkdtempSync(join(tmpdir(), 'tabularium-bench-'))
try {
  report(await run(folder), process.argv.includes('--write'))
} finally {
  rmSync(folder, { recursive: true, force: true })
}
