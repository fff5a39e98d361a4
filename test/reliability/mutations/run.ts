// `npm run test:mutations`: makes each mutation in a copy of the project and runs the test that must catch it. Each
// test first runs without a mutation: one that fails anyway catches nothing. Arguments select the mutations whose names
// contain them.
import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { ALL_MUTATIONS } from './all-mutations.ts'
import type { Mutation } from './mutation.ts'
import { runTests, type TestResult } from './run-tests.ts'
import { fileWith, readSources, type Sources } from './sources.ts'

/** The sources, and what is built before the first test. */
const FOLDERS = ['src', 'test', 'docs', 'guides', 'examples', 'console', 'packages', 'scripts', 'dist']
const COPIED = [...FOLDERS, 'package.json', 'package-lock.json', 'vitest.config.ts', 'tsconfig.json']

type Verdict = readonly [verdict: 'caught' | 'MISSED' | 'fails without it too' | 'NO TEST RAN', why: string]

const storesOf = ({ needsPostgres }: Mutation) => (needsPostgres ? 'postgres' : 'sqlite')

/** Runs each file of tests once without a mutation, with all tests that the mutations name in it. */
class Baseline {
  readonly #results = new Map<string, Promise<readonly TestResult[]>>()

  /** Why the test of the mutation proves nothing; undefined: it passes. */
  async defectOf(mutation: Mutation): Promise<Verdict | undefined> {
    const [file, title] = mutation.test
    const stores = storesOf(mutation)
    const key = `${stores} ${file}`
    const results = this.#results.get(key) ?? runTests(copy, file, titlesIn(file, stores), stores, stopping.signal)
    this.#results.set(key, results)
    const own = (await results).filter(({ name }) => name.includes(title))
    if (own.length === 0) return ['NO TEST RAN', mutation.test.join(': ')]
    const failure = own.find(({ passed }) => !passed)
    return failure && ['fails without it too', failure.name]
  }
}

function titlesIn(file: string, stores: string): string[] {
  const there = mutations.filter((mutation) => mutation.test[0] === file && storesOf(mutation) === stores)
  return [...new Set(there.map(({ test }) => test[1]))]
}

async function verdictOn(mutation: Mutation, sources: Sources): Promise<Verdict> {
  const { find, replace, test } = mutation
  const path = fileWith(find, sources)
  const source = sources.get(path) ?? ''
  writeFileSync(
    join(copy, path),
    source.replace(find, () => replace),
  )
  const results = await runTests(copy, test[0], [test[1]], storesOf(mutation), stopping.signal, ['--bail=1'])
  writeFileSync(join(copy, path), source)
  if (results.length === 0) return ['NO TEST RAN', `${path} is broken`]
  const failure = results.find(({ passed }) => !passed)
  return failure ? ['caught', failure.name] : ['MISSED', test.join(': ')]
}

const filters = process.argv.slice(2)
const mutations = ALL_MUTATIONS.filter(({ name }) => filters.every((filter) => name.includes(filter)))
const stopping = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort())

const copy = mkdtempSync(join(tmpdir(), 'tabularium-mutated-'))
const uncaught: string[] = []
try {
  for (const name of COPIED) if (existsSync(name)) cpSync(name, join(copy, name), { recursive: true })
  symlinkSync(resolve('node_modules'), join(copy, 'node_modules'))
  const sources = readSources(copy)
  for (const { find } of mutations) fileWith(find, sources)
  const baseline = new Baseline()
  for (const [at, mutation] of mutations.entries()) {
    const [verdict, why] = (await baseline.defectOf(mutation)) ?? (await verdictOn(mutation, sources))
    const line = `${verdict}: ${mutation.name}: ${why}\n`
    if (verdict !== 'caught') uncaught.push(line)
    process.stdout.write(`${at + 1}/${mutations.length} ${line}`)
  }
} finally {
  rmSync(copy, { recursive: true, force: true })
}
process.stdout.write(
  `${mutations.length - uncaught.length} of ${mutations.length} mutations caught\n${uncaught.join('')}`,
)
process.exitCode = uncaught.length === 0 && mutations.length > 0 ? 0 : 1
