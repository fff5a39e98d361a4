import type { StatementSync } from 'node:sqlite'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { Edges } from './edges.ts'

const QUERIES = 5_000
const LENGTH = 20_000
const MIB = 1024 * 1024

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

it('uses little memory for long queries, however many they are', () => {
  const statement = { setReadBigInts: () => {}, get: () => ['edge'] } as unknown as StatementSync
  const edges = new Edges(() => statement)
  collectGarbage()
  const before = process.memoryUsage().heapUsed
  for (let no = 0; no < QUERIES; no++) {
    const parameters = [`${no}`.padEnd(LENGTH, 'x')]
    expect(edges.find({}, () => ({ text: 'select ?', parameters }), false)).toBe('edge')
  }
  collectGarbage()
  expect((process.memoryUsage().heapUsed - before) / MIB).toBeLessThan(20)
  expect(edges.find({}, () => ({ text: 'select ?', parameters: ['0'.padEnd(LENGTH, 'x')] }), false)).toBe('edge')
})
