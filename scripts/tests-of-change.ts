// Chooses the tests that changed files touch: those that import them, directly or through others, but not through the
// whole program, because that is behind most tests; and those of the interface that are named after the same subject.
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** What puts the program together, and what starts all of it for tests: an import of these says little. */
const WHOLE_PROGRAM = ['src/app/app.ts', 'src/main.ts', 'src/cli/commands/program.ts', 'test/support/world.ts']
/** These look at all files. */
const ALWAYS = ['test/architecture.test.ts', 'test/docs.test.ts']
const FOLDERS = '{src,test,packages,console,scripts,bench,guides}/**/*.{ts,tsx}'
/** An import of types alone is left to the compiler. */
const IMPORT = /(?:^|[\s;}])(?:import|export)\s(?!type\s)[^'"`;]*?\sfrom\s*'([^']+)'|\bimport\(?\s*'([^']+)'/g
const CLIENT = 'packages/client/src/index.ts'

/** Why a test file is chosen. */
export type Choice = ReadonlyMap<string, string>

/** The test files for changed files, out of those that may be run; and the changed files that have none. */
export function testsOf(changed: readonly string[], tests: readonly string[]): { chosen: Choice; without: string[] } {
  const importers = importersOf(changed)
  const chosen = new Map(ALWAYS.map((test) => [test, 'looks at all files']))
  const choose = (found: readonly string[], why: string) => {
    for (const test of found) if (!chosen.has(test)) chosen.set(test, why)
    return found.length > 0
  }
  const without = changed.filter((file) => {
    if (file.endsWith('.test.ts')) return !choose([file], 'has changed')
    const reached = reachedFrom(file, importers).filter((name) => tests.includes(name))
    const isImported = choose(reached, `depends on ${file}`)
    return !choose(namedLike(file, tests), `is named like ${file}`) && !isImported
  })
  return { chosen, without }
}

/** The files that import each file, or name it where it is a setup or a description. */
function importersOf(changed: readonly string[]): Map<string, string[]> {
  const data = changed.filter((file) => /\.(yaml|json)$/.test(file))
  const importers = new Map<string, string[]>()
  for (const file of globSync(FOLDERS, { exclude: ['**/node_modules/**'] })) {
    const text = readFileSync(file, 'utf8')
    const imported = [...text.matchAll(IMPORT)].map(([, from, bare]) => from ?? bare ?? '')
    const ours = imported.flatMap((name) => (name.startsWith('.') ? [join(dirname(file), name)] : []))
    if (imported.includes('#client')) ours.push(CLIENT)
    const named = data.filter((name) => text.includes(`'${name}'`))
    for (const target of new Set([...ours, ...named])) importers.set(target, [...(importers.get(target) ?? []), file])
  }
  return importers
}

/** All files that import a file, or import one that does, but for what is behind the whole program. */
function reachedFrom(file: string, importers: ReadonlyMap<string, readonly string[]>): string[] {
  const reached = new Set([file])
  for (const name of reached) {
    if (WHOLE_PROGRAM.includes(name)) continue
    for (const importer of importers.get(name) ?? []) reached.add(importer)
  }
  return [...reached]
}

/** The tests whose names have most words of the path of a source file: those of the interface, or of the commands. */
function namedLike(file: string, tests: readonly string[]): string[] {
  if (!file.startsWith('src/')) return []
  const folder = file.startsWith('src/cli/') ? 'test/cli/' : 'test/api/'
  const words = wordsOf(file.replace(/^src\/(cli\/commands\/|cli\/)?/, ''))
  const shared = tests.flatMap((test) => {
    if (!test.startsWith(folder)) return []
    const count = wordsOf(test.slice(folder.length)).intersection(words).size
    return count > 0 ? [{ test, count }] : []
  })
  const most = Math.max(...shared.map(({ count }) => count))
  return shared.filter(({ count }) => count === most).map(({ test }) => test)
}

/** The words of a path, each in the singular. */
function wordsOf(path: string): ReadonlySet<string> {
  const words = path.replace(/(\.test)?\.ts$/, '').split(/\W+/)
  return new Set(words.map((word) => word.replace(/s$/, '')))
}
