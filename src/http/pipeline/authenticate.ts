// Authentication: a bearer token, or a client's id and secret by HTTP Basic (decision 7).
import type { IncomingMessage } from 'node:http'
import type { AddressLimits } from '../../access/address-limits.ts'
import { Caller } from '../../access/caller.ts'
import type { ClientSecrets } from '../../access/client-secrets.ts'
import { Denial } from '../../access/denial.ts'
import type { Directory } from '../../access/directory.ts'
import type { PresentedSession } from '../../access/presented-session.ts'
import type { Tokens } from '../../access/tokens.ts'
import { orUndefined } from '../../base/thrown.ts'
import type { TrustedProxies } from '../../base/trusted-proxies.ts'
import { invalidToken } from '../../errors/catalogue.ts'
import type { PlainRequest } from '../route/plain-request.ts'
import { originOf } from './origin.ts'

const BASIC_CHALLENGE = 'Basic realm="Tabularium", charset="UTF-8"'
/** RFC 6750, 3.1. Of a token without a valid signature, the text is the same whatever is wrong. */
const INVALID_TOKEN_CHALLENGE =
  'Bearer error="invalid_token", error_description="The access token is malformed, expired, revoked or not for this service."'
const EXPIRED_TOKEN_CHALLENGE = 'Bearer error="invalid_token", error_description="The access token has expired."'
const NO_CREDENTIALS = new Denial('no credentials')
const UNKNOWN_SCHEME = new Denial('the scheme of the credentials is not accepted')
const MALFORMED = new Denial('the credentials are malformed')

/** Where sessions are known: kept out of this module, which knows no database. */
export interface SessionChecks {
  /** What a request of the console's own pages carries; undefined for any other. */
  presentedIn(request: IncomingMessage): PresentedSession | undefined
  verify(session: PresentedSession): Promise<Caller | Denial>
}

export interface Identity {
  readonly tokens: Tokens
  readonly secrets: ClientSecrets
  readonly directory: Directory
  readonly addressLimits: AddressLimits
  readonly proxies: TrustedProxies
  /**
   * Where the resource is described that these tokens alone open (RFC 9728), for its challenges; Basic does not open
   * it. Absent: the tokens, or Basic, open the records.
   */
  readonly metadataPath?: string
  /** Absent: sessions do not open it. */
  readonly sessions?: SessionChecks
}

/** The authenticated caller; throws on a public route, where there may be none. */
export function callerOf({ caller }: Pick<PlainRequest, 'caller'>): Caller {
  if (!caller) throw new Error('a protected route was reached without a caller')
  return caller
}

/** The caller of a token that was verified before; synchronous. */
export function findKnownCaller(identity: Identity, authorization: string | undefined): Caller | undefined {
  const token = credentialsFor('bearer', authorization)
  return token === undefined ? undefined : identity.tokens.findCached(token)
}

/** What a request carries to identify its caller. */
export interface Credentials {
  readonly authorization: string | undefined
  /** The client's IP address; wrong secrets are counted by it. */
  readonly address: string
  /** Parameters of the challenge. */
  readonly challenge?: string
  readonly session?: PresentedSession | undefined
}

export function credentialsOf(
  { proxies, metadataPath, sessions }: Identity,
  { raw }: Pick<PlainRequest, 'raw'>,
): Credentials {
  const { authorization } = raw.headers
  const session = authorization === undefined ? sessions?.presentedIn(raw) : undefined
  const credentials = { authorization, address: addressOf(proxies, raw), session }
  if (metadataPath === undefined) return credentials
  return { ...credentials, challenge: `resource_metadata="${originOf(proxies, raw)}${metadataPath}"` }
}

/** The client's IP address: behind trusted proxies, the one that they have forwarded the request for. */
export function addressOf(proxies: TrustedProxies, { socket, headers }: IncomingMessage): string {
  return proxies.clientOf(socket.remoteAddress ?? '', headers['x-forwarded-for'] as string | undefined)
}

/**
 * The caller of an `Authorization` header. Throws 401 whatever is wrong with it, and 429 after too many such requests.
 */
export async function authenticate(identity: Identity, credentials: Credentials): Promise<Caller> {
  const { authorization, address } = credentials
  const basic = acceptsBasic(identity) ? credentialsFor('basic', authorization) : undefined
  const token = credentialsFor('bearer', authorization)
  const { session } = credentials
  const verified = await verify(identity, { basic, token, authorization, address, session })
  if (verified instanceof Caller) return verified
  identity.addressLimits.count(authorization === undefined ? 'anonymous' : 'failed', address)
  const refused = verified.isExpired ? EXPIRED_TOKEN_CHALLENGE : INVALID_TOKEN_CHALLENGE
  const bearer = token === undefined ? 'Bearer' : refused
  // A challenge by Basic would make the browser ask for a secret.
  if (session) throw invalidToken('Bearer', verified.reason)
  throw invalidToken(challengesOf(identity, withParameter(bearer, credentials.challenge)), verified.reason)
}

interface Presented extends Credentials {
  readonly basic: string | undefined
  readonly token: string | undefined
}

async function verify(
  identity: Identity,
  { basic, token, authorization, address, session }: Presented,
): Promise<Caller | Denial> {
  if (session && identity.sessions) return identity.sessions.verify(session)
  if (basic !== undefined) return verifyBasic(identity, basic, address)
  if (token !== undefined) return identity.tokens.verify(token)
  return authorization === undefined ? NO_CREDENTIALS : UNKNOWN_SCHEME
}

/** Admits a request to a public route. Throws 429 if its address has sent too many, unless it has valid credentials. */
export async function admitAnonymous(identity: Identity, credentials: Credentials): Promise<Caller | undefined> {
  try {
    identity.addressLimits.count('anonymous', credentials.address)
    return undefined
  } catch (rejection) {
    return await authenticate(identity, credentials).catch(() => {
      throw rejection
    })
  }
}

function acceptsBasic({ directory, metadataPath }: Identity): boolean {
  return directory.basicAllowed && metadataPath === undefined
}

function withParameter(challenge: string, parameter: string | undefined): string {
  if (parameter === undefined) return challenge
  return challenge === 'Bearer' ? `Bearer ${parameter}` : `${challenge}, ${parameter}`
}

/** `WWW-Authenticate` with every scheme that is accepted (RFC 9110, 11.6.1). */
export function challengesOf(identity: Identity, bearer = 'Bearer'): string {
  return acceptsBasic(identity) ? `${bearer}, ${BASIC_CHALLENGE}` : bearer
}

/**
 * The caller of Basic credentials (RFC 7617), or what is wrong with them. `isForm`: id and secret may be form-encoded
 * before (RFC 6749, 2.3.1); many clients do so, and many do not, so both are read.
 */
export async function verifyBasic(
  identity: Identity,
  encoded: string,
  address: string,
  isForm = false,
): Promise<Caller | Denial> {
  const bytes = Buffer.from(encoded, 'base64')
  // Only the canonical base64 (RFC 4648, 3.5) is accepted, as for tokens: a proxy could read another one differently.
  if (bytes.toString('base64') !== encoded) return MALFORMED
  const credentials = bytes.toString('utf8')
  const colon = credentials.indexOf(':')
  if (colon < 1) return MALFORMED
  const [id, secret] = [credentials.slice(0, colon), credentials.slice(colon + 1)]
  if (!isForm) return identity.secrets.verify(id, secret, address)
  const clientId = identity.directory.findClient(id) ? id : formDecoded(id)
  return identity.secrets.verify(clientId, secret, address, formDecoded(secret))
}

/** As it is where it is not form-encoded. */
function formDecoded(text: string): string {
  return orUndefined(() => decodeURIComponent(text.replaceAll('+', ' '))) ?? text
}

/**
 * The credentials in an `Authorization` header, if it has this scheme. Only spaces separate the two (RFC 9110, 11.4):
 * any other whitespace belongs to the credentials.
 */
export function credentialsFor(scheme: 'basic' | 'bearer', authorization: string | undefined): string | undefined {
  let start = scheme.length
  if (authorization?.[start] !== ' ' || authorization.slice(0, start).toLowerCase() !== scheme) return undefined
  while (authorization[start] === ' ') start += 1
  return authorization.slice(start)
}
