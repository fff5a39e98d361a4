// The result of a tool as the protocol has it: structured content, and a text for hosts that show nothing else.
import type { CallToolResult } from '@modelcontextprotocol/server'
import type { JsonObject } from '../base/strict-json.ts'
import { Problem } from '../errors/problem.ts'
import { type ToolAnswer, ToolError } from './answers/tool.ts'

export function resultOf({ content, text = JSON.stringify(content) }: ToolAnswer): CallToolResult {
  return { content: [{ type: 'text', text }], structuredContent: content }
}

/** What an agent can mend is told to it as a result; undefined for a fault of the service. */
export function refusalResult(error: unknown): CallToolResult | undefined {
  const refusal = refusalOf(error)
  if (!refusal) return undefined
  return { isError: true, content: [{ type: 'text', text: JSON.stringify(refusal) }] }
}

/** Whether the agent is told why; otherwise it is a fault of the service. */
export function isRefusal(error: unknown): boolean {
  return refusalOf(error) !== undefined
}

const RETRYABLE: ReadonlySet<number> = new Set([429, 503])

function refusalOf(error: unknown): JsonObject | undefined {
  if (error instanceof ToolError) return { error: error.message, retryable: error.isRetryable }
  if (!(error instanceof Problem) || error.status === 500) return undefined
  const { message, status, headers } = error
  const seconds = headers['retry-after']
  const wait: JsonObject = seconds === undefined ? {} : { retryAfterSeconds: Number(seconds) }
  return { error: message, status, retryable: RETRYABLE.has(status), ...wait }
}
