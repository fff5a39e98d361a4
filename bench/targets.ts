// The targets. The first one whose pattern matches the name of a workload applies.
import { BARE, GUARDED, SERVED } from './cast.ts'
import type { Figure } from './figure.ts'
import type { Measured } from './measure.ts'
import { medianOf, percent, ratios } from './ratios.ts'
import type { Row } from './report.ts'

interface Bound {
  readonly atLeast?: number
  readonly atMost?: number
}

/** Processor time per request, as a multiple of a floor's in the same round: it hardly moves when something else runs. */
interface RatioTarget {
  readonly work: RegExp
  readonly floor: string
  readonly atMost: number
}

export const RATIOS: readonly RatioTarget[] = [
  { work: /^single GET/, floor: GUARDED, atMost: 1.1 },
  { work: /^never asked before/, floor: GUARDED, atMost: 1.25 },
  { work: /^values: description contains, searched/, floor: GUARDED, atMost: 0.05 },
  { work: /^(values|customers|ledger|attribute relations|document archive)/, floor: GUARDED, atMost: 1.15 },
  { work: /^POST of a value/, floor: GUARDED, atMost: 1.6 },
  { work: /^PATCH of a value/, floor: GUARDED, atMost: 1.8 },
  { work: /^(POST|PATCH)/, floor: GUARDED, atMost: 2 },
  { work: /^upload/, floor: GUARDED, atMost: 1.15 },
  { work: /^repeat/, floor: BARE, atMost: 1 },
]

/** On PostgreSQL the time of the database is in both. */
export const RATIOS_ON_POSTGRES: readonly RatioTarget[] = [
  { work: /^(POST|PATCH)/, floor: GUARDED, atMost: 2 },
  { work: /^/, floor: GUARDED, atMost: 1.3 },
]

/** Microseconds of processor time of the service, without a floor. */
const NOT_MODIFIED: Bound = { atMost: 35 }

const FIGURES: readonly (Bound & { readonly work: RegExp })[] = [
  { work: /^export/, atMost: 1.3 },
  { work: /^ledger as Parquet: memory/, atMost: 300 },
  { work: /^ledger as Parquet/, atMost: 2 },
  { work: /^two workers.*(POST|PATCH)/, atLeast: 1 },
  { work: /^two workers/, atLeast: 1.6 },
  { work: /^import of .*beside COPY$/, atLeast: 1 / 3 },
  { work: /^import of customers$/, atLeast: 16_000 },
  { work: /^import of attribute-values$/, atLeast: 40_000 },
  { work: /^import of general-ledger-transactions$/, atLeast: 80_000 },
  { work: /^changes: read/, atLeast: 60 },
  { work: /^changes: single GET/, atMost: 1.03 },
  { work: /^changes: told after the answer/, atMost: 50 },
  { work: /^own: /, atMost: 1.1 },
  { work: /^orders: POST of/, atMost: 4 },
  { work: /^orders: import/, atLeast: 40_000 },
  { work: /^orders: rate/, atLeast: 0.9 },
  { work: /^ready after start, a ledger of ten/, atMost: 1.1 },
  { work: /^ready after start/, atMost: 0.7 },
]

const HEAD = ['work', 'to reach', 'measured', 'requests/s', 'verdict']

/** One line for each measurement with a target, and for each figure. */
export function verdicts(rows: readonly Row[], figures: readonly Figure[], targets: readonly RatioTarget[]): string {
  const ofRows = rows.map((row) => lineOfRow(row, targets)).filter((line) => line !== undefined)
  const lines = [...ofRows, ...figures.map(lineOfFigure)]
  return [HEAD, ['---', '---', '---:', '---:', '---'], ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

function lineOfRow(row: Row, targets: readonly RatioTarget[]): readonly string[] | undefined {
  if (row.workload.startsWith('not modified')) return lineOfNotModified(row)
  const target = targets.find(({ work }) => work.test(row.workload))
  if (!target) return undefined
  const { floor } = target
  const shown = (ratio: number) => ratio.toFixed(2)
  const what = `${shown(target.atMost)}${floor === GUARDED ? '' : ' (bare)'}`
  const { rounds, median } = ratios(row, SERVED, floor, (cell) => cell.processorMicros)
  if (rounds.length === 0) return row.missing === undefined ? undefined : notMeasured(row.workload, what, row.missing)
  const speed = ratios(row, SERVED, floor, (cell) => cell.perSecond)
  return [row.workload, what, shown(median), percent(speed.median), verdictOn(rounds, target)]
}

function lineOfNotModified({ workload, measured, missing }: Row): readonly string[] | undefined {
  const micros = (measured.get(SERVED) ?? []).map((cell: Measured) => cell.processorMicros)
  const shown = (value: number) => `${Math.round(value)} us`
  const what = told(NOT_MODIFIED, shown)
  if (micros.length === 0) return missing === undefined ? undefined : notMeasured(workload, what, missing)
  return [workload, what, shown(medianOf(micros)), '', verdictOn(micros, NOT_MODIFIED)]
}

const notMeasured = (work: string, what: string, why: string) => [work, what, why, '', 'not reached']

/** A figure without a target is printed too, for comparison. */
function lineOfFigure({ work, rounds, unit, beside }: Figure): readonly string[] {
  const target = FIGURES.find((one) => one.work.test(work))
  const digits = unit === 'times' || unit === 's' || unit === 'ms' ? 2 : 0
  const shown = (value: number) =>
    `${value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })} ${unit}`
  if (rounds.length === 0) return notMeasured(work, target ? told(target, shown) : '', beside)
  const measured = `${shown(medianOf(rounds))}; ${beside}`
  if (!target) return [work, '', measured, '', '']
  return [work, told(target, shown), measured, '', verdictOn(rounds, target)]
}

function told({ atLeast, atMost }: Bound, shown: (value: number) => string): string {
  return atLeast === undefined ? `at most ${shown(atMost ?? 0)}` : shown(atLeast)
}

/** All rounds must agree, because a median alone may be an accident of a busy machine. */
function verdictOn(rounds: readonly number[], { atLeast = -Infinity, atMost = Infinity }: Bound): string {
  const reached = rounds.filter((value) => value >= atLeast && value <= atMost).length
  if (reached === rounds.length) return 'reached'
  return reached === 0 ? 'not reached' : `open: in ${reached} of ${rounds.length} rounds`
}
