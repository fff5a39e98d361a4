// Issues tokens for clients and verifies tokens; verified ones are cached until they expire.
import {
  createRemoteJWKSet,
  customFetch,
  errors,
  type FetchImplementation,
  type JWTPayload,
  type JWTVerifyGetKey,
  jwtVerify,
  SignJWT,
} from 'jose'
import { LRUCache } from 'lru-cache'
import type { Clock } from '../base/clock.ts'
import { getOrInsert } from '../base/memo.ts'
import { decodeUtf8, isObject, type JsonObject, parseJson } from '../base/strict-json.ts'
import { orUndefined } from '../base/thrown.ts'
import type { Caller } from './caller.ts'
import { Denial } from './denial.ts'
import type { Directory, IssuerSubject } from './directory.ts'
import { isValidSubject } from './issuer-users.ts'
import { type KeyRing, MAX_TOKEN_AGE_SECONDS } from './keys.ts'
import { RECORDS_USE, type TokenUse } from './token-use.ts'

export const ISSUER = 'urn:tabularium'
export const TOKEN_LIFETIME_SECONDS = 3_600
const CLOCK_SKEW_SECONDS = 30
/** In characters, because tokens of trusted issuers may be long. */
const MAX_CACHED_CHARACTERS = 8_000_000

/** Accepted `typ` of tokens of trusted issuers (RFC 7519, 9068). Others, such as logout tokens, give no access. */
const ACCESS_TOKEN_TYPES = ['jwt', 'at+jwt']

/** What a verified token says. Its caller is looked up for each request, so that revoked permissions end at once. */
type Subject = { readonly expiresAtMs: number } & (
  | { readonly kind: 'client'; readonly id: string; readonly kid: string }
  | ({ readonly kind: 'user' } & IssuerSubject)
)

export class Tokens {
  readonly #keys: KeyRing
  readonly #directory: Directory
  readonly #clock: Clock
  readonly #use: TokenUse
  readonly #verified = new LRUCache<string, Subject>({
    maxSize: MAX_CACHED_CHARACTERS,
    sizeCalculation: (_subject, token) => token.length + 1,
  })
  /** The one that was asked for last: to compare it takes less than to look up a text of its length. */
  #last: { readonly token: string; readonly subject: Subject } | undefined
  readonly #keySetAt = issuerKeySets()

  /** `use`: what the tokens open. Those for another use are not accepted. */
  constructor(keys: KeyRing, directory: Directory, clock: Clock, use = RECORDS_USE) {
    this.#keys = keys
    this.#directory = directory
    this.#clock = clock
    this.#use = use
  }

  /** A signed access token (RFC 9068) for a client. `scope`: names with spaces between; empty if it has none. */
  async issue(clientId: string, scope = ''): Promise<string> {
    const { kid, alg, key } = await this.#keys.signing()
    const now = Math.floor(this.#clock().getTime() / 1000)
    return new SignJWT({ client_id: clientId, ...(scope === '' ? {} : { scope }) })
      .setProtectedHeader({ alg, kid, typ: 'at+jwt' })
      .setIssuer(ISSUER)
      .setAudience(this.#use.audience)
      .setSubject(clientId)
      .setIssuedAt(now)
      .setExpirationTime(now + TOKEN_LIFETIME_SECONDS)
      .sign(key)
  }

  /** The caller of a token that was verified before and is still valid; synchronous, because it is the hot path. */
  findCached(token: string): Caller | undefined {
    const subject = this.#last?.token === token ? this.#last.subject : this.#verified.get(token)
    if (!subject) return undefined
    if (this.#last?.subject !== subject) this.#last = { token, subject }
    return subject.expiresAtMs > this.#clock().getTime() ? this.#callerOf(subject) : undefined
  }

  /** The caller of a token, or what is wrong with it. */
  async verify(token: string): Promise<Caller | Denial> {
    try {
      const text = readTokenText(token)
      const isOwn = text.claims.iss === ISSUER
      const subject = isOwn ? await this.#verifyOwn(token, text) : await this.#verifyOfIssuer(token, text)
      const caller = this.#callerOf(subject)
      if (caller) this.#verified.set(token, subject)
      return caller ?? new Denial(this.#absenceOf(subject))
    } catch (error) {
      return denialOf(error)
    }
  }

  async #verifyOwn(token: string, { header: { kid } }: TokenText): Promise<Subject> {
    const found = typeof kid === 'string' ? await this.#keys.verifying(kid) : undefined
    if (!found) throw new TokenDefect('the token is signed with an unknown key')
    const { payload } = await jwtVerify(token, found.key, {
      ...this.#checks(ISSUER, this.#use.audience, [found.alg]),
      typ: 'at+jwt',
    })
    const { client_id: id } = payload
    if (typeof id !== 'string') throw new TokenDefect('the token names no client')
    return { kind: 'client', id, kid: found.kid, expiresAtMs: expiryOf(payload) }
  }

  async #verifyOfIssuer(token: string, { header, claims }: TokenText): Promise<Subject> {
    const issuer = typeof claims.iss === 'string' ? this.#directory.findIssuer(claims.iss) : undefined
    if (!issuer) throw new TokenDefect('the issuer of the token is not trusted')
    if (!isAccessToken(header.typ)) throw new TokenDefect('the type of the token is wrong')
    const audience = this.#use.audienceAt(issuer)
    if (audience === undefined) throw new TokenDefect('the issuer of the token is not trusted for this')
    const isForPeople = audience === issuer.signIn?.clientId
    if (isForPeople && isIdToken(header.typ, claims)) throw new TokenDefect('the token is an ID token')
    const checks = this.#checks(issuer.issuer, audience, [...issuer.algorithms])
    const { payload } = await jwtVerify(token, this.#keySetAt(issuer.keySet), checks)
    const userId = payload[issuer.userClaim]
    const { sub: subject = userId } = payload
    if (typeof userId !== 'string' || !isValidSubject(subject)) throw new TokenDefect('the token names no user')
    return { kind: 'user', issuer, userId, subject, expiresAtMs: expiryOf(payload) }
  }

  #absenceOf(subject: Subject): string {
    if (subject.kind === 'client') return this.#directory.absenceOf(subject.id)
    return 'the issuer may not name the user of the token, or there is no such user'
  }

  #checks(issuer: string, audience: string, algorithms: string[]) {
    return {
      issuer,
      audience,
      algorithms,
      clockTolerance: CLOCK_SKEW_SECONDS,
      maxTokenAge: MAX_TOKEN_AGE_SECONDS,
      requiredClaims: ['exp', 'iat'],
      currentDate: this.#clock(),
    }
  }

  /** Undefined if the key or the issuer is no longer trusted. */
  #callerOf(subject: Subject): Caller | undefined {
    if (subject.kind === 'client') {
      return this.#keys.verifies(subject.kid) ? this.#directory.callerOfClient(subject.id) : undefined
    }
    const { issuer } = subject
    return this.#directory.findIssuer(issuer.issuer) === issuer ? this.#directory.callerOfSubject(subject) : undefined
  }
}

function isAccessToken(type: unknown): boolean {
  if (type === undefined) return true
  return typeof type === 'string' && ACCESS_TOKEN_TYPES.includes(type.toLowerCase().replace(/^application\//, ''))
}

/** Claims of ID tokens (OpenID Connect Core, 2 and 3.3.2.11). */
const OF_ID_TOKENS = ['nonce', 'at_hash', 'c_hash', 's_hash', 'auth_time']

/**
 * Where the audience is the client that people sign in with, an ID token has it too. Its type is that of other tokens,
 * so it is known by its claims. In the claim `typ`, Keycloak says which of both a token is.
 */
function isIdToken(type: unknown, { typ, ...claims }: JsonObject): boolean {
  if (/^(?:application\/)?at\+jwt$/i.test(String(type)) || typ === 'Bearer') return false
  return typ === 'ID' || OF_ID_TOKENS.some((name) => name in claims)
}

/** The time until which a verification would succeed: the expiry, or the maximum age if that is earlier. */
function expiryOf({ exp = 0, iat = 0 }: JWTPayload): number {
  return (Math.min(exp, iat + MAX_TOKEN_AGE_SECONDS) + CLOCK_SKEW_SECONDS) * 1000
}

/** More than any issuer needs. */
const MAX_TOKEN_BYTES = 8 * 1024
/** Header parameters that change how a token is read (RFC 7515, 7516, 7797); none is supported. */
const EXTENSIONS = ['crit', 'b64', 'zip']

interface TokenText {
  readonly header: JsonObject
  readonly claims: JsonObject
}

/**
 * Header and claims, unverified. Throws if two parsers could read the token differently: each part must be canonical
 * base64url (no padding, no unused bits set), and each name must have one value.
 */
export function readTokenText(token: string): TokenText {
  if (token.length > MAX_TOKEN_BYTES) throw new TokenDefect('the token is too long')
  const [header, claims, signature, ...more] = token.split('.').map(decodePart)
  if (!header || !claims || !signature || more.length > 0) throw new TokenDefect('the token does not have three parts')
  const parsed = { header: parseObject(header), claims: parseObject(claims) }
  if (EXTENSIONS.some((name) => name in parsed.header)) throw new TokenDefect('the token has extensions')
  return parsed
}

function decodePart(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64url')
  if (text === '' || bytes.toString('base64url') !== text) throw new TokenDefect('a part of the token is not base64url')
  return bytes
}

function parseObject(bytes: Buffer): JsonObject {
  const value = orUndefined(() => parseJson(decodeUtf8(bytes)))
  if (!isObject(value)) throw new TokenDefect('a part of the token is no JSON object')
  return value
}

const TIMEOUT_MS = 5_000
const REST_AFTER_FAILURE_MS = 5_000

/**
 * The key sets of trusted issuers, fetched on demand and cached for ten minutes. Clients cannot force fetches by
 * sending tokens: an unknown key causes at most two per minute, and after a failed fetch there is none for a while.
 */
function issuerKeySets() {
  const byUrl = new Map<string, JWTVerifyGetKey>()
  return (url: string): JWTVerifyGetKey =>
    getOrInsert(byUrl, url, () =>
      createRemoteJWKSet(new URL(url), { timeoutDuration: TIMEOUT_MS, [customFetch]: throttledFetch() }),
    )
}

function throttledFetch(): FetchImplementation {
  let failedAt = Number.NEGATIVE_INFINITY
  return async (url, options) => {
    if (performance.now() - failedAt < REST_AFTER_FAILURE_MS)
      throw new TokenDefect('the key set of the issuer could not be fetched just now')
    const response = await fetch(url, options).catch(() => undefined)
    if (response?.ok) return response
    failedAt = performance.now()
    throw new TokenDefect('the key set of the issuer cannot be fetched')
  }
}

// What is wrong with a token, in words that repeat nothing of it.

/** A defect that is known before the signature is verified. */
class TokenDefect extends Error {}

const REASONS: Readonly<Record<string, string>> = {
  ERR_JWS_SIGNATURE_VERIFICATION_FAILED: 'the signature of the token is wrong',
  ERR_JOSE_ALG_NOT_ALLOWED: 'the algorithm of the token is not allowed',
  ERR_JOSE_NOT_SUPPORTED: 'the algorithm of the token is not allowed',
  ERR_JWKS_NO_MATCHING_KEY: 'the token is signed with an unknown key',
  ERR_JWKS_TIMEOUT: 'the key set of the issuer cannot be fetched',
}
const CLAIMS: Readonly<Record<string, string>> = { iss: 'issuer', aud: 'audience', typ: 'type', nbf: 'begin' }

function denialOf(error: unknown): Denial {
  if (error instanceof TokenDefect) return new Denial(error.message)
  // The claims are checked after the signature, and the times after issuer and audience.
  if (error instanceof errors.JWTExpired) return new Denial('the token has expired', true)
  if (error instanceof errors.JWTClaimValidationFailed) {
    return new Denial(`the ${CLAIMS[error.claim] ?? `claim ${error.claim}`} of the token is wrong`)
  }
  const code = error instanceof errors.JOSEError ? error.code : ''
  return new Denial(REASONS[code] ?? 'the token cannot be verified')
}
