// What agents are told of a mirror: nothing of a document that is not complete, and that nothing is written here.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { agentToken, callAgentTool } from '../support/mcp.ts'
import { type MirrorWorld, startMirror, withSecret } from '../support/mirror.ts'
import { STORE_KINDS } from '../support/world.ts'

describe.each(STORE_KINDS)('agents and a mirror on %s', (kind) => {
  let mirror: MirrorWorld
  beforeAll(async () => {
    // It looks for no change while the test pretends that a document is not complete.
    mirror = await startMirror(kind, { change: withSecret, source: { follow: 86_400, contents: 'lazy' } })
    await mirror.loaded()
  })
  afterAll(async () => mirror?.stop())

  const call = async (name: string, args: Record<string, unknown>, scope = 'mcp:read') => {
    const result = await callAgentTool(mirror.world, await agentToken(mirror.world, 'programs', scope), name, args)
    return JSON.stringify(result.structuredContent ?? result.content)
  }
  const QUERY = { document: 'customers', filter: "customerId eq '100003'", select: 'customerId' }

  it('answer no records of a document that is still being loaded', async () => {
    expect(await call('query', QUERY)).toContain('100003')
    await mirror.world.query(
      `update mirror_document set state = replace(state, '"following"', '"loading"') where document = 'customers'`,
    )
    await mirror.until('the tool says so', async () => (await call('query', QUERY)).includes('still being loaded'))
  })
})
