import { randomBytes } from 'node:crypto'
import { PROGRAM_VERSION } from '../../base/process/program-version.ts'
import type { InnerParts } from '../../http/inner/inner-request.ts'
import { InnerRequests } from '../../http/inner/inner-requests.ts'
import { pathIn, type RouteTable } from '../../http/route.ts'
import { RouteLookup } from '../../http/route-lookup.ts'
import type { ServerFactory } from '../../mcp/mcp-server.ts'
import { mcpRoutes } from '../../mcp/routes.ts'
import type { McpService } from '../../mcp/service.ts'
import { TOOLS } from '../../mcp/tools/catalogue.ts'
import { type RecordService, recordRoutes, type ServedDocuments } from './record-routes.ts'

export interface AgentSources extends Pick<McpService, 'budget' | 'calls'> {
  readonly documents: ServedDocuments
  readonly pipeline: InnerParts
  /** Serves something else than the tools, for tests of the protocol. */
  readonly server: ServerFactory | undefined
}

/** Declares the tools of agents, which work through the routes of all resources. */
export function serveAgents(router: RouteTable, service: RecordService, sources: AgentSources): void {
  const { documents, pipeline, server, ...watching } = sources
  const routes = new RouteLookup()
  recordRoutes(routes, service, documents)
  const agents: McpService = {
    tools: TOOLS,
    inner: new InnerRequests(routes, pipeline),
    ...watching,
    companies: service.companies,
    clock: service.clock,
    random: (bytes) => randomBytes(bytes).toString('base64url'),
    onFault: ({ requestId, path }, error) =>
      service.observe({ kind: 'request-failed', requestId, method: 'POST', path: pathIn(path), error }),
    basePath: pipeline.basePath,
    version: PROGRAM_VERSION,
  }
  mcpRoutes(router, agents, server)
}
