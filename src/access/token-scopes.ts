// The scopes of tokens for agents (RFC 6749, 3.3). Tokens for records have none: the roles of the user decide alone.
import { readTokenText } from './tokens.ts'

export const AGENT_SCOPES = ['mcp:read', 'mcp:write'] as const
export type AgentScope = (typeof AGENT_SCOPES)[number]

/** The scope that is given when none is asked for. */
const DEFAULT_SCOPE: AgentScope = 'mcp:read'

/** The scopes that a text asks for, reading first; undefined if it names an unknown one. Writing includes reading. */
export function agentScopes(text: string): readonly AgentScope[] | undefined {
  const requested = text.split(' ').filter((name) => name !== '')
  if (!requested.every(isAgentScope)) return undefined
  return requested.includes('mcp:write') ? AGENT_SCOPES : [DEFAULT_SCOPE]
}

/**
 * The scopes of a token that was verified before: in `scope` (RFC 9068), or in `scp` as some issuers have it. Scopes of
 * other services are passed over.
 */
export function scopesIn(token: string): ReadonlySet<AgentScope> {
  const { scope, scp } = readTokenText(token).claims
  const named = typeof scope === 'string' ? scope : Array.isArray(scp) ? scp.join(' ') : String(scp ?? '')
  const ours = named.split(' ').filter(isAgentScope)
  return new Set(agentScopes(ours.join(' ')))
}

function isAgentScope(name: string): name is AgentScope {
  return (AGENT_SCOPES as readonly string[]).includes(name)
}
