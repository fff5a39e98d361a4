// One call of a tool: arguments, permission, the tool itself.
import type { JsonValue } from '../base/strict-json.ts'
import type { ApiRequest } from '../http/route.ts'
import { checkedArguments } from './check-arguments.ts'
import type { McpService } from './service.ts'
import { type McpTool, type ToolAnswer, type ToolContext, ToolError, type ToolRequest } from './tools/tool.ts'

/** Of one answer that a tool works with: far more than it tells. */
const MAX_ANSWER_BYTES = 4 * 1024 * 1024

/** The tools of the scopes of a request, in the order of the catalogue. */
export function toolsFor(service: McpService, request: ApiRequest): readonly McpTool[] {
  const scopes = request.scopes()
  return service.tools.filter(({ scope }) => scopes.has(scope))
}

/** Throws a `ToolError` or a Problem for what the caller can mend. */
export async function callTool(
  service: McpService,
  request: ApiRequest,
  name: string,
  given: JsonValue | undefined,
): Promise<ToolAnswer> {
  const tool = toolsFor(service, request).find((one) => one.name === name)
  if (!tool) throw new ToolError(`There is no tool '${name.slice(0, 80)}'.`)
  return await tool.call(contextOf(service, request), checkedArguments(tool, given))
}

function contextOf(service: McpService, request: ApiRequest): ToolContext {
  const { clock, random } = service
  let asked = 0
  return {
    caller: request.caller,
    requestId: request.requestId,
    scopes: request.scopes(),
    clock,
    random,
    proposals: service.proposals,
    documents: (companyId) => service.documents(request.caller, companyId),
    textOf: (mimeType, content) => service.texts.of(request.caller.flow, mimeType, content),
    ask: async ({
      method,
      url,
      headers = {},
      body,
      validateOnly = false,
      maxBytes = MAX_ANSWER_BYTES,
    }: ToolRequest) => {
      asked += 1
      const inner = {
        method,
        url: service.basePath + url,
        headers,
        body,
        requestId: `${request.requestId}:${asked}`,
        validateOnly,
      }
      const call = service.inner.begin(inner, request)
      const answer = await call.answer(maxBytes)
      call.end(answer)
      return answer
    },
  }
}
