// POST /mcp: tokens, scopes, revisions of the protocol, and what programs look up before.
import { expect, it } from 'vitest'
import { agentToken, askToken, MCP_RESOURCE, sendMessage } from '../support/mcp.ts'
import { FEWER_KINDS, onEachStore, startWorld } from '../support/world.ts'

onEachStore(
  'MCP',
  (world) => {
    it('gives a token for the tools when their address is the resource, to read unless more is asked for', async () => {
      const read = await askToken(world(), 'integration', { resource: MCP_RESOURCE })
      expect([read.status, read.json.scope]).toEqual([200, 'mcp:read'])
      const write = await askToken(world(), 'integration', { resource: MCP_RESOURCE, scope: 'mcp:write' })
      expect([write.status, write.json.scope]).toEqual([200, 'mcp:read mcp:write'])
    })

    it('refuses another resource and an unknown scope', async () => {
      const target = await askToken(world(), 'integration', { resource: 'https://elsewhere.example/mcp' })
      expect([target.status, target.json.error]).toEqual([400, 'invalid_target'])
      const scope = await askToken(world(), 'integration', { resource: MCP_RESOURCE, scope: 'mcp:read admin' })
      expect([scope.status, scope.json.error]).toEqual([400, 'invalid_scope'])
    })

    it('is opened by its own tokens alone, and they open nothing else', async () => {
      const records = await world().token('integration')
      const agents = await agentToken(world(), 'integration')
      // Twice: the second time a token is known.
      for (const _time of [1, 2]) {
        expect((await sendMessage(world(), records, { method: 'tools/list' })).status).toBe(401)
        expect((await sendMessage(world(), agents, { method: 'tools/list' })).status).toBe(200)
        const headers = { authorization: `Bearer ${agents}` }
        expect((await world().send({ url: '/v1/access', headers })).status).toBe(401)
        expect((await world().send({ as: 'integration', url: '/v1/access' })).status).toBe(200)
        expect((await world().send({ as: 'integration', url: '/mcp' })).status).toBe(401)
      }
    })

    it('is not opened by a secret, and says where it is described', async () => {
      const basic = `Basic ${Buffer.from('integration:a secret of the tests').toString('base64')}`
      for (const authorization of ['', basic, 'Bearer x.y.z']) {
        const headers: Record<string, string> = authorization === '' ? {} : { authorization }
        const answer = await world().send({ method: 'POST', url: '/mcp', body: {}, headers })
        expect(answer.status).toBe(401)
        expect(answer.headers['www-authenticate']).toContain(
          'resource_metadata="http://localhost/.well-known/oauth-protected-resource/mcp"',
        )
        expect(answer.headers['www-authenticate']).not.toContain('Basic')
      }
    })

    it('describes the resource and the authorization server', async () => {
      const resource = await world().send({ url: '/.well-known/oauth-protected-resource/mcp' })
      expect(resource.json).toMatchObject({ resource: MCP_RESOURCE, authorization_servers: ['http://localhost'] })
      const server = await world().send({ url: '/.well-known/oauth-authorization-server' })
      expect(server.json).toMatchObject({
        issuer: 'http://localhost',
        token_endpoint: 'http://localhost/oauth/token',
        grant_types_supported: ['client_credentials'],
      })
      // Programs require the address of a page to sign in, which says that there is none.
      const { pathname } = new URL(server.json.authorization_endpoint)
      const page = await world().send({ url: `${pathname}?response_type=code&client_id=integration` })
      expect([page.status, page.json.error]).toEqual([400, 'unsupported_response_type'])
    })

    it('speaks the revision without sessions, and the one before it', async () => {
      const token = await agentToken(world(), 'integration')
      const found = await sendMessage(world(), token, { method: 'server/discover' })
      expect(found.json.result).toMatchObject({ supportedVersions: ['2026-07-28'], capabilities: { tools: {} } })
      const begun = await world().send({
        method: 'POST',
        url: '/mcp',
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        body: {
          jsonrpc: '2.0',
          id: 1,
          method: 'initialize',
          params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
        },
      })
      expect(begun.status).toBe(200)
      expect(begun.text).toContain('"protocolVersion":"2025-11-25"')
    })

    it.each([
      ['*/*', 'json'],
      ['application/*, text/*', 'json'],
      ['application/json', 'json'],
      ['application/json;q=0.9, */*;q=0.1', 'json'],
      ['application/json, text/event-stream;q=0', 'json'],
      ['text/html', 'json'],
      ['', 'json'],
      ['Text/Event-Stream; q=0.5, application/json', 'stream'],
      ['application/json, text/event-stream', 'stream'],
      ['text/event-stream', 'stream'],
    ])('answers whoever accepts %s', async (accept, form) => {
      const token = await agentToken(world(), 'integration')
      const found = await sendMessage(world(), token, { method: 'server/discover', headers: { accept } })
      expect([found.status, found.json.result.supportedVersions]).toEqual([200, ['2026-07-28']])
      const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', accept }
      const body = { jsonrpc: '2.0', id: 1, method: 'initialize', params }
      const begun = await world().send({ method: 'POST', url: '/mcp', headers, body })
      const isStream = form === 'stream'
      expect([begun.status, begun.headers['content-type']]).toEqual([
        200,
        expect.stringMatching(isStream ? /^text\/event-stream/ : /^application\/json/),
      ])
      const answer = isStream ? JSON.parse(/^data: (.*)$/m.exec(begun.text)?.[1] ?? '') : begun.json
      expect(answer.result.protocolVersion).toBe('2025-11-25')
    })

    it('answers whoever names nothing that it accepts', async () => {
      const authorization = `Bearer ${await agentToken(world(), 'integration')}`
      const body = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
      const headers = { authorization, 'content-type': 'application/json', 'mcp-protocol-version': '2025-11-25' }
      const answer = await world().send({ method: 'POST', url: '/mcp', headers, body })
      expect([answer.status, answer.json.result.tools.length]).toEqual([200, expect.any(Number)])
    })

    it('keeps no stream and no session', async () => {
      const headers = { authorization: `Bearer ${await agentToken(world(), 'integration')}` }
      for (const method of ['GET', 'DELETE'] as const) {
        const answer = await world().send({ method, url: '/mcp', headers })
        expect([answer.status, answer.headers.allow]).toEqual([405, 'POST'])
      }
    })

    it('is not for pages in a browser but those of the same machine', async () => {
      const token = await agentToken(world(), 'integration')
      const from = (origin: string, host = 'localhost') =>
        sendMessage(world(), token, { method: 'tools/list', headers: { origin, host } })
      expect((await from('http://localhost:6274')).status).toBe(200)
      expect((await from('https://evil.example')).status).toBe(403)
      expect((await from('http://evil.example', 'evil.example')).status).toBe(403)
      expect((await from('http://localhost', 'evil.example')).status).toBe(403)
      expect((await from('null')).status).toBe(403)
    })

    it('tells of an unknown tool and of an unknown method', async () => {
      const token = await agentToken(world(), 'integration')
      const tool = await sendMessage(world(), token, { method: 'tools/call', params: { name: 'delete_all' } })
      expect(tool.json.result.isError).toBe(true)
      expect(tool.json.result.content[0].text).toContain("There is no tool 'delete_all'.")
      const method = await sendMessage(world(), token, { method: 'tools/none' })
      expect(method.json.error.code).toBe(-32601)
    })
  },
  startWorld,
  FEWER_KINDS,
)
