// `npm run bench`: the service beside floors written by hand, in one run, in turns, so that the machine's moods cancel
// out. Flags (settings.ts): --quick for a twentieth of the data and short times, --only ledger,post (parts of names),
// --subjects guarded, --seconds 5 --warm-up 2 --rounds 3, --profile for processor profiles, --write for the page.
import { join } from 'node:path'
import { type Cast, RELAXED, startCast } from './cast.ts'
import { isChanged, machine } from './machine.ts'
import { type Measured, measure } from './measure.ts'
import { DATA, runFolder } from './place.ts'
import { type Row, report } from './report.ts'
import { requireSameAnswers } from './same-answers.ts'
import { seedOf } from './seed/seed.ts'
import { readSettings, type Settings } from './settings.ts'
import { workloads } from './workloads/all.ts'
import type { Workload } from './workloads/workload.ts'

async function measureRow(workload: Workload, { subjects, token }: Cast, settings: Settings): Promise<Row> {
  const measured = new Map<string, Measured[]>()
  const measurable = subjects.filter(({ name }) => workload.writes || name !== RELAXED)
  for (const subject of measurable) await workload.prepare?.(subject, token)
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
  if (settings.isWritten && isChanged()) throw new Error('--write needs a clean tree: figures are those of one commit')
  const profile = (name: string) =>
    settings.isProfiled
      ? ['--cpu-prof', `--cpu-prof-dir=${DATA}`, `--cpu-prof-name=${name.replaceAll(/\W+/g, '-')}.cpuprofile`]
      : []
  const seed = await seedOf(settings.scale, folder)
  const wanted = workloads(settings.scale).filter(({ name }) => settings.isWanted(name))
  const cast = await startCast(folder, seed, settings.isSubject, profile)
  const rows: Row[] = []
  for (const workload of wanted) rows.push(await measureRow(workload, cast, settings))
  const memory = cast.subjects.map((subject) => ({ name: subject.name, memory: subject.memory() }))
  await Promise.all(cast.subjects.map((subject) => subject.stop()))
  report(
    { rows, machine: machine(), memory: JSON.stringify(memory) },
    join(DATA, 'bench-results.json'),
    settings.isWritten,
  )
}

await run(runFolder(), readSettings(process.argv.slice(2)))
process.exit()
