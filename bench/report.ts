// The tables of a run: medians of the rounds, and ratios taken within each round.
import { readFileSync, writeFileSync } from 'node:fs'
import { BARE, GUARDED, RELAXED, SERVED } from './cast.ts'
import type { Figure } from './figure.ts'
import type { Measured } from './measure.ts'
import { medianOf, percent, ratios } from './ratios.ts'
import { RATIOS, RATIOS_ON_POSTGRES, verdicts } from './targets.ts'

export interface Row {
  readonly workload: string
  /** Subject -> one measurement a round. */
  readonly measured: ReadonlyMap<string, readonly Measured[]>
  /** Why nothing was measured. */
  readonly missing?: string
}

export interface Results {
  readonly rows: readonly Row[]
  readonly figures: readonly Figure[]
  /** The machine, the versions and the commit. */
  readonly machine: string
}

const PAGE = new URL('../docs/generated/measurements.md', import.meta.url)

/** Prints the tables, saves the measurements of all rounds in `file`, and writes the page if `isWritten`. */
export function report(results: Results, file: string, sections: readonly Section[], isWritten: boolean): void {
  const texts = sections.map((section) => [section, textOf(section, results)] as const)
  process.stdout.write(`${texts.map(([, text]) => text).join('\n\n')}\n`)
  const rows = results.rows.map((row) => ({ ...row, measured: Object.fromEntries(row.measured) }))
  writeFileSync(file, `${JSON.stringify({ ...results, rows }, undefined, 2)}\n`)
  if (isWritten) for (const [section, text] of texts) writeSection(section, text)
}

/** A section of the page, between comments that bear its name. */
export type Section = 'table' | 'promises' | 'figures' | 'table on PostgreSQL'

function textOf(section: Section, { rows, figures, machine }: Results): string {
  if (section === 'promises') return promises(rows)
  if (section === 'figures') return everything(rows)
  return `${machine}\n\n${verdicts(rows, figures, section === 'table' ? RATIOS : RATIOS_ON_POSTGRES)}`
}

function writeSection(section: Section, text: string): void {
  const [begin, end] = [`<!-- ${section}: begin -->`, `<!-- ${section}: end -->`]
  const [head, rest] = readFileSync(PAGE, 'utf8').split(begin)
  const tail = rest?.split(end)[1]
  if (head === undefined || tail === undefined) throw new Error(`${PAGE.pathname} has lost the marks of its ${section}`)
  writeFileSync(PAGE, `${head}${begin}\n\n${text}\n\n${end}${tail}`)
}

const perSecond = (cell: Measured) => cell.perSecond
const micros = (cell: Measured) => cell.processorMicros

function markdown(head: readonly string[], lines: readonly (readonly (string | number)[])[]): string {
  const rule = head.map((_, place) => (place < 1 ? '---' : '---:'))
  return [head, rule, ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

/** The cost of answering a write only when it is on disk and in the chained log. */
function promises(rows: readonly Row[]): string {
  const head = [
    'writes/s and processor us each',
    `${RELAXED}, no log`,
    `${GUARDED} (FULL), no log`,
    'service (FULL, log)',
  ]
  const lines = rows
    .filter(({ measured }) => measured.has(RELAXED))
    .map((row) => [row.workload, ...[RELAXED, GUARDED, SERVED].map((subject) => speedAndCost(row, subject))])
  return markdown(head, lines)
}

function speedAndCost({ measured }: Row, subject: string): string {
  const cells = measured.get(subject) ?? []
  if (cells.length === 0) return ''
  return `${Math.round(medianOf(cells.map(perSecond)))}; ${Math.round(medianOf(cells.map(micros)))}`
}

function everything(rows: readonly Row[]): string {
  const head = ['work', 'subject', 'requests/s', 'p50 ms', 'p99 ms', 'processor us', 'cores busy']
  const lines = rows.flatMap((row) =>
    [...row.measured.keys()].map((subject, at) => lineOf(row, subject, at === 0 ? row.workload : '')),
  )
  return markdown(
    [...head, 'requests/s of the guarded floor', 'of the bare one', 'processor time of the guarded floor'],
    lines,
  )
}

/** The table names each piece of work once, in the line of its first subject. */
function lineOf(row: Row, subject: string, title: string): (string | number)[] {
  const cells = row.measured.get(subject) ?? []
  const middle = (figure: (cell: Measured) => number) => medianOf(cells.map(figure))
  const against = (floor: string, figure: (cell: Measured) => number) => {
    const { median, rounds } = ratios(row, subject, floor, figure)
    return subject === floor || rounds.length === 0 ? '' : percent(median)
  }
  return [
    title,
    subject,
    Math.round(middle(perSecond)),
    middle((cell) => cell.p50Ms),
    middle((cell) => cell.p99Ms),
    Math.round(middle(micros)),
    middle((cell) => cell.cores).toFixed(2),
    against(GUARDED, perSecond),
    against(BARE, perSecond),
    against(GUARDED, micros),
  ]
}
