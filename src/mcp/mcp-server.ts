// The server of one request, by the protocol's own library, which is loaded with the first request.
import type { CallToolResult, McpHttpHandler, McpRequestContext, Server } from '@modelcontextprotocol/server'
import { isObject, type JsonObject, type JsonValue } from '../base/strict-json.ts'
import { Problem } from '../errors/problem.ts'
import type { ApiRequest } from '../http/route/route.ts'
import { callTool, toolsFor } from './call-tool.ts'
import { INSTRUCTIONS, type McpService } from './service.ts'
import { type McpTool, RETRYABLE, type ToolAnswer, ToolError } from './tools/tool.ts'

type Library = typeof import('@modelcontextprotocol/server')

/** Makes the server of a request. */
export type ServerFactory = (library: Library, request: ApiRequest, context: McpRequestContext) => Server

/** The catalogue changes with the program alone. */
const CATALOGUE = { ttlMs: 3_600_000, cacheScope: 'private' } as const

/** Serves the tools of a service to whoever asks, by both revisions of the protocol. */
export function toolServer(service: McpService): ServerFactory {
  return (library, request) => {
    const server = new library.Server(
      { name: 'tabularium', title: 'Tabularium', version: service.version },
      {
        capabilities: { tools: {} },
        instructions: INSTRUCTIONS,
        cacheHints: { 'tools/list': CATALOGUE, 'server/discover': CATALOGUE },
      },
    )
    server.setRequestHandler('tools/list', () => ({ tools: toolsFor(service, request).map(catalogued) }))
    server.setRequestHandler('tools/call', async ({ params }) => {
      try {
        return resultOf(await watchedCall(service, request, params.name, argumentsOf(request.body)))
      } catch (error) {
        const refusal = refusalResult(error)
        if (refusal) return refusal
        service.onFault(request, error)
        throw new library.ProtocolError(library.ProtocolErrorCode.InternalError, 'Internal error.')
      }
    })
    return server
  }
}

function catalogued({ name, title, description, inputSchema, outputSchema, annotations }: McpTool) {
  return { name, title, description, inputSchema, outputSchema, annotations }
}

/** As they were sent: the library would round long numbers. */
function argumentsOf(body: JsonValue | undefined): JsonValue | undefined {
  const { params } = body as { readonly params?: { readonly arguments?: JsonValue } }
  return params?.arguments
}

export type Answerer = (request: ApiRequest, requested: Request, body: unknown) => Promise<Response>

/** Answers requests of the protocol. */
export async function openAnswerer(factory: ServerFactory): Promise<Answerer> {
  const library = await import('@modelcontextprotocol/server')
  const handler: McpHttpHandler = library.createMcpHandler(
    (context) => factory(library, context.authInfo?.extra?.request as ApiRequest, context),
    // The catalogue never changes while the program runs, so nobody has to be told.
    { maxSubscriptions: 0 },
  )
  return async (request, requested, body) => {
    if (isListening(body)) return Response.json(noMethod(body.id), { status: 404 })
    const authInfo = { token: '', clientId: request.caller.clientId, scopes: [...request.scopes()], extra: { request } }
    return await handler.fetch(requested, { parsedBody: body, authInfo })
  }
}

/** Nothing that a client could listen to changes while the program runs, so there is no stream of changes. */
function isListening(body: unknown): body is { readonly id?: unknown } {
  return (body as { readonly method?: unknown } | null)?.method === 'subscriptions/listen'
}

function noMethod(id: unknown) {
  return { jsonrpc: '2.0', id: id ?? null, error: { code: -32601, message: 'Method not found' } }
}

// A call of a tool within the budget of its client, which the change log tells of.

/** Longer names are cut, since anybody may call a program anything. */
const MAX_PROGRAM_LENGTH = 100
const UNPRINTABLE = /[^\x20-\x7e]/g
const CLIENT_INFO = 'io.modelcontextprotocol/clientInfo'

/** Throws 429 over the budget, which is no entry of the change log; and as `callTool` does. */
async function watchedCall(
  service: McpService,
  request: ApiRequest,
  name: string,
  given: JsonValue | undefined,
): Promise<ToolAnswer> {
  await service.budget.takeReserved(request.caller.clientId)
  try {
    const answer = await callTool(service, request, name, given)
    tell(service, request, { name, given, outcome: 'answered', ...answer })
    return answer
  } catch (error) {
    tell(service, request, { name, given, outcome: refusalOf(error) ? 'refused' : 'failed', rows: 0 })
    throw error
  }
}

interface EndedCall extends Pick<ToolAnswer, 'rows' | 'companyId'> {
  readonly name: string
  readonly given: JsonValue | undefined
  readonly outcome: 'answered' | 'refused' | 'failed'
}

/** A refused call is told to the caller's own company: no other one may learn of it. */
function tell(service: McpService, request: ApiRequest, { name, given, outcome, rows, companyId }: EndedCall): void {
  const { userId, clientId, defaultCompany } = request.caller
  service.calls.add({
    userId,
    clientId,
    requestId: request.requestId,
    companyId: service.companies.find(companyId ?? defaultCompany)?.id ?? '',
    tool: service.tools.some((tool) => tool.name === name) ? name : '(unknown)',
    argumentText: JSON.stringify(given ?? {}),
    rows,
    outcome,
    program: programOf(request),
  })
}

/** As the program calls itself in each message, or else in its header. */
function programOf(request: ApiRequest): string {
  const { params } = request.body as { readonly params?: JsonValue }
  const meta = isObject(params) ? params._meta : undefined
  const info = isObject(meta) ? meta[CLIENT_INFO] : undefined
  const told = isObject(info) ? [info.name, info.version].filter((part) => typeof part === 'string').join(' ') : ''
  return (told || (request.header('user-agent') ?? '')).replace(UNPRINTABLE, '?').slice(0, MAX_PROGRAM_LENGTH)
}

/** The result of a tool as the protocol has it: structured content, and a text for hosts that show nothing else. */
function resultOf({ content, text = JSON.stringify(content) }: ToolAnswer): CallToolResult {
  return { content: [{ type: 'text', text }], structuredContent: content }
}

/** What an agent can mend is told to it as a result; undefined for a fault of the service. */
function refusalResult(error: unknown): CallToolResult | undefined {
  const refusal = refusalOf(error)
  if (!refusal) return undefined
  return { isError: true, content: [{ type: 'text', text: JSON.stringify(refusal) }] }
}

/** What the agent is told; undefined for a fault of the service. */
function refusalOf(error: unknown): JsonObject | undefined {
  if (error instanceof ToolError) return { error: error.message, retryable: error.isRetryable }
  if (!(error instanceof Problem) || error.status === 500) return undefined
  const { message, status, headers } = error
  const seconds = headers['retry-after']
  const wait: JsonObject = seconds === undefined ? {} : { retryAfterSeconds: Number(seconds) }
  return { error: message, status, retryable: RETRYABLE.has(status), ...wait }
}
