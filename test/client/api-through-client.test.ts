// The tests of values and customers once more, with every request of a client sent by the package of the client;
// `npm test` has those of values.
import { globSync } from 'node:fs'
import { expect, it } from 'vitest'
import { IS_LONG } from '../support/reliability-test.ts'
import { declaredWith } from '../support/world.ts'
import { throughTheClient } from './world-client.ts'

const API = new URL('../api/', import.meta.url)
const files = globSync(IS_LONG ? '{attribute-values,customers}.*.test.ts' : 'attribute-values.*.test.ts', { cwd: API })

await declaredWith(throughTheClient, async () => {
  // Modules of their own: a file that was imported before would declare nothing.
  for (const file of files.sort()) await import(/* @vite-ignore */ `${new URL(file, API).pathname}?client`)
})

it('sends the tests of values and customers', () => {
  expect(files).toHaveLength(IS_LONG ? 10 : 5)
})
