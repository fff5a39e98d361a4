// Compares `serve --workers 2` with one process, each on its own copy, in turn.
import { join } from 'node:path'
import { startService, tokenOf } from '../cast.ts'
import type { Figure } from '../figure.ts'
import { measure } from '../measure.ts'
import { VALUE_QUESTIONS } from '../questions/values.ts'
import { copyService, type Seed } from '../seed/seed.ts'
import type { Settings } from '../settings.ts'
import { reading, type Workload } from '../workloads/workload.ts'
import { writes } from '../workloads/writes.ts'
import { memoryOf } from './memory.ts'

/** A query that takes long enough that the load generator does not need the second core. */
const READ = VALUE_QUESTIONS[0]

export async function measureWorkers(folder: string, seed: Seed, settings: Settings): Promise<Figure[]> {
  const [one, two] = [
    await startService(copyService(seed, join(folder, 'one-worker')), ['--workers', '1']),
    await startService(copyService(seed, join(folder, 'two-workers')), ['--workers', '2']),
  ]
  const read = READ && reading(READ, settings.scale)
  const compared = [read, ...writes(settings.scale).slice(0, 2)].filter((workload) => workload !== undefined)
  const figures: Figure[] = []
  for (const workload of compared) figures.push(await compare(workload))
  figures.push(memoryOf(two, 'two workers'))
  await Promise.all([one.stop(), two.stop()])
  return figures

  async function compare(workload: Workload): Promise<Figure> {
    const rounds: number[] = []
    const cores: number[] = []
    for (let round = 1; round <= settings.rounds; round++) {
      process.stderr.write(`two workers beside one, round ${round} of ${settings.rounds}: ${workload.name}\n`)
      const cells = []
      for (const subject of [one, two]) {
        cells.push(await measure(subject, workload, await tokenOf(subject), settings.seconds, settings.warmUpSeconds))
      }
      rounds.push((cells[1]?.perSecond ?? 0) / (cells[0]?.perSecond ?? 0))
      cores.push(cells[1]?.cores ?? 0)
    }
    const beside = `cores busy: ${cores.map((share) => share.toFixed(2)).join(', ')}`
    return { work: `two workers beside one: ${workload.name}`, rounds, unit: 'times', beside }
  }
}
