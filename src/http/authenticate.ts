// Who is calling: a bearer token, or a client's id and secret by HTTP Basic (decision 7).

import type { FastifyRequest } from 'fastify'
import type { Caller } from '../access/caller.ts'
import type { ClientSecrets } from '../access/client-secrets.ts'
import type { Directory } from '../access/directory.ts'
import type { Strangers } from '../access/strangers.ts'
import type { Tokens } from '../access/tokens.ts'
import { invalidToken } from '../errors/catalogue.ts'

const BASIC = 'Basic realm="Tabularium", charset="UTF-8"'
/** RFC 6750, 3.1: the same words whatever is wrong with a token. */
const REFUSED_BEARER =
  'Bearer error="invalid_token", error_description="The access token is malformed, expired, revoked or not for this service."'

export interface Identity {
  readonly tokens: Tokens
  readonly secrets: ClientSecrets
  readonly directory: Directory
  readonly strangers: Strangers
}

/** The caller when that is known without waiting: a token that was verified before. */
export function findKnownCaller(identity: Identity, authorization: string | undefined): Caller | undefined {
  const token = givenBy('bearer', authorization)
  return token === undefined ? undefined : identity.tokens.findRemembered(token)
}

/** What a request says of its caller. */
export interface Credentials {
  readonly authorization: string | undefined
  /** Where it comes from: wrong secrets are counted by it. */
  readonly address: string
}

export function credentialsOf({ headers, ip }: FastifyRequest): Credentials {
  return { authorization: headers.authorization, address: ip }
}

/** The caller of an `Authorization` header. Throws 401 whatever is wrong with it, and 429 after too many such requests. */
export async function authenticate(identity: Identity, { authorization, address }: Credentials): Promise<Caller> {
  const basic = identity.directory.basicAllowed ? givenBy('basic', authorization) : undefined
  const token = givenBy('bearer', authorization)
  const caller =
    basic !== undefined
      ? await verifyBasic(identity, basic, address)
      : token !== undefined && (await identity.tokens.verify(token))
  if (caller) return caller
  identity.strangers.count(authorization === undefined ? 'anonymous' : 'failed', address)
  throw invalidToken(challengesOf(identity, token === undefined ? 'Bearer' : REFUSED_BEARER))
}

/** A request that needs no caller. Throws 429 when its address has sent too many, unless it is a caller's all the same. */
export async function admitStranger(identity: Identity, credentials: Credentials): Promise<Caller | undefined> {
  try {
    identity.strangers.count('anonymous', credentials.address)
    return undefined
  } catch (refusal) {
    return await authenticate(identity, credentials).catch(() => {
      throw refusal
    })
  }
}

/** `WWW-Authenticate` with every scheme that is accepted (RFC 9110, 11.6.1). */
export function challengesOf({ directory }: Identity, bearer = 'Bearer'): string {
  return directory.basicAllowed ? `${bearer}, ${BASIC}` : bearer
}

/** The caller of Basic credentials (RFC 7617), or nothing when they are wrong. */
export async function verifyBasic(identity: Identity, encoded: string, address: string): Promise<Caller | undefined> {
  const bytes = Buffer.from(encoded, 'base64')
  // One spelling (RFC 4648, 3.5), as of tokens: what a proxy reads otherwise is no secret of ours.
  if (bytes.toString('base64') !== encoded) return undefined
  const credentials = bytes.toString('utf8')
  const colon = credentials.indexOf(':')
  if (colon < 1) return undefined
  return identity.secrets.verify(credentials.slice(0, colon), credentials.slice(colon + 1), address)
}

/**
 * What an `Authorization` header says behind a scheme, if that is its own. More blanks may follow the scheme (RFC 9110), and
 * nothing else: what is no blank belongs to the credentials.
 */
export function givenBy(scheme: 'basic' | 'bearer', authorization: string | undefined): string | undefined {
  let from = scheme.length
  if (authorization?.[from] !== ' ' || authorization.slice(0, from).toLowerCase() !== scheme) return undefined
  while (authorization[from] === ' ') from += 1
  return authorization.slice(from)
}
