// What agents are told of a mirror: nothing of a document that is not complete, and that nothing is written here.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { agentToken, callAgentTool } from '../support/mcp.ts'
import { type MirrorWorld, startMirror, withSecret } from '../support/mirror.ts'
import { STORE_KINDS } from '../support/world.ts'

const HALF_AN_HOUR_MS = 1_800_000

describe.each(STORE_KINDS)('agents and a mirror on %s', (kind) => {
  let mirror: MirrorWorld
  beforeAll(async () => {
    // It looks for no change while the test pretends that a document is not complete.
    mirror = await startMirror(kind, { change: withSecret, source: { follow: 86_400, contents: 'lazy' } })
    await mirror.loaded()
  })
  afterAll(async () => mirror?.stop())

  const asked = async (name: string, args: Record<string, unknown>) =>
    callAgentTool(mirror.world, await agentToken(mirror.world, 'programs'), name, args)
  const call = async (name: string, args: Record<string, unknown>) => {
    const result = await asked(name, args)
    return JSON.stringify(result.structuredContent ?? result.content)
  }
  const QUERY = { document: 'customers', filter: "customerId eq '100003'", select: 'customerId' }

  it('are told how old what they have read is', async () => {
    const key = { customerId: '100003' }
    const tools: readonly (readonly [string, Record<string, unknown>])[] = [
      ['query', QUERY],
      ['read', { document: 'customers', key }],
      ['aggregate', { document: 'customers', compute: 'count() as customers' }],
      ['history', { document: 'customers', key }],
      ['search_documents', { words: 'invoice' }],
    ]
    const { asOf } = await mirror.status('customers')
    mirror.advance(HALF_AN_HOUR_MS)
    for (const [name, args] of tools) {
      const result = await asked(name, args)
      const { mirror: told } = result.structuredContent
      expect([name, result.isError, told.ageSeconds >= HALF_AN_HOUR_MS / 1000]).toEqual([name, undefined, true])
      if (name === 'query') expect(told.asOf).toBe(asOf)
      // Hosts that show no structured content show the same.
      expect(JSON.parse(result.content[0].text).mirror).toEqual(told)
    }
    // What is of the setup alone has no age.
    expect((await asked('describe', {})).structuredContent).not.toHaveProperty('mirror')
  })

  it('answer no records of a document that is still being loaded', async () => {
    expect(await call('query', QUERY)).toContain('100003')
    await mirror.world.query(
      `update mirror_document set state = replace(state, '"following"', '"loading"') where document = 'customers'`,
    )
    await mirror.until('the tool says so', async () => (await call('query', QUERY)).includes('still being loaded'))
  })
})
