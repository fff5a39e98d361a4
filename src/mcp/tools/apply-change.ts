// `apply_change`: writes what was proposed, if the record is still as it was then.
import { jsonOf, refusalText } from './ask-json.ts'
import { gives, RECORD, takes } from './schemas.ts'
import { shownValue, withinBytes } from './shown-values.ts'
import { type McpTool, RETRYABLE, type ToolContext, ToolError } from './tool.ts'

const CONFLICT = 409

export const applyChange: McpTool = {
  name: 'apply_change',
  title: 'Apply a proposed change',
  description:
    'Writes a change that propose_change has checked and a person has seen. Takes its handle alone. Applied again it answers the same and writes nothing more. Refused when the record has changed since.',
  inputSchema: takes({ handle: { type: 'string', minLength: 16, maxLength: 64 } }, 'handle'),
  outputSchema: gives({ status: { type: 'integer' }, record: RECORD }, 'status'),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  scope: 'mcp:write',
  async call(context, args) {
    const handle = String(args.handle)
    const { companyId, proposal } = await proposed(context, handle)
    const { method, url, body, etag } = proposal
    const match: Record<string, string> = etag === undefined ? {} : { 'if-match': etag }
    const answer = await context.ask({ method, url, body, headers: { ...match, 'idempotency-key': `mcp-${handle}` } })
    const hint = answer.status === CONFLICT ? ' Nothing was written. Propose it again.' : ''
    if (answer.status >= 400) throw new ToolError(refusalText(answer) + hint, RETRYABLE.has(answer.status))
    const [record] = withinBytes([answer.body.length === 0 ? {} : shownValue(jsonOf(answer))])
    return { content: { status: answer.status, ...(record === undefined ? {} : { record }) }, rows: 1, companyId }
  },
}

/** The handle alone is given: its proposal is in one of the companies that the caller knows. */
async function proposed({ caller, proposals }: ToolContext, handle: string) {
  for (const companyId of caller.companyIds) {
    const proposal = await proposals.find(companyId, handle, caller)
    if (proposal) return { companyId, proposal }
  }
  throw new ToolError('There is no such proposal of yours, or its ten minutes are over: propose it again.')
}
