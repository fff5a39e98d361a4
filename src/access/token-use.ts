// What tokens open: the records, or the tools of agents. A token for one does not open the other (RFC 8707).
import type { TrustedIssuer } from './issuer-users.ts'

export interface TokenUse {
  /** In `aud` of tokens of this service. */
  readonly audience: string
  /** In `aud` of tokens of a trusted issuer; undefined if they do not open it. */
  audienceAt(issuer: TrustedIssuer): string | undefined
}

export const AUDIENCE = 'urn:tabularium:records'

export const RECORDS_USE: TokenUse = { audience: AUDIENCE, audienceAt: ({ audience }) => audience }

export const AGENT_USE: TokenUse = { audience: 'urn:tabularium:mcp', audienceAt: ({ mcpAudience }) => mcpAudience }
