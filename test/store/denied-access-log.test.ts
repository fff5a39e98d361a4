// Denied accesses are queued for the journal: the queue is bounded, and nothing is lost silently.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openStore } from '../../src/databases/open/open-store.ts'
import type { Observation } from '../../src/observe/observation.ts'
import { DeniedAccessLog } from '../../src/store/audit/denied-access-log.ts'
import type { Store } from '../../src/store/store.ts'
import { entriesIn } from '../support/journal-entries.ts'

const ACTOR = { userId: 'tester', clientId: 'tests', requestId: 'r1' }
const NEVER = { writeAfterMs: 3_600_000 }

let folder: string
let store: Store
let observed: Observation[]
let now = 0
const clock = () => new Date(now)
const observe = (observation: Observation) => observed.push(observation)

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tabularium-refusals-'))
  observed = []
  now = Date.parse('2026-03-01T12:00:00.000Z')
  store = await openStore({ data: folder, clock, observe, onFatal: () => {} })
  await addCompany('EN')
})
afterEach(async () => {
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

const addCompany = (id: string) =>
  store.writeSetup(ACTOR, async (tx) => {
    await tx.in(id)
  })

const refusal = (companyId: string, userId: string, path = '/v1/customers') => {
  return { companyId, userId, clientId: 'c', requestId: 'r', method: 'GET', path }
}

const entriesOf = (companyId: string) => entriesIn(folder, companyId)

it('retains entries that cannot be written, and writes those of other companies meanwhile', async () => {
  const log = new DeniedAccessLog({ store, clock, observe, ...NEVER })
  log.add(refusal('NEW', 'a'))
  log.add(refusal('EN', 'b'))
  await log.write()
  expect((await entriesOf('EN')).map((entry) => entry.user_id)).toEqual(['b'])
  expect(observed).toMatchObject([{ kind: 'store-warning', message: expect.stringContaining('not be written yet') }])
  await addCompany('NEW')
  now += 5_000
  await log.write()
  expect(await entriesOf('NEW')).toMatchObject([{ user_id: 'a', at: '2026-03-01T12:00:00.000Z', operation: 'refused' }])
})

it('holds a bounded number, and counts the others', async () => {
  const log = new DeniedAccessLog({ store, clock, observe, ...NEVER })
  const callers = Array.from({ length: 100 }, (_, id) => `caller${id}`)
  for (let round = 0; round < 50; round++) for (const caller of callers) log.add(refusal('EN', caller))
  await log.stop()
  const entries = await entriesOf('EN')
  const counted = entries.filter((entry) => entry.after !== '').map((entry) => JSON.parse(entry.after).refused)
  expect(entries.length - counted.length).toBe(2_000)
  expect(counted.reduce((sum, count) => sum + count)).toBe(3_000)
  expect(observed).toEqual([])
})

it('reports what is lost when it stops and nothing can be written', async () => {
  const log = new DeniedAccessLog({ store, clock, observe, ...NEVER })
  for (let count = 0; count < 3; count++) log.add(refusal('GONE', 'a'))
  await log.stop()
  expect(observed.at(-1)).toMatchObject({ message: '3 denied accesses could not be written to the journal' })
})
