// A mutation can only be made while its source text exists. The full run of all mutations takes long; this test is
// fast.
import { existsSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { ALL_MUTATIONS } from './all-mutations.ts'

it.each(ALL_MUTATIONS.map((mutation) => [mutation.name, mutation] as const))(
  'the source has the text of the mutation once: %s',
  (_name, mutation) => {
    const source = readFileSync(mutation.file, 'utf8')
    for (const { find } of mutation.also ? [mutation, mutation.also] : [mutation]) {
      expect([find, source.split(find).length - 1]).toEqual([find, 1])
    }
    expect([mutation.test[0], existsSync(mutation.test[0])]).toEqual([mutation.test[0], true])
  },
)
