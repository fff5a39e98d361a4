import type { Server } from '../../../src/http/server.ts'
import { injectInto } from '../inject.ts'
import { type ExampleRequests, FORM, LARGE } from './example-request.ts'

/** A token of a client for the tools, to read. */
export async function agentToken(server: Server, id: string, secret: string): Promise<string> {
  const payload = new URLSearchParams({
    grant_type: 'client_credentials',
    resource: 'http://localhost/mcp',
    client_id: id,
    client_secret: secret,
  }).toString()
  const { access_token } = (
    await injectInto(server, { method: 'POST', url: '/oauth/token', headers: FORM, payload })
  ).json()
  return access_token
}

const HEADERS = { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2026-07-28' }
const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'an agent', version: '1.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

const message = (method: string) => ({
  as: 'demo-agent' as const,
  headers: { ...HEADERS, 'mcp-method': method },
  body: { jsonrpc: '2.0', id: 1, method, params: { _meta: META } },
})

export const agentExamples: ExampleRequests = {
  'POST /mcp': [
    { name: 'What the service can do', ...message('server/discover') },
    {
      name: 'A notification',
      as: 'demo-agent',
      headers: HEADERS,
      body: { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1, _meta: META } },
    },
    {
      name: 'A revision that is not known',
      as: 'demo-agent',
      headers: { ...HEADERS, 'mcp-protocol-version': '2020-01-01', 'mcp-method': 'tools/list' },
      body: { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: META } },
    },
    { name: 'No such method', ...message('prompts/list') },
    { name: 'A token for the records', as: 'demo', headers: HEADERS, body: { jsonrpc: '2.0', id: 1, method: 'ping' } },
    {
      name: 'A page of another site',
      ...message('tools/list'),
      headers: { ...HEADERS, origin: 'https://evil.example', 'mcp-method': 'tools/list' },
    },
    { name: 'A body of 1.1 MB', as: 'demo-agent', headers: HEADERS, body: LARGE },
    { name: 'A form', as: 'demo-agent', headers: { ...HEADERS, ...FORM }, body: 'method=ping' },
  ],
}
