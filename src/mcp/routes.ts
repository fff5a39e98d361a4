// POST /mcp: the tools of agents, by the Model Context Protocol.
import { Type } from 'typebox'
import { isObject, type JsonValue } from '../base/strict-json.ts'
import { insufficientScope, notAuthorised } from '../errors/catalogue.ts'
import { refusal } from '../http/openapi/parameters.ts'
import { ANY_CALLER, type ApiRequest, type Route, type RouteTable } from '../http/route/route.ts'
import { JSON_TYPE, type Reply } from '../http/route/send.ts'
import { AGENT_PATH, metadataPathBelow } from '../http/system/oauth-metadata.ts'
import { preferredOf } from '../query/collection-format.ts'
import { type Answerer, openAnswerer, type ServerFactory, toolServer } from './mcp-server.ts'
import type { McpService } from './service.ts'

/** Headers of a request that the protocol reads. */
const READ_HEADERS = ['content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name', 'mcp-session-id']
/** The library requires both, but there is one answer to each message: whatever a client accepts gets it. */
const ACCEPTED = 'application/json, text/event-stream'
const STREAM = { 'text/event-stream': true } as const
const LOOPBACK = /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i

/** `factory`: makes the server of each request; by default that of the service's tools. */
export function mcpRoutes(table: RouteTable, service: McpService, factory: ServerFactory = toolServer(service)): void {
  let answerer: Promise<Answerer> | undefined
  const handle = async (request: ApiRequest): Promise<Reply> => {
    requireNoPage(request)
    requireScope(service, request)
    answerer ??= openAnswerer(factory)
    const response = await (await answerer)(request, webRequest(request), plain(request.body))
    const reply = await replyOf(response, preferredOf(request.accept, STREAM) ?? false)
    service.budget.addBytes(request.caller.clientId, reply.body.length)
    return reply
  }
  table.get(AGENT_PATH, NO_STREAM)
  table.delete(AGENT_PATH, NO_STREAM)
  table.post(AGENT_PATH, { ...MCP_TEXT, handle })
}

/**
 * A page of another site must not reach a service on the reader's own machine by a name that it controls (DNS
 * rebinding). Hosts of agents are programs, which send no origin, or serve their page from the same machine.
 */
function requireNoPage(request: ApiRequest): void {
  const origin = request.header('origin')
  if (origin === undefined || (LOOPBACK.test(origin) && LOOPBACK.test(request.origin()))) return
  throw notAuthorised('the request comes from a page in a browser')
}

/** RFC 6750, 3.1: a tool that the token does not open is refused before the protocol is spoken. */
function requireScope({ tools, basePath }: McpService, request: ApiRequest): void {
  const { body } = request
  if (!isObject(body) || body.method !== 'tools/call' || !isObject(body.params)) return
  const { name } = body.params
  const tool = tools.find((one) => one.name === name)
  if (!tool || request.scopes().has(tool.scope)) return
  throw insufficientScope(tool.scope, `${request.origin()}${metadataPathBelow(basePath)}`)
}

function webRequest(request: ApiRequest): Request {
  const headers = new Headers({ accept: ACCEPTED })
  for (const name of READ_HEADERS) {
    const value = request.header(name)
    if (value !== undefined) headers.set(name, value)
  }
  return new Request(request.origin() + request.path, { method: 'POST', headers })
}

/** Numbers that are too long for JavaScript are rounded for the protocol; tools read them as they were sent. */
function plain(body: JsonValue | undefined): unknown {
  return body === undefined ? undefined : JSON.parse(JSON.stringify(body))
}

/** `takesStream`: an answer of one event may stay a stream. */
async function replyOf(response: Response, takesStream: boolean): Promise<Reply & { readonly body: string }> {
  const { status } = response
  const [headers, body] = [Object.fromEntries(response.headers), await response.text()]
  const isStream = headers['content-type']?.startsWith('text/event-stream')
  if (body === '' || (isStream && takesStream)) return { status, headers, body }
  return { status, headers: { ...headers, 'content-type': JSON_TYPE }, body: isStream ? messageIn(body) : body }
}

const DATA = /^data: ?(.+)$/gm

/** The data of the last event, which is the answer. */
function messageIn(stream: string): string {
  return [...stream.matchAll(DATA)].at(-1)?.[1] ?? ''
}

/**
 * Earlier revisions have a stream to listen to and a session to end, which a server need not have: 405. Declared, so
 * that tokens of agents are accepted before.
 */
const NO_STREAM: Route = {
  permit: () => ANY_CALLER,
  audience: 'agents',
  methodsAt: () => ['POST'],
  summary: '',
  parameters: [],
  answers: {},
  handle: () => {
    throw new Error('a method that is not routed was handled')
  },
}

const Message = Type.Object(
  { jsonrpc: Type.Literal('2.0'), method: Type.String({ examples: ['tools/list'] }) },
  { additionalProperties: true, title: 'McpMessage', description: 'A message of JSON-RPC 2.0.' },
)

const McpError = Type.Object(
  { jsonrpc: Type.Literal('2.0'), error: Type.Object({ code: Type.Integer(), message: Type.String() }) },
  { additionalProperties: true, title: 'McpError' },
)

const MCP_TEXT = {
  permit: ANY_CALLER,
  audience: 'agents',
  operationId: 'callAgentTools',
  summary: 'Call the tools of agents (Model Context Protocol)',
  description:
    'Takes one message of JSON-RPC of the revisions 2026-07-28 and 2025-11-25, without a session. Only a token whose `resource` is this address opens it.',
  parameters: [],
  body: Message,
  answers: {
    200: {
      description: 'The result, or an error of the protocol.',
      schema: Type.Object({}, { additionalProperties: true, title: 'McpResult' }),
    },
    202: { description: 'A notification was taken.' },
    400: refusal('The message is malformed, or of a revision that is not known.', McpError),
    404: { description: 'The protocol has the method, but not this service.', schema: McpError },
    403: refusal('The token lacks the scope of the tool, or a page in a browser has sent the request.'),
  },
} as const
