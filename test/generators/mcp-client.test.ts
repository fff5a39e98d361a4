// The client of the protocol's own project, which knows the address of the tools, an id and a secret, and nothing else.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CLIENT_SECRET, startWorld } from '../support/world.ts'
import { install } from './generate.ts'

let world: Awaited<ReturnType<typeof startWorld>>
let address: string

beforeAll(async () => {
  await install()
  world = await startWorld('sqlite', undefined, '/erp')
  address = await world.application.server.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => world?.stop())

/** `auto`: by the newest revision that the server has; `legacy`: as programs from before it connect. */
async function connect(mode: 'auto' | 'legacy', clientSecret = CLIENT_SECRET) {
  const { Client, ClientCredentialsProvider, StreamableHTTPClientTransport } = await import(
    '@modelcontextprotocol/client'
  )
  const credentials = { clientId: 'integration', clientSecret, expectedIssuer: `${address}/erp` }
  const authProvider = new ClientCredentialsProvider(credentials)
  const client = new Client({ name: 'client-of-the-tests', version: '1.0.0' }, { versionNegotiation: { mode } })
  await client.connect(new StreamableHTTPClientTransport(new URL(`${address}/erp/mcp`), { authProvider }))
  return client
}

describe('the client of the protocol', () => {
  it.each([
    ['auto', '2026-07-28', 'client-of-the-tests 1.0.0'],
    // It names itself when it connects, of which nothing is kept.
    ['legacy', '2025-11-25', 'node'],
  ] as const)(
    'finds where it gets a token, connects (%s: %s), lists the tools and calls one',
    async (mode, revision, program) => {
      const client = await connect(mode)
      expect(client.getNegotiatedProtocolVersion()).toBe(revision)
      const { tools } = await client.listTools()
      expect(Array.isArray(tools)).toBe(true)
      const answer = await client.callTool({ name: 'no-such-tool', arguments: {} })
      expect(answer).toMatchObject({ isError: true })
      expect(JSON.stringify(answer.content)).toContain("There is no tool 'no-such-tool'.")
      await client.close()
      await world.application.agentCalls.write()
      const entries = await world.query("select after from audit_entry where entity = 'agent-call' order by entry_no")
      expect(JSON.parse(String(entries.at(-1)?.after)).program).toBe(program)
    },
  )

  it('is told when its secret is wrong', async () => {
    await expect(connect('auto', 'not the secret')).rejects.toThrow()
  })
})
