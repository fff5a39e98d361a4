// `npm run test:mutations`: makes each mutation in a copy of the project and runs the test that must catch it. Each
// test first runs without a mutation: one that fails anyway catches nothing. Arguments select the mutations whose names
// contain them.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { ALL_MUTATIONS } from './all-mutations.ts'
import type { Mutation } from './mutation.ts'

/** The sources, and what is built before the first test. */
const FOLDERS = ['src', 'test', 'docs', 'guides', 'examples', 'console', 'packages', 'scripts']
const COPIED = [...FOLDERS, 'package.json', 'vitest.config.ts', 'tsconfig.json']
const PATIENCE_MS = 600_000

/** The names of the failed tests among those that match the name. */
function failuresOf(copy: string, [file, name]: Mutation['test']): string[] {
  const report = join(copy, 'report.json')
  rmSync(report, { force: true })
  const pattern = name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
  const args = ['vitest', 'run', file, '-t', pattern, '--reporter=json', `--outputFile=${report}`]
  const env = { ...process.env, RELIABILITY: 'long', TABULARIUM_TIMES: '2' }
  const { error } = spawnSync('npx', args, { cwd: copy, timeout: PATIENCE_MS, stdio: 'ignore', env })
  if (error) return [`${name}: ${error.message}`]
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as {
    testResults: { status: string; message: string; assertionResults: { fullName: string; status: string }[] }[]
  }
  if (testResults.length === 0) throw new Error(`${file} was not run`)
  return testResults.flatMap(({ assertionResults, status, message }) => {
    const ran = assertionResults.filter((one) => one.status === 'passed' || one.status === 'failed')
    if (ran.length === 0) return status === 'failed' ? [`${file} did not start: ${message}`] : []
    return ran.filter((one) => one.status === 'failed').map(({ fullName }) => fullName)
  })
}

function mutate(copy: string, { name, file, also, ...edit }: Mutation): () => void {
  const path = join(copy, file)
  const source = readFileSync(path, 'utf8')
  let mutated = source
  for (const { find, replace } of also ? [edit, also] : [edit]) {
    if (mutated.split(find).length !== 2) throw new Error(`${name}: its text does not occur once in ${file}`)
    mutated = mutated.replace(find, () => replace)
  }
  writeFileSync(path, mutated)
  return () => writeFileSync(path, source)
}

const filters = process.argv.slice(2)
const mutations = ALL_MUTATIONS.filter(({ name }) => filters.every((filter) => name.includes(filter)))
const copy = mkdtempSync(join(tmpdir(), 'tabularium-mutated-'))
const sound = new Map<string, boolean>()
let missed = 0
try {
  for (const name of COPIED) cpSync(name, join(copy, name), { recursive: true })
  symlinkSync(resolve('node_modules'), join(copy, 'node_modules'))
  for (const mutation of mutations) {
    const key = mutation.test.join(': ')
    if (!sound.has(key)) sound.set(key, failuresOf(copy, mutation.test).length === 0)
    const restore = mutate(copy, mutation)
    const failures = failuresOf(copy, mutation.test)
    restore()
    const isCaught = sound.get(key) === true && failures.length > 0
    if (!isCaught) missed += 1
    const verdict = isCaught ? 'caught' : sound.get(key) ? 'MISSED' : 'fails without it too'
    process.stdout.write(`${verdict}: ${mutation.name}: ${failures[0] ?? key}\n`)
  }
} finally {
  rmSync(copy, { recursive: true, force: true })
}
process.stdout.write(`${mutations.length - missed} of ${mutations.length} mutations caught\n`)
process.exitCode = missed === 0 ? 0 : 1
