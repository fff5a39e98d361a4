// Tests of the interface once more, on two servers behind a pooler that hands each transaction another session of the
// database.
import { globSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { IS_FULL, IS_LONG } from '../support/reliability-test.ts'
import { TransactionPooler } from '../support/transaction-pooler.ts'
import { declareOn, STORE_KINDS } from '../support/world.ts'

const API = new URL('../api/', import.meta.url)
/** A record, a collection, and several requests in one. */
const FEW = ['attribute-values.create', 'objects.order-and-pages', 'batch-groups']
/** One file of each kind of record and request. */
const SOME = [
  ...FEW,
  'attribute-relations.patch',
  'customers.patch',
  'documents.create',
  'objects.formats',
  'changes',
  'later-setups',
]
/** They look into a server, or at the indexes that it builds. */
const OF_ONE_SERVER: readonly string[] = []
const files = IS_FULL
  ? globSync('*.test.ts', { cwd: API })
      .filter((file) => !OF_ONE_SERVER.includes(file))
      .sort()
  : (IS_LONG ? SOME : FEW).map((name) => `${name}.test.ts`)

let pooler: TransactionPooler

describe.runIf(STORE_KINDS.includes('postgres'))('Two servers behind a pooler of transactions', async () => {
  beforeAll(async () => {
    pooler = await TransactionPooler.start(inject('postgresAdmin'))
    vi.stubEnv('TEST_POOLER', String(pooler.port))
  })
  afterAll(async () => {
    vi.unstubAllEnvs()
    await pooler.stop()
  })

  await declareOn(['postgres'], async () => {
    // Modules of their own: a file that was imported before would declare nothing.
    for (const file of files) await import(/* @vite-ignore */ `${new URL(file, API).pathname}?pooled`)
  })

  it('leave nothing in a session, and use all of them', () => {
    expect([...pooler.violations]).toEqual([])
    const counts = [...pooler.transactions.values()].filter((count) => count > 20)
    expect(counts.length).toBeGreaterThan(files.length)
  })
})
