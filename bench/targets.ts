// What the service is to reach, as shares of a floor's requests per second.

import { ratios } from './ratios.ts'
import type { Row } from './report.ts'

interface Target {
  readonly workload: string
  readonly floor: string
  readonly atLeast: number
}

const GUARDED = 'guarded floor'

const TARGETS: readonly Target[] = [
  { workload: 'single GET', floor: GUARDED, atLeast: 0.9 },
  { workload: 'collection', floor: GUARDED, atLeast: 0.9 },
  { workload: 'ledger by account', floor: GUARDED, atLeast: 0.95 },
  { workload: 'ledger with description', floor: GUARDED, atLeast: 0.9 },
  { workload: 'customers of a country', floor: GUARDED, atLeast: 0.9 },
  { workload: 'POST', floor: GUARDED, atLeast: 0.5 },
  { workload: 'POST', floor: 'bare floor, one commit each', atLeast: 3 },
  { workload: 'PATCH', floor: GUARDED, atLeast: 0.5 },
  { workload: 'PATCH', floor: 'bare floor, one commit each', atLeast: 3 },
]

/** A line for each target that the rows say something about. */
export function verdicts(rows: readonly Row[]): string {
  const lines = rows.flatMap((row) =>
    TARGETS.filter(({ workload }) => row.workload.startsWith(workload)).flatMap((target) => lineOf(row, target)),
  )
  const head = ['work', 'to reach', 'requests/s (each round)', 'by processor time', 'verdict']
  return [`| ${head.join(' | ')} |`, '|---|---|---:|---:|---|', ...lines].join('\n')
}

function lineOf(row: Row, { floor, atLeast }: Target): string[] {
  const speed = ratios(row, 'service', floor, (cell) => cell.perSecond)
  if (speed.rounds.length === 0) return []
  const cost = ratios(row, 'service', floor, (cell) => cell.processorMicros)
  const measured = `${percent(speed.median)} (${speed.rounds.map(percent).join(', ')})`
  const columns = [row.workload, `${percent(atLeast)} of the ${floor}`, measured, percent(1 / cost.median)]
  return [`| ${columns.join(' | ')} | ${verdictOn(speed.rounds, atLeast)} |`]
}

/** A median alone would turn a busy machine's luck into a result: the rounds must agree. */
function verdictOn(rounds: readonly number[], atLeast: number): string {
  const reached = rounds.filter((share) => share >= atLeast).length
  if (reached === rounds.length) return 'reached'
  return reached === 0 ? 'not reached' : `open: in ${reached} of ${rounds.length} rounds`
}

export function percent(share: number): string {
  return `${Math.round(share * 100)} %`
}
