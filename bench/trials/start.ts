// The time from the start of the process until it is ready: after a clean end, and after a kill.
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { startService } from '../cast.ts'
import type { Figure } from '../figure.ts'
import { medianOf } from '../ratios.ts'

const STARTS = 3

/** The data folder must not be in use. */
export async function measureStart(data: string): Promise<Figure> {
  const { clean, beside } = await startOften(data)
  return { work: 'ready after start, the file of all this', rounds: clean, unit: 's', beside }
}

/** The ratio of the start on a large file to that on the usual file. */
export async function measureLargeStart(data: string, { rounds }: Figure): Promise<Figure> {
  const { clean, beside } = await startOften(data)
  const times = clean.map((seconds) => seconds / medianOf(rounds))
  const all = `${clean.map((seconds) => seconds.toFixed(2)).join(', ')} s; ${beside}`
  return {
    work: 'ready after start, a ledger of ten million beside the other',
    rounds: times,
    unit: 'times',
    beside: all,
  }
}

async function startOften(data: string): Promise<{ clean: number[]; beside: string }> {
  const gigabytes = (statSync(join(data, 'tabularium.db')).size / 1e9).toFixed(2)
  const [clean, killed]: [number[], number[]] = [[], []]
  // The first start may still migrate the file.
  await secondsUntilReady(data, 'SIGINT')
  for (let start = 0; start < STARTS; start++) {
    process.stderr.write(`start ${start + 1} of ${STARTS} on ${gigabytes} GB\n`)
    clean.push(await secondsUntilReady(data, 'SIGKILL'))
    killed.push(await secondsUntilReady(data, 'SIGINT'))
  }
  const after = killed.map((seconds) => seconds.toFixed(2)).join(', ')
  return { clean, beside: `${gigabytes} GB; after a kill ${after} s` }
}

async function secondsUntilReady(data: string, endedBy: 'SIGINT' | 'SIGKILL'): Promise<number> {
  const begun = performance.now()
  const service = await startService(data)
  while ((await fetch(`${service.address}/health/ready`)).status !== 200) await new Promise(setImmediate)
  const seconds = (performance.now() - begun) / 1000
  await service.stop(endedBy)
  return seconds
}
