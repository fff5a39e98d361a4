// `npm run test:changed [-- SINCE]`: checks the files that have changed since a commit, and runs the tests that they
// touch on SQLite. Without SINCE these are the uncommitted changes, or else all of the branch.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { relative } from 'node:path'
import { createVitest } from 'vitest/node'
import { testsOf } from './tests-of-change.ts'

process.env.STORES = 'sqlite'
const [since = isClean() ? git('merge-base', 'main', 'HEAD').join('') : 'HEAD'] = process.argv.slice(2)
const changed = [...git('diff', '--name-only', since), ...git('ls-files', '--others', '--exclude-standard')]
const there = changed.filter((file) => existsSync(file))

const types = ['.', 'packages/client', 'console'].filter(
  (folder) => folder === '.' || changed.some((file) => file.startsWith(folder)),
)
const checks = [
  ['biome', 'check', '--no-errors-on-unmatched', ...there],
  ...types.map((folder) => ['tsc', '--noEmit', '-p', folder]),
]
for (const [program = '', ...args] of there.length > 0 ? checks : [])
  if (spawnSync(`node_modules/.bin/${program}`, args, { stdio: 'inherit' }).status !== 0) process.exit(1)

const vitest = await createVitest({ watch: false })
const all = (await vitest.globTestSpecifications()).map((specification) => ({
  specification,
  file: relative(process.cwd(), specification.moduleId),
}))
const quick = all.filter(({ specification }) => specification.project.name.startsWith('quick')).map(({ file }) => file)
const { chosen, without } = testsOf(there, quick)
for (const [test, why] of chosen) console.log(`${test} ${why}`)
for (const file of without) console.log(`no test of its own: ${file}`)
await vitest.runTestSpecifications(all.filter(({ file }) => chosen.has(file)).map(({ specification }) => specification))
await vitest.close()

function isClean(): boolean {
  return git('status', '--porcelain').length === 0
}

function git(...args: string[]): string[] {
  return execFileSync('git', args, { encoding: 'utf8' }).split('\n').filter(Boolean)
}
