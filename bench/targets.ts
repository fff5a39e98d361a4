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

/** A ratio to a floor in the same round: of requests per second, or of processor time per request. */
interface RatioTarget extends Bound {
  readonly work: RegExp
  readonly floor: string
  readonly of: 'perSecond' | 'processorMicros'
}

const RATIOS: readonly RatioTarget[] = [
  { work: /^single GET/, floor: GUARDED, of: 'perSecond', atLeast: 0.95 },
  { work: /^values: description contains, searched/, floor: GUARDED, of: 'perSecond', atLeast: 20 },
  { work: /^values: description contains/, floor: GUARDED, of: 'perSecond', atLeast: 0.9 },
  {
    work: /^(values|customers|ledger|attribute relations|document archive)/,
    floor: GUARDED,
    of: 'perSecond',
    atLeast: 0.95,
  },
  { work: /^(POST|PATCH)/, floor: GUARDED, of: 'perSecond', atLeast: 0.65 },
  { work: /^upload/, floor: GUARDED, of: 'processorMicros', atMost: 1.6 },
  { work: /^repeat/, floor: BARE, of: 'perSecond', atLeast: 1 },
]

/** Microseconds of processor time of the service, without a floor. */
const NOT_MODIFIED: Bound = { atMost: 25 }

const FIGURES: readonly (Bound & { readonly work: RegExp })[] = [
  { work: /^export/, atMost: 1.3 },
  { work: /^ledger as Parquet: memory/, atMost: 300 },
  { work: /^ledger as Parquet/, atMost: 2 },
  { work: /^two workers.*(POST|PATCH)/, atLeast: 1 },
  { work: /^two workers/, atLeast: 1.7 },
  { work: /^import of customers$/, atLeast: 20_000 },
  { work: /^import of attribute-values$/, atLeast: 40_000 },
  { work: /^import of general-ledger-transactions$/, atLeast: 80_000 },
  { work: /^changes: read/, atLeast: 60 },
  { work: /^changes: single GET/, atMost: 1.03 },
  { work: /^changes: told after the answer/, atMost: 50 },
  { work: /^own: /, atMost: 1.1 },
  { work: /^memory of all processes: service/, atMost: 300 },
  { work: /^memory of all processes: two workers/, atMost: 420 },
  { work: /^ready after start, a ledger of ten/, atMost: 1.1 },
  { work: /^ready after start/, atMost: 1 },
]

const HEAD = ['work', 'to reach', 'measured (each round)', 'by processor time', 'verdict']

/** One line for each measurement with a target, and for each figure. */
export function verdicts(rows: readonly Row[], figures: readonly Figure[]): string {
  const lines = [...rows.map(lineOfRow).filter((line) => line !== undefined), ...figures.map(lineOfFigure)]
  return [HEAD, ['---', '---', '---:', '---:', '---'], ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

function lineOfRow(row: Row): readonly string[] | undefined {
  if (row.workload.startsWith('not modified')) return lineOfNotModified(row)
  const target = RATIOS.find(({ work }) => work.test(row.workload))
  if (!target) return undefined
  const { floor, of } = target
  const isSpeed = of === 'perSecond'
  const shown = isSpeed ? percent : (ratio: number) => `${ratio.toFixed(2)} times`
  const what = `${isSpeed ? '' : 'processor time, '}${told(target, shown)} of the ${floor}`
  const { rounds, median } = ratios(row, SERVED, floor, (cell) => cell[of])
  if (rounds.length === 0) return row.missing === undefined ? undefined : notMeasured(row.workload, what, row.missing)
  const cost = ratios(row, SERVED, floor, (cell) => cell.processorMicros)
  return [row.workload, what, each(rounds, median, shown), percent(1 / cost.median), verdictOn(rounds, target)]
}

function lineOfNotModified({ workload, measured, missing }: Row): readonly string[] | undefined {
  const micros = (measured.get(SERVED) ?? []).map((cell: Measured) => cell.processorMicros)
  const shown = (value: number) => `${Math.round(value)} us`
  const what = `processor time, ${told(NOT_MODIFIED, shown)}`
  if (micros.length === 0) return missing === undefined ? undefined : notMeasured(workload, what, missing)
  return [workload, what, each(micros, medianOf(micros), shown), '', verdictOn(micros, NOT_MODIFIED)]
}

const notMeasured = (work: string, what: string, why: string) => [work, what, why, '', 'not reached']

/** A figure without a target is printed too, for comparison. */
function lineOfFigure({ work, rounds, unit, beside }: Figure): readonly string[] {
  const target = FIGURES.find((one) => one.work.test(work))
  const digits = unit === 'times' || unit === 's' || unit === 'ms' ? 2 : 0
  const shown = (value: number) =>
    `${value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })} ${unit}`
  if (rounds.length === 0) return notMeasured(work, target ? told(target, shown) : '', beside)
  const measured = `${each(rounds, medianOf(rounds), shown)}; ${beside}`
  if (!target) return [work, '', measured, '', '']
  return [work, told(target, shown), measured, '', verdictOn(rounds, target)]
}

function told({ atLeast, atMost }: Bound, shown: (value: number) => string): string {
  return atLeast === undefined ? `at most ${shown(atMost ?? 0)}` : shown(atLeast)
}

function each(rounds: readonly number[], median: number, shown: (value: number) => string): string {
  return rounds.length === 1 ? shown(median) : `${shown(median)} (${rounds.map(shown).join(', ')})`
}

/** All rounds must agree, because a median alone may be an accident of a busy machine. */
function verdictOn(rounds: readonly number[], { atLeast = -Infinity, atMost = Infinity }: Bound): string {
  const reached = rounds.filter((value) => value >= atLeast && value <= atMost).length
  if (reached === rounds.length) return 'reached'
  return reached === 0 ? 'not reached' : `open: in ${reached} of ${rounds.length} rounds`
}
