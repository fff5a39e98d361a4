// `npm run bench`: the service beside floors written by hand, in one run, in turns, so that the machine's moods cancel
// out. Flags (settings.ts): --seconds 5 --warm-up 2 --rounds 3, --only single,collection,ledger,customers,post,patch,special, --subjects
// service,guarded,bare,each, --profile for processor profiles, --write for the table in docs/performance.md.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Cast, startCast } from './cast.ts'
import { measureSpecial } from './documents/special.ts'
import { machine } from './machine.ts'
import { type Measured, measure } from './measure.ts'
import { type Row, report } from './report.ts'
import { requireSameAnswers } from './same-answers.ts'
import { readSettings, type Settings } from './settings.ts'
import type { Subject } from './subject.ts'
import { WORKLOADS, type Workload } from './workloads.ts'

/** Not the system's folder for temporary files: that may be in memory, where a commit costs nothing. */
const DATA = new URL('../data/', import.meta.url).pathname

async function measureRow(workload: Workload, { subjects, token }: Cast, settings: Settings): Promise<Row> {
  const measured = new Map<string, Measured[]>()
  const measurable = subjects.filter((subject) => workload.writes || !subject.name.endsWith('each'))
  await requireSameAnswers(measurable, workload, token)
  for (let round = 1; round <= settings.rounds; round++) {
    for (const subject of measurable) {
      process.stderr.write(`${workload.name}, round ${round} of ${settings.rounds}: ${subject.name}\n`)
      const cell = await measure(subject, workload, token, settings.seconds, settings.warmUpSeconds)
      measured.set(subject.name, [...(measured.get(subject.name) ?? []), cell])
    }
  }
  return { workload: workload.name, measured }
}

async function run(folder: string, settings: Settings): Promise<void> {
  const profile = (name: string) =>
    settings.isProfiled
      ? ['--cpu-prof', `--cpu-prof-dir=${DATA}`, `--cpu-prof-name=${name.replaceAll(/\W+/g, '-')}.cpuprofile`]
      : []
  const described = machine()
  const cast = await startCast(folder, settings.subjects, profile)
  const rows: Row[] = []
  for (const workload of WORKLOADS.filter((one) => isWanted(one, settings.only))) {
    rows.push(await measureRow(workload, cast, settings))
  }
  const isSpecialWanted = settings.only.length === 0 || settings.only.includes('special')
  const compared = cast.subjects.filter(({ name }) => !name.endsWith('each'))
  const special = isSpecialWanted ? await measureSpecial(compared, cast.token, settings.rounds) : ''
  const results = { rows, machine: described, special, memory: memory(cast.subjects) }
  await Promise.all(cast.subjects.map((subject) => subject.stop()))
  report(results, join(DATA, 'bench-results.json'), settings.isWritten)
}

function isWanted({ name }: Workload, only: readonly string[]): boolean {
  return only.length === 0 || only.some((part) => name.toLowerCase().includes(part.toLowerCase()))
}

function memory(subjects: readonly Subject[]): string {
  return `Most memory: ${subjects.map((one) => `${one.name} ${one.peakMegabytes()} MB`).join('; ')}.`
}

const settings = readSettings(process.argv.slice(2))
mkdirSync(DATA, { recursive: true })
const folder = mkdtempSync(join(DATA, 'bench-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
await run(folder, settings)
// The service is started even when it is not measured: it makes the data and the token.
process.exit()
