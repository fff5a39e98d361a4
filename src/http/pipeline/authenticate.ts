// Authentication: a bearer token, or a client's id and secret by HTTP Basic (decision 7).

import type { FastifyRequest } from 'fastify'
import type { AddressLimits } from '../../access/address-limits.ts'
import type { Caller } from '../../access/caller.ts'
import type { Directory } from '../../access/directory.ts'
import type { ClientSecrets } from '../../access/secrets/client-secrets.ts'
import type { Tokens } from '../../access/tokens.ts'
import { invalidToken } from '../../errors/catalogue.ts'

const BASIC_CHALLENGE = 'Basic realm="Tabularium", charset="UTF-8"'
/** RFC 6750, 3.1. The text is the same whatever is wrong with the token. */
const INVALID_TOKEN_CHALLENGE =
  'Bearer error="invalid_token", error_description="The access token is malformed, expired, revoked or not for this service."'

export interface Identity {
  readonly tokens: Tokens
  readonly secrets: ClientSecrets
  readonly directory: Directory
  readonly addressLimits: AddressLimits
}

export type RequestWithCaller = FastifyRequest & { caller: Caller | undefined }

/** The authenticated caller; throws on a public route, where there may be none. */
export function callerOf({ caller }: RequestWithCaller): Caller {
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
}

export function credentialsOf({ headers, ip }: FastifyRequest): Credentials {
  return { authorization: headers.authorization, address: ip }
}

/**
 * The caller of an `Authorization` header. Throws 401 whatever is wrong with it, and 429 after too many such requests.
 */
export async function authenticate(identity: Identity, { authorization, address }: Credentials): Promise<Caller> {
  const basic = identity.directory.basicAllowed ? credentialsFor('basic', authorization) : undefined
  const token = credentialsFor('bearer', authorization)
  const caller =
    basic !== undefined
      ? await verifyBasic(identity, basic, address)
      : token !== undefined && (await identity.tokens.verify(token))
  if (caller) return caller
  identity.addressLimits.count(authorization === undefined ? 'anonymous' : 'failed', address)
  throw invalidToken(challengesOf(identity, token === undefined ? 'Bearer' : INVALID_TOKEN_CHALLENGE))
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

/** `WWW-Authenticate` with every scheme that is accepted (RFC 9110, 11.6.1). */
export function challengesOf({ directory }: Identity, bearer = 'Bearer'): string {
  return directory.basicAllowed ? `${bearer}, ${BASIC_CHALLENGE}` : bearer
}

/** The caller of Basic credentials (RFC 7617); undefined if they are wrong. */
export async function verifyBasic(identity: Identity, encoded: string, address: string): Promise<Caller | undefined> {
  const bytes = Buffer.from(encoded, 'base64')
  // Only the canonical base64 (RFC 4648, 3.5) is accepted, as for tokens: a proxy could read another one differently.
  if (bytes.toString('base64') !== encoded) return undefined
  const credentials = bytes.toString('utf8')
  const colon = credentials.indexOf(':')
  if (colon < 1) return undefined
  return identity.secrets.verify(credentials.slice(0, colon), credentials.slice(colon + 1), address)
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
