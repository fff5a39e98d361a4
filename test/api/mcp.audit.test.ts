// Calls of agents: each is an entry of the change log, and each client has a budget.
import { createHash } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { agentToken, callAgentTool, sendMessage } from '../support/mcp.ts'
import { objects } from '../support/object-records.ts'
import { FEWER_KINDS, onEachStore, startWorld, type World } from '../support/world.ts'

type Entry = Record<string, string>

async function callsIn(world: World, as: string, companyId: string): Promise<Entry[]> {
  await world.application.agentCalls.write()
  const query = { companyId, filter: "entity eq 'agent-call'" }
  const { json } = await world.send({ as, url: objects('audit-entries', query) })
  return json
}

onEachStore(
  'calls of agents',
  (world) => {
    it('are entries of the company of the caller, without their arguments', async () => {
      const token = await agentToken(world(), 'sv')
      const before = await callsIn(world(), 'integration', 'EN')
      const args = { document: 'customers', filter: "customerName eq 'secret-of-the-call'" }
      expect((await callAgentTool(world(), token, 'no-such-tool', args)).isError).toBe(true)
      const calls = await callsIn(world(), 'sv', 'SV')
      expect(calls).toMatchObject([
        { entity: 'agent-call', operation: 'call', recordKey: '["(unknown)"]', clientId: 'sv', before: '' },
      ])
      const hash = createHash('sha256').update(JSON.stringify(args)).digest('hex')
      expect(JSON.parse(calls[0]?.after ?? '')).toEqual({
        outcome: 'refused',
        rows: 0,
        arguments: hash,
        program: 'test 1',
      })
      expect(await callsIn(world(), 'integration', 'EN')).toEqual(before)
      const everything = await world().query('select record_key, before, after from audit_entry')
      expect(JSON.stringify(everything)).not.toMatch(/no-such-tool|secret-of-the-call/)
    })

    it('tell how much was answered, and from which company', async () => {
      const token = await agentToken(world(), 'both')
      const before = await callsIn(world(), 'sv', 'SV')
      const args = { document: 'customers', company: 'SV', select: 'customerId' }
      const { structuredContent } = await callAgentTool(world(), token, 'query', args)
      const added = (await callsIn(world(), 'sv', 'SV')).slice(before.length)
      expect(added).toMatchObject([{ recordKey: '["query"]', clientId: 'both', companyId: 'SV' }])
      expect(JSON.parse(added[0]?.after ?? '')).toMatchObject({
        outcome: 'answered',
        rows: structuredContent.rows.length,
      })
    })

    it('are the only requests of agents that are entries, and no change that the feed tells', async () => {
      const token = await agentToken(world(), 'integration')
      await callsIn(world(), 'integration', 'EN')
      const { next } = (await world().send({ as: 'integration', url: '/v1/changes?since=now' })).json
      await sendMessage(world(), token, { method: 'tools/list' })
      const before = await callsIn(world(), 'integration', 'EN')
      await callAgentTool(world(), token, 'no-such-tool')
      expect(await callsIn(world(), 'integration', 'EN')).toHaveLength(before.length + 1)
      const { json } = await world().send({ as: 'integration', url: `/v1/changes?since=${encodeURIComponent(next)}` })
      expect(json.changes).toEqual([])
    })
  },
  (kind) => startWorld(kind, 'test/fixtures/objects.yaml'),
  FEWER_KINDS,
)

describe('the budget of a client', () => {
  let world: Awaited<ReturnType<typeof startWorld>>
  beforeEach(async () => {
    world = await startWorld('sqlite', 'test/fixtures/company.yaml', '', {
      agentLimits: { requestsPerMinute: 2, bytesPerFiveMinutes: 10_000_000 },
    })
  })
  afterEach(() => world.stop())

  it('bounds its calls: over it they are refused with the seconds to wait, and are no entries', async () => {
    const token = await agentToken(world, 'integration')
    for (const _call of [1, 2]) {
      const { content } = await callAgentTool(world, token, 'no-such-tool')
      expect(content[0].text).toContain("There is no tool 'no-such-tool'.")
    }
    const { isError, content } = await callAgentTool(world, token, 'no-such-tool')
    expect(isError).toBe(true)
    const refusal = JSON.parse(content[0].text)
    expect(refusal).toEqual({
      error: `The limit of 2 requests a minute is reached: try again in ${refusal.retryAfterSeconds} s.`,
      status: 429,
      retryable: true,
      retryAfterSeconds: expect.any(Number),
    })
    expect(refusal.retryAfterSeconds).toBeGreaterThan(0)
    // Another client has a budget of its own, and other requests are not counted.
    const other = await callAgentTool(world, await agentToken(world, 'reader'), 'no-such-tool')
    expect(other.content[0].text).toContain('There is no tool')
    expect((await world.send({ as: 'integration', url: '/v1/access' })).status).toBe(200)
    await world.application.agentCalls.write()
    expect(await world.query("select entity from audit_entry where entity = 'agent-call'")).toHaveLength(3)
  })

  it('bounds the bytes of its answers', async () => {
    await world.stop()
    world = await startWorld('sqlite', 'test/fixtures/company.yaml', '', { agentLimits: { bytesPerFiveMinutes: 10 } })
    const token = await agentToken(world, 'integration')
    await callAgentTool(world, token, 'no-such-tool')
    const { content } = await callAgentTool(world, token, 'no-such-tool')
    expect(JSON.parse(content[0].text)).toMatchObject({ status: 429, retryable: true })
  })
})
