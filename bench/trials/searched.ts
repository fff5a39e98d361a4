// The query that scans all descriptions, with a text index in the setup.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { BENCH_SECRET, startGuardedFloor, startService, tokenOf } from '../cast.ts'
import { runCommand } from '../command.ts'
import { measureRow } from '../measure-row.ts'
import { SETUP } from '../place.ts'
import { CONTAINS } from '../questions/values.ts'
import type { Row } from '../report.ts'
import { copyService, type Seed } from '../seed/seed.ts'
import type { Settings } from '../settings.ts'
import { reading } from '../workloads/workload.ts'

export const SEARCHED = 'values: description contains, searched by text'

const DECLARED = '\ntextIndexes:\n  attribute-values: [description]\n'

/** The floor still scans. */
export async function measureSearched(folder: string, seed: Seed, settings: Settings): Promise<Row> {
  mkdirSync(folder)
  const setup = join(folder, 'company.yaml')
  writeFileSync(setup, readFileSync(SETUP, 'utf8') + DECLARED)
  const data = copyService(seed, join(folder, 'service'))
  try {
    await runCommand(['setup', setup, '--data', data], { BENCH_SECRET })
  } catch (error) {
    process.stderr.write(`${error}\n`)
    return { workload: SEARCHED, measured: new Map(), missing: 'no setup can declare it' }
  }
  const service = await startService(data, ['--workers', '1'])
  const subjects = [service, await startGuardedFloor(folder, seed, service)]
  const workload = { ...reading(CONTAINS, settings.scale), name: SEARCHED }
  const row = await measureRow(workload, { subjects, token: await tokenOf(service) }, settings)
  await Promise.all(subjects.map((subject) => subject.stop()))
  return row
}
