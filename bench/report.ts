// The table of a run: medians of the rounds, and ratios taken within each round.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, release } from 'node:os'
import Database from 'better-sqlite3'
import type { Measured } from './measure.ts'

export interface Row {
  readonly workload: string
  /** Subject -> one measurement a round. */
  readonly measured: ReadonlyMap<string, readonly Measured[]>
}

const PAGE = new URL('../docs/performance.md', import.meta.url)
const BEGIN = '<!-- table: begin -->'
const END = '<!-- table: end -->'

/** Prints the table, and writes it into the page when that is wanted. */
export function report(rows: readonly Row[], isWritten: boolean): void {
  const text = `${machine()}\n\n${table(rows)}\n`
  process.stdout.write(`${text}`)
  if (!isWritten) return
  const page = readFileSync(PAGE, 'utf8')
  const [head = '', rest = ''] = page.split(BEGIN)
  writeFileSync(PAGE, `${head}${BEGIN}\n\n${text}\n${END}${rest.split(END)[1] ?? ''}`)
}

function table(rows: readonly Row[]): string {
  const lines = [
    '| work | subject | requests/s | p99 | processor time a request | requests/s of the guarded floor | processor time of the guarded floor |',
    '|---|---|---:|---:|---:|---:|---:|',
  ]
  for (const { workload, measured } of rows) {
    const guarded = measured.get('guarded floor') ?? []
    for (const [subject, cells] of measured) {
      const speed = median(cells.map((cell, round) => cell.perSecond / (guarded[round]?.perSecond ?? Number.NaN)))
      const cost = median(
        cells.map((cell, round) => cell.processorMicros / (guarded[round]?.processorMicros ?? Number.NaN)),
      )
      const of = (pick: (cell: Measured) => number) => median(cells.map(pick))
      lines.push(
        `| ${workload} | ${subject} | ${Math.round(of((cell) => cell.perSecond))} | ${of((cell) => cell.p99Ms)} ms | ${Math.round(of((cell) => cell.processorMicros))} us | ${Math.round(speed * 100)} % | ${cost.toFixed(2)} times |`,
      )
    }
  }
  return lines.join('\n')
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

function machine(): string {
  const sqlite = new Database(':memory:').prepare('select sqlite_version()').pluck().get()
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD']).toString().trim()
  const [processor] = cpus()
  return `${cpus().length} cores of ${processor?.model.trim()}, Linux ${release()}, Node.js ${process.versions.node}, SQLite ${sqlite}; commit ${commit}, ${new Date().toISOString().slice(0, 10)}.`
}
