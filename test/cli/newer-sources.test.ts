// Which program a checkout runs: its bundle, unless the sources are newer.
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { temporaryFolder } from '../support/process.ts'

const [BEFORE, BUILT, LATER] = [new Date(2026, 0, 1), new Date(2026, 0, 2), new Date(2026, 0, 3)]
const SOURCES = ['src/main.ts', 'src/a/b/deep.ts', 'packages/client/src/index.ts']

let checkout: ReturnType<typeof temporaryFolder>
beforeEach(() => {
  checkout = temporaryFolder()
  put('package.json', '{ "type": "module" }', BEFORE)
  for (const file of SOURCES) put(file, "console.log('sources')", BEFORE)
  put('dist/main.js', "console.log('bundle')", BUILT)
  mkdirSync(join(checkout.path, 'bin'))
  copyFileSync('bin/tabularium.js', join(checkout.path, 'bin/tabularium.js'))
})
afterEach(() => checkout.remove())

/** The folders on the way to a file are as old as it. */
function put(file: string, content: string, time: Date): void {
  const path = join(checkout.path, file)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
  for (let one = file; one !== '.'; one = dirname(one)) utimesSync(join(checkout.path, one), time, time)
}

function ran(): string {
  const { stdout, stderr } = spawnSync(process.execPath, [join(checkout.path, 'bin/tabularium.js')], {
    encoding: 'utf8',
  })
  return stdout.trim() || stderr
}

it('runs the bundle of a checkout', () => expect(ran()).toBe('bundle'))

it.each(SOURCES)('runs the sources when %s is newer', (file) => {
  utimesSync(join(checkout.path, file), LATER, LATER)
  expect(ran()).toBe('sources')
})

it('runs the sources when a file was removed', () => {
  rmSync(join(checkout.path, 'src/a/b/deep.ts'))
  expect(ran()).toBe('sources')
})

it('runs the sources when there is no bundle', () => {
  rmSync(join(checkout.path, 'dist'), { recursive: true })
  expect(ran()).toBe('sources')
})

it('runs the bundle of a package, which has no sources', () => {
  for (const folder of ['src', 'packages']) rmSync(join(checkout.path, folder), { recursive: true })
  expect(ran()).toBe('bundle')
})
