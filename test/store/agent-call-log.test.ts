// Calls of agents are entries of the change log without their arguments.
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openStore } from '../../src/databases/open/open-store.ts'
import type { Observation } from '../../src/observe/observation.ts'
import { AgentCallLog } from '../../src/store/audit/agent-call-log.ts'
import type { Store } from '../../src/store/store.ts'
import { entriesIn } from '../support/journal-entries.ts'

const ACTOR = { userId: 'tester', clientId: 'tests', requestId: 'r1' }

let folder: string
let store: Store
let observed: Observation[]
let log: AgentCallLog
const clock = () => new Date('2026-03-01T12:00:00.000Z')

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tabularium-calls-'))
  observed = []
  const observe = (observation: Observation) => observed.push(observation)
  store = await openStore({ data: folder, clock, observe, onFatal: () => {} })
  await store.writeSetup(ACTOR, async (tx) => {
    await tx.in('EN')
  })
  log = new AgentCallLog({ store, clock, observe, writeAfterMs: 3_600_000 })
})
afterEach(async () => {
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

const call = (more: object = {}) => ({
  ...ACTOR,
  companyId: 'EN',
  tool: 'query',
  argumentText: '{"filter":"customerName eq \'Kerr\'"}',
  rows: 3,
  outcome: 'answered' as const,
  program: 'Claude 1.0',
  ...more,
})

it('has the tool, what was answered and the hash of the arguments, never the arguments', async () => {
  log.add(call())
  log.add(call({ outcome: 'refused', rows: 0, requestId: 'r2' }))
  await log.stop()
  const entries = await entriesIn(folder, 'EN')
  expect(entries).toMatchObject([
    {
      entity: 'agent-call',
      operation: 'call',
      record_key: '["query"]',
      user_id: 'tester',
      request_id: 'r1',
      before: '',
    },
    { entity: 'agent-call', operation: 'call', record_key: '["query"]', client_id: 'tests', request_id: 'r2' },
  ])
  const hash = createHash('sha256').update(call().argumentText).digest('hex')
  expect(entries.map(({ after }) => JSON.parse(after))).toEqual([
    { outcome: 'answered', rows: 3, arguments: hash, program: 'Claude 1.0' },
    { outcome: 'refused', rows: 0, arguments: hash, program: 'Claude 1.0' },
  ])
  expect(JSON.stringify(entries)).not.toContain('Kerr')
})

it('is bounded while the database is unavailable, and tells of what was lost', async () => {
  for (let count = 0; count < 2_003; count++) log.add(call())
  await log.write()
  expect(await entriesIn(folder, 'EN')).toHaveLength(2_000)
  expect(observed).toEqual([
    { kind: 'store-warning', message: '3 calls of agents could not be written to the journal' },
  ])
})
