import { randomBytes } from 'node:crypto'
import type { Caller } from '../access/caller.ts'
import { PROGRAM_VERSION } from '../base/process/program-version.ts'
import { notAuthorised } from '../errors/catalogue.ts'
import type { InnerParts } from '../http/inner-request.ts'
import { innerRequests } from '../http/inner-requests.ts'
import { pathIn, type RouteTable } from '../http/route/route.ts'
import { RouteLookup } from '../http/route/route-lookup.ts'
import { ContentTexts } from '../mcp/content-texts.ts'
import type { ServerFactory } from '../mcp/mcp-server.ts'
import { mcpRoutes } from '../mcp/routes.ts'
import type { McpService } from '../mcp/service.ts'
import { TOOLS } from '../mcp/tools/catalogue.ts'
import { proposalStore } from '../mcp/tools/proposal-store.ts'
import type { ReadableDocument } from '../mcp/tools/tool.ts'
import { readableDefinition } from '../objects/readable.ts'
import { type RecordService, recordRoutes, type ServedDocuments } from './record-routes.ts'

interface AgentSources extends Pick<McpService, 'budget' | 'calls'> {
  readonly documents: ServedDocuments
  readonly pipeline: InnerParts
  /** Routes that know of mirrors; writes of agents do not go to their sources. */
  readonly mirrored: (table: RouteTable, forwards: boolean) => RouteTable
  /** Serves something else than the tools, for tests of the protocol. */
  readonly server: ServerFactory | undefined
}

/** Declares the tools of agents, which work through the routes of all resources. */
export function serveAgents(router: RouteTable, service: RecordService, sources: AgentSources): ContentTexts {
  const { documents, pipeline, mirrored, server, ...watching } = sources
  const texts = new ContentTexts()
  const routes = new RouteLookup()
  recordRoutes(mirrored(routes, false), service, documents)
  const agents: McpService = {
    tools: TOOLS,
    inner: innerRequests(routes, pipeline),
    ...watching,
    companies: service.companies,
    proposals: proposalStore(service.store, service.clock, service.companies),
    texts,
    documents: (caller, companyId) => readableBy(service, documents, caller, companyId),
    clock: service.clock,
    random: (bytes) => randomBytes(bytes).toString('base64url'),
    onFault: ({ requestId, path }, error) =>
      service.observe({ kind: 'request-failed', requestId, method: 'POST', path: pathIn(path), error }),
    basePath: pipeline.basePath,
    version: PROGRAM_VERSION,
  }
  mcpRoutes(router, agents, server)
  return texts
}

/** A company that is not one of the caller's is answered as one that does not exist. */
function readableBy(
  { companies }: RecordService,
  { builtIn, custom }: ServedDocuments,
  caller: Caller,
  companyId: string,
): ReadableDocument[] {
  const company = caller.knows(companyId) ? companies.find(companyId) : undefined
  if (!company) throw notAuthorised('the caller has no role in the company')
  return [...builtIn, ...custom.all].flatMap((document) => {
    const definition = readableDefinition(document, caller, company)
    return definition ? [{ definition, parameters: (document.parameters ?? []).map(({ name }) => name) }] : []
  })
}
