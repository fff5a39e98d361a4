// Requests of agents: a token for /mcp, and messages of the protocol.
import { type Answer, CLIENT_SECRET, type World } from './world.ts'

/** The requests of a test world have this host. */
export const MCP_RESOURCE = 'http://localhost/mcp'
const REVISION = '2026-07-28'
const META = {
  'io.modelcontextprotocol/protocolVersion': REVISION,
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

/** The answer of the token endpoint to a client; `form`: further fields. */
export function askToken(world: World, client: string, form: Record<string, string>): Promise<Answer> {
  const fields = { grant_type: 'client_credentials', client_id: client, client_secret: CLIENT_SECRET, ...form }
  return world.send({
    method: 'POST',
    url: '/oauth/token',
    body: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
}

/** A token of a client for the tools. */
export async function agentToken(world: World, client: string, scope = 'mcp:read'): Promise<string> {
  const { json } = await askToken(world, client, { resource: MCP_RESOURCE, scope })
  return json.access_token
}

export interface Message {
  readonly method: string
  readonly params?: Record<string, unknown>
  readonly headers?: Record<string, string>
}

/** The headers of a message of the revision without sessions. */
export function headersOf(method: string, params: Record<string, unknown> = {}): Record<string, string> {
  const name: Record<string, string> = params.name === undefined ? {} : { 'mcp-name': String(params.name) }
  const accept = 'application/json, text/event-stream'
  return { accept, 'mcp-protocol-version': REVISION, 'mcp-method': method, ...name }
}

export function messageOf(method: string, params: Record<string, unknown> = {}) {
  return { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: META } }
}

/** Sends a message of the revision without sessions. */
export function sendMessage(world: World, token: string, { method, params = {}, headers = {} }: Message) {
  const own = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  return world.send({
    method: 'POST',
    url: '/mcp',
    headers: { ...own, ...headersOf(method, params), ...headers },
    body: messageOf(method, params),
  })
}

/** Calls a tool; the result of the protocol. */
export async function callAgentTool(world: World, token: string, name: string, args: Record<string, unknown> = {}) {
  const { json } = await sendMessage(world, token, { method: 'tools/call', params: { name, arguments: args } })
  return json.result
}
