// The server of one request, by the protocol's own library, which is loaded with the first request.
import type { McpHttpHandler, McpRequestContext, Server } from '@modelcontextprotocol/server'
import type { JsonValue } from '../base/strict-json.ts'
import type { ApiRequest } from '../http/route/route.ts'
import type { McpTool } from './answers/tool.ts'
import { toolsFor } from './call-tool.ts'
import { INSTRUCTIONS, type McpService } from './service.ts'
import { refusalResult, resultOf } from './tool-result.ts'
import { watchedCall } from './watched-call.ts'

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
