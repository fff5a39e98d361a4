// What programs look up before they ask for a token: the protected resource of agents (RFC 9728), and the
// authorization server (RFC 8414).
import { AGENT_SCOPES } from '../../access/token-scopes.ts'
import type { Identity } from '../pipeline/authenticate.ts'
import { originOf } from '../pipeline/origin.ts'
import type { Router } from '../router.ts'

/** The tools of agents, below the base path. */
export const AGENT_PATH = '/mcp'
const PROTECTED_RESOURCE = '/.well-known/oauth-protected-resource'
const AUTHORIZATION_SERVER = '/.well-known/oauth-authorization-server'

/** Where the resource is described: below the base path, since a proxy may forward nothing else. */
export function metadataPathBelow(basePath: string): string {
  return `${basePath}${PROTECTED_RESOURCE}${AGENT_PATH}`
}

/**
 * Declares both descriptions below the base path, and where the RFCs look for them by themselves: between the host and
 * the path of what is described.
 */
export function oauthMetadataRoutes(router: Router, basePath: string, identity: Identity): void {
  const declare = (paths: readonly string[], describe: (base: string) => unknown) => {
    for (const url of new Set(paths)) {
      router.openOutside(url, ({ raw }) => {
        const base = originOf(identity.proxies, raw) + basePath
        return { status: 200, body: JSON.stringify(describe(base)) }
      })
    }
  }
  declare([metadataPathBelow(basePath), `${PROTECTED_RESOURCE}${basePath}${AGENT_PATH}`], (base) => ({
    resource: base + AGENT_PATH,
    resource_name: 'Tabularium',
    authorization_servers: [base, ...identity.directory.agentIssuers],
    scopes_supported: AGENT_SCOPES,
    bearer_methods_supported: ['header'],
  }))
  declare([`${basePath}${AUTHORIZATION_SERVER}`, `${AUTHORIZATION_SERVER}${basePath}`], (base) => ({
    issuer: base,
    // Clients require one, though no grant uses it (RFC 8414, 2).
    authorization_endpoint: `${base}/oauth/authorize`,
    token_endpoint: `${base}/oauth/token`,
    jwks_uri: `${base}/.well-known/jwks.json`,
    scopes_supported: AGENT_SCOPES,
    response_types_supported: [],
    grant_types_supported: ['client_credentials'],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
  }))
}
