// A call of a tool within the budget of its client, which the change log tells of.
import { isObject, type JsonValue } from '../base/strict-json.ts'
import type { ApiRequest } from '../http/route/route.ts'
import type { ToolAnswer } from './answers/tool.ts'
import { callTool } from './call-tool.ts'
import type { McpService } from './service.ts'
import { isRefusal } from './tool-result.ts'

/** Longer names are cut, since anybody may call a program anything. */
const MAX_PROGRAM_LENGTH = 100
const UNPRINTABLE = /[^\x20-\x7e]/g
const CLIENT_INFO = 'io.modelcontextprotocol/clientInfo'

/** Throws 429 over the budget, which is no entry of the change log; and as `callTool` does. */
export async function watchedCall(
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
    tell(service, request, { name, given, outcome: isRefusal(error) ? 'refused' : 'failed', rows: 0 })
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
