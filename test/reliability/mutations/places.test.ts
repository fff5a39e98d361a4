// A mutation can only be made while its source text exists. The full run of all mutations takes long; this test is
// fast.
import { existsSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { expect, it } from 'vitest'
import { ALL_MUTATIONS } from './all-mutations.ts'
import { fileWith, readSources } from './sources.ts'

const sources = readSources('.')

it.each(ALL_MUTATIONS.map((mutation) => [mutation.name, mutation] as const))(
  'the source has the text of the mutation once, and can be read with it: %s',
  (_name, { find, replace, test: [file] }) => {
    const source = sources.get(fileWith(find, sources)) ?? ''
    // What cannot be read fails every test, so it would show nothing.
    stripTypeScriptTypes(source.replace(find, () => replace))
    expect([file, existsSync(file)]).toEqual([file, true])
  },
)

it('finds a text that stands twice, in one file or in two, and one that is not there', () => {
  const twice = new Map([
    ['src/one.ts', 'a b b'],
    ['src/two.ts', 'a'],
  ])
  expect(() => fileWith('a', twice)).toThrow('"a" stands 2 times in src, not once: src/one.ts, src/two.ts')
  expect(() => fileWith('b', twice)).toThrow('"b" stands 2 times in src, not once: src/one.ts, src/one.ts')
  expect(() => fileWith('c', twice)).toThrow('"c" stands 0 times')
})
