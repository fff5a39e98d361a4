// `POST /oauth/token`: OAuth 2.0 client credentials (RFC 6749, 4.4), and the key set that verifies what it issues. Who
// looks for a page to sign in is told that there is none.
import { parse } from 'node:querystring'
import { Caller } from '../../access/caller.ts'
import { Denial } from '../../access/denial.ts'
import type { KeyRing } from '../../access/keys.ts'
import { AGENT_SCOPES, agentScopes } from '../../access/token-scopes.ts'
import { TOKEN_LIFETIME_SECONDS } from '../../access/tokens.ts'
import { Problem } from '../../errors/problem.ts'
import {
  type Credentials,
  challengesOf,
  credentialsFor,
  credentialsOf,
  type Identity,
  verifyBasic,
} from '../pipeline/authenticate.ts'
import { bodyBytes, jsonReaders, readBody } from '../pipeline/json-body.ts'
import { originOf } from '../pipeline/origin.ts'
import { recordOf } from '../pipeline/request-record.ts'
import type { PlainRequest } from '../route/plain-request.ts'
import type { Reply } from '../route/send.ts'
import type { Router } from '../router.ts'
import { AGENT_PATH } from './oauth-metadata.ts'

const FORM_LIMIT_BYTES = 8 * 1024
const readForm = async ({ raw }: PlainRequest) => parse((await bodyBytes(raw, FORM_LIMIT_BYTES)).toString())
const READERS = new Map([
  ...jsonReaders(FORM_LIMIT_BYTES),
  ['application/x-www-form-urlencoded', readForm],
  ['', readForm],
])
const NO_CLIENT = new Denial('no client id and secret')

interface TokenParts {
  readonly identity: Identity
  readonly agents: Identity
}

export function tokenRoutes(router: Router, basePath: string, parts: TokenParts, keys: KeyRing): void {
  const { identity } = parts
  router.openUnread('/oauth/token', async (request) => {
    try {
      const form = ((await readBody(request, READERS)) ?? {}) as Form
      return await issued(parts, request, form, originOf(identity.proxies, request.raw) + basePath)
    } catch (error) {
      // Whose request it is stands in its body: only when it was refused it is known to be a stranger's.
      const isFailed = error instanceof Problem && error.status === 401
      const { address } = credentialsOf(identity, request)
      identity.addressLimits.count(isFailed ? 'failed' : 'anonymous', address)
      throw error
    }
  })
  router.open('GET', '/oauth/authorize', () => {
    const reason = 'nobody signs in here: POST /oauth/token with grant_type=client_credentials, an id and a secret'
    throw oauthError('unsupported_response_type', reason)
  })
  router.open('GET', '/.well-known/jwks.json', () => ({ status: 200, body: JSON.stringify(keys.published()) }))
}

type Form = Readonly<Record<string, unknown>>

async function issued(
  { identity, agents }: TokenParts,
  request: PlainRequest,
  form: Form,
  base: string,
): Promise<Reply> {
  const caller = await requireClient(identity, request, form)
  recordOf(request.response).caller = caller
  const { isForAgents, scope } = wantedOf(form, base)
  const { tokens } = isForAgents ? agents : identity
  const answer = {
    access_token: await tokens.issue(caller.clientId, scope),
    token_type: 'Bearer',
    expires_in: TOKEN_LIFETIME_SECONDS,
    scope,
  }
  return { status: 200, body: JSON.stringify(answer), headers: { pragma: 'no-cache' } }
}

/**
 * What a token is asked for: the records, or the tools of agents as the `resource` (RFC 8707) with a scope. Throws 400
 * for anything else. The scope of a token for records was always ignored: the roles of the user decide.
 */
function wantedOf({ resource, scope = '' }: Form, base: string): { isForAgents: boolean; scope: string } {
  if (resource === undefined || resource === base || resource === `${base}/`) return { isForAgents: false, scope: '' }
  const agentResource = base + AGENT_PATH
  if (resource !== agentResource) throw oauthError('invalid_target', `resource must be ${agentResource} or left out`)
  const scopes = typeof scope === 'string' ? agentScopes(scope) : undefined
  if (!scopes) throw oauthError('invalid_scope', `scope must name some of ${AGENT_SCOPES.join(' and ')}`)
  return { isForAgents: true, scope: scopes.join(' ') }
}

async function requireClient(identity: Identity, request: PlainRequest, form: Form): Promise<Caller> {
  if (form.grant_type === undefined)
    throw oauthError('invalid_request', 'grant_type is missing: send client_credentials')
  if (form.grant_type !== 'client_credentials') {
    throw oauthError('unsupported_grant_type', 'only client_credentials is supported')
  }
  const verified = await verifyClient(identity, credentialsOf(identity, request), form)
  if (verified instanceof Caller) return verified
  throw invalidClient(identity, verified.reason)
}

/** Accepts id and secret in the form or by Basic, but not both (RFC 6749, 2.3). */
async function verifyClient(
  identity: Identity,
  { authorization, address }: Credentials,
  form: Form,
): Promise<Caller | Denial> {
  const { client_id: id, client_secret: secret } = form
  if (authorization !== undefined) {
    if (secret !== undefined) throw oauthError('invalid_request', 'send the secret in the form or by Basic, not both')
    const basic = credentialsFor('basic', authorization)
    return basic === undefined ? NO_CLIENT : verifyBasic(identity, basic, address, true)
  }
  return typeof id === 'string' && typeof secret === 'string' ? identity.secrets.verify(id, secret, address) : NO_CLIENT
}

/** The error format of OAuth (RFC 6749, 5.2) together with that of this interface. */
function oauthError(error: string, description: string): Problem {
  const body = { code: 1010, message: description, error, error_description: description }
  return new Problem(400, 1010, body, description, { reason: description })
}

function invalidClient(identity: Identity, reason: string): Problem {
  const body = {
    statusCode: 401,
    message: 'Invalid JWT.',
    error: 'invalid_client',
    error_description: 'the client id or secret is wrong',
  }
  return new Problem(401, undefined, body, 'wrong client id or secret', {
    headers: { 'www-authenticate': challengesOf(identity) },
    reason,
  })
}
