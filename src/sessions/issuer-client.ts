// The service as a client of a company's issuer (OpenID Connect Core 1.0, PKCE of RFC 7636). openid-client is loaded by
// the first person who signs in so.
import { LRUCache } from 'lru-cache'
import type { Configuration } from 'openid-client'
import type { SignInIssuer } from '../access/issuer-users.ts'

/** What the browser keeps between leaving for the issuer and coming back. */
export interface SignInTransaction {
  readonly issuer: string
  readonly state: string
  readonly nonce: string
  readonly codeVerifier: string
  /** The address in the console that was asked for. */
  readonly to: string
}

/** Who has signed in, as the issuer says. */
type IssuerClaims = Readonly<Record<string, unknown>> & { readonly sub: string }

/** How long what an issuer says of itself is believed. */
const DISCOVERED_MS = 10 * 60_000
const TIMEOUT_SECONDS = 10
const MAX_ISSUERS = 100
const SCOPE = 'openid profile email'
const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])$/

export type IssuerClient = ReturnType<typeof issuerClient>

export function issuerClient(environment: NodeJS.ProcessEnv) {
  const configurations = new LRUCache<string, Configuration>({ max: MAX_ISSUERS, ttl: DISCOVERED_MS })

  const configurationOf = async ({ issuer, signIn }: SignInIssuer): Promise<Configuration> => {
    const key = JSON.stringify([issuer, signIn])
    const known = configurations.get(key)
    if (known) return known
    const library = await import('openid-client')
    const server = new URL(issuer)
    const isLocal = server.protocol === 'http:' && LOOPBACK.test(server.hostname)
    const secret = signIn.secretEnv === undefined ? undefined : environment[signIn.secretEnv]
    if (signIn.secretEnv !== undefined && !secret) throw new Error(`${signIn.secretEnv} is not set`)
    const authentication = secret === undefined ? library.None() : undefined
    const configuration = await library.discovery(server, signIn.clientId, secret, authentication, {
      timeout: TIMEOUT_SECONDS,
      execute: [library.enableNonRepudiationChecks, ...(isLocal ? [library.allowInsecureRequests] : [])],
    })
    configurations.set(key, configuration)
    return configuration
  }

  return {
    /** Where the browser goes, and what it keeps meanwhile. Throws if the issuer does not answer. */
    async begin(issuer: SignInIssuer, to: string): Promise<{ url: string; transaction: SignInTransaction }> {
      const library = await import('openid-client')
      const configuration = await configurationOf(issuer)
      const codeVerifier = library.randomPKCECodeVerifier()
      const [state, nonce] = [library.randomState(), library.randomNonce()]
      const url = library.buildAuthorizationUrl(configuration, {
        redirect_uri: issuer.signIn.redirectUri,
        scope: SCOPE,
        code_challenge: await library.calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
        state,
        nonce,
      })
      return { url: url.href, transaction: { issuer: issuer.issuer, state, nonce, codeVerifier, to } }
    },

    /** The claims of the id token, whose signature, issuer, audience, nonce and times are checked. Throws otherwise. */
    async end(issuer: SignInIssuer, transaction: SignInTransaction, query: string): Promise<IssuerClaims> {
      const library = await import('openid-client')
      const configuration = await configurationOf(issuer)
      const tokens = await library.authorizationCodeGrant(configuration, new URL(issuer.signIn.redirectUri + query), {
        pkceCodeVerifier: transaction.codeVerifier,
        expectedState: transaction.state,
        expectedNonce: transaction.nonce,
        idTokenExpected: true,
      })
      const claims = tokens.claims()
      if (!claims) throw new Error('the issuer has answered no id token')
      return claims
    },
  }
}
