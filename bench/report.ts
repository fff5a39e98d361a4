// The tables of a run: medians of the rounds, and ratios taken within each round.
import { readFileSync, writeFileSync } from 'node:fs'
import type { Measured } from './measure.ts'
import { medianOf, ratios } from './ratios.ts'
import { percent, verdicts } from './targets.ts'

export interface Row {
  readonly workload: string
  /** Subject -> one measurement a round. */
  readonly measured: ReadonlyMap<string, readonly Measured[]>
}

const PAGE = new URL('../docs/performance.md', import.meta.url)
const mark = (name: string) => [`<!-- ${name}: begin -->`, `<!-- ${name}: end -->`] as const
const GUARDED = 'guarded floor'
const BARE = 'bare floor'

export interface Results {
  readonly rows: readonly Row[]
  /** What was measured, and on what. */
  readonly machine: string
  readonly memory: string
}

/** Prints the tables, keeps the figures of all rounds in `file`, and writes the page when that is wanted. */
export function report({ rows, machine, memory }: Results, file: string, isWritten: boolean): void {
  const text = `${machine}\n\n${verdicts(rows)}\n\n${table(rows)}\n\n${memory}\n`
  process.stdout.write(text)
  const plain = rows.map(({ workload, measured }) => ({ workload, measured: Object.fromEntries(measured) }))
  writeFileSync(file, `${JSON.stringify({ machine, rows: plain }, undefined, 2)}\n`)
  if (isWritten) writePage('table', text)
}

/** The same for PostgreSQL, in a table of its own. */
export function reportPostgres(rows: readonly Row[], machine: string, isWritten: boolean): void {
  const text = `${machine}\n\n${verdicts(rows)}\n\n${table(rows)}\n`
  process.stdout.write(text)
  if (isWritten) writePage('table on PostgreSQL', text)
}

function writePage(name: string, text: string): void {
  const [begin, end] = mark(name)
  const page = readFileSync(PAGE, 'utf8')
  const [head, rest] = page.split(begin)
  const tail = rest?.split(end)[1]
  if (head === undefined || tail === undefined) throw new Error(`${PAGE.pathname} has lost the marks of its ${name}`)
  writeFileSync(PAGE, `${head}${begin}\n\n${text}\n${end}${tail}`)
}

const COLUMNS = [
  'work',
  'subject',
  'requests/s',
  'p50 ms',
  'p99 ms',
  'processor us a request',
  'cores busy',
  'requests/s of the guarded floor (each round)',
  'of the bare floor',
  'processor time of the guarded floor',
]

function table(rows: readonly Row[]): string {
  const lines = rows.flatMap((row) => [...row.measured.keys()].map((subject) => lineOf(row, subject)))
  return [`| ${COLUMNS.join(' | ')} |`, '|---|---|---:|---:|---:|---:|---:|---:|---:|---:|', ...lines].join('\n')
}

function lineOf(row: Row, subject: string): string {
  const cells = row.measured.get(subject) ?? []
  const middle = (figure: (cell: Measured) => number) => medianOf(cells.map(figure))
  const columns = [
    row.workload,
    subject,
    Math.round(middle((cell) => cell.perSecond)),
    middle((cell) => cell.p50Ms),
    middle((cell) => cell.p99Ms),
    Math.round(middle((cell) => cell.processorMicros)),
    middle((cell) => cell.cores).toFixed(2),
    speedAgainst(row, subject, GUARDED),
    speedAgainst(row, subject, BARE),
    costAgainst(row, subject, GUARDED),
  ]
  return `| ${columns.join(' | ')} |`
}

function speedAgainst(row: Row, subject: string, floor: string): string {
  const { median, rounds } = ratios(row, subject, floor, (cell) => cell.perSecond)
  if (subject === floor || rounds.length === 0) return ''
  return rounds.length === 1 ? percent(median) : `${percent(median)} (${rounds.map(percent).join(', ')})`
}

function costAgainst(row: Row, subject: string, floor: string): string {
  const { median, rounds } = ratios(row, subject, floor, (cell) => cell.processorMicros)
  return subject === floor || rounds.length === 0 ? '' : `${median.toFixed(2)} times`
}
