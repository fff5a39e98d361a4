// What a tool of agents is, and what it works with.
import type { AgentScope } from '../../access/token-scopes.ts'
import type { Clock } from '../../base/clock.ts'
import type { JsonObject, JsonValue } from '../../base/strict-json.ts'
import type { JobContent } from '../../files/processes/job-pool.ts'
import type { InnerAnswer } from '../../http/inner-answer.ts'
import type { ApiRequest } from '../../http/route/route.ts'
import type { DocumentDefinition } from '../../model/document.ts'
import type { ValueLists } from '../../setup/rules/value-lists.ts'
import type { ProposalStore } from './proposal-store.ts'

/** JSON Schema 2020-12. */
export type ToolSchema = JsonObject & { readonly type: 'object' }

export interface McpTool {
  /** Fixed: hosts keep what their users have allowed by it. */
  readonly name: string
  readonly title: string
  /** At most 280 characters: it is in the context of every conversation. */
  readonly description: string
  readonly inputSchema: ToolSchema
  readonly outputSchema: ToolSchema
  /** Hints for hosts (`readOnlyHint` and the like), which promise nothing. */
  readonly annotations: Readonly<Record<string, boolean>>
  readonly scope: AgentScope
  /**
   * `args` meet the input schema; `companyId` is what they name, or the caller's own. Throws a `ToolError` for what the
   * agent can mend; a Problem is told as one.
   */
  call(context: ToolContext, args: JsonObject, companyId: string): Promise<ToolAnswer>
}

export interface ToolAnswer {
  /** Meets the output schema. */
  readonly content: JsonObject
  /** A short copy for hosts that show no structured content; absent: the JSON of the content. */
  readonly text?: string
  /** How many records it holds, for the audit. */
  readonly rows: number
  /** The company that was asked, for the audit, where it is not the one that was named. */
  readonly companyId?: string | undefined
}

/** One request of the interface, as the caller could send it. */
export interface ToolRequest {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'DELETE'
  /** Below the base path, with the query; percent-encoded. */
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: JsonValue | undefined
  /** Everything is checked and answered, nothing is stored. */
  readonly validateOnly?: boolean
  /** How long the answer may be; by default 4 MiB. */
  readonly maxBytes?: number
}

export interface ToolContext {
  readonly caller: ApiRequest['caller']
  readonly requestId: string
  readonly scopes: ReadonlySet<AgentScope>
  /** Those of titles, the most wished first; empty for English. */
  readonly languages: readonly string[]
  readonly clock: Clock
  /** Random text, safe in URLs, of so many bytes. */
  readonly random: (bytes: number) => string
  /** What the caller may read in a company, as its rules show it. Throws a Problem if there is no such company. */
  documents(companyId: string): readonly ReadableDocument[]
  readonly proposals: ProposalStore
  /** The text of a content, in a process of its own; undefined if its type has none. */
  textOf(mimeType: string, content: JobContent): Promise<string | undefined>
  /** Goes the way of a request of its own: limits, permission, metrics and log. Never rejects. */
  ask(request: ToolRequest): Promise<InnerAnswer>
}

/** A document with the parameters that are no options of a query. */
export interface ReadableDocument {
  readonly definition: DocumentDefinition
  readonly parameters: readonly string[]
  /** Those of the company. */
  readonly valueLists: Pick<ValueLists, 'wordsOf'>
}

/** A mistake of the agent, in the words of the service. */
export class ToolError extends Error {
  /** Whether the same call may succeed later. */
  readonly isRetryable: boolean

  constructor(message: string, isRetryable = false) {
    super(message)
    this.isRetryable = isRetryable
  }
}

/** Answers after which the same call may succeed later. */
export const RETRYABLE: ReadonlySet<number> = new Set([429, 503])
