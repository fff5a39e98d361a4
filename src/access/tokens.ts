// Tokens: issued for a client, verified once and then remembered until they expire.
import {
  createRemoteJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  type JWTPayload,
  type JWTVerifyGetKey,
  jwtVerify,
  SignJWT,
} from 'jose'
import { LRUCache } from 'lru-cache'
import type { Clock } from '../base/clock.ts'
import type { Caller } from './caller.ts'
import type { Directory, TrustedIssuer } from './directory.ts'
import { type KeyRing, MAX_TOKEN_AGE_SECONDS } from './keys.ts'

export const ISSUER = 'urn:tabularium'
export const AUDIENCE = 'urn:tabularium:records'
export const TOKEN_LIFETIME_SECONDS = 3_600
const MAX_TOKEN_BYTES = 8 * 1024
const CLOCK_SKEW_SECONDS = 30
const REMEMBERED_TOKENS = 10_000
const JWKS_TIMEOUT_MS = 5_000

/** Where the caller of a verified token is looked up, each time anew: a right that was taken away is gone at once. */
type Subject = { kind: 'client' | 'user'; id: string; expiresAtMs: number }

export class Tokens {
  readonly #keys: KeyRing
  readonly #directory: Directory
  readonly #clock: Clock
  readonly #verified = new LRUCache<string, Subject>({ max: REMEMBERED_TOKENS })
  readonly #foreignKeys = new Map<string, JWTVerifyGetKey>()

  constructor(keys: KeyRing, directory: Directory, clock: Clock) {
    this.#keys = keys
    this.#directory = directory
    this.#clock = clock
  }

  /** A signed access token (RFC 9068) for a client. */
  async issue(clientId: string): Promise<string> {
    const { kid, alg, key } = await this.#keys.signing()
    const now = Math.floor(this.#clock().getTime() / 1000)
    return new SignJWT({ client_id: clientId })
      .setProtectedHeader({ alg, kid, typ: 'at+jwt' })
      .setIssuer(ISSUER)
      .setAudience(AUDIENCE)
      .setSubject(clientId)
      .setIssuedAt(now)
      .setExpirationTime(now + TOKEN_LIFETIME_SECONDS)
      .sign(key)
  }

  /** The caller of a token that was verified before and still holds; the hot path, without a promise. */
  findRemembered(token: string): Caller | undefined {
    const subject = this.#verified.get(token)
    return subject && subject.expiresAtMs > this.#clock().getTime() ? this.#callerOf(subject) : undefined
  }

  /** The caller of a token, or nothing when it is not to be trusted, whatever the reason. */
  async verify(token: string): Promise<Caller | undefined> {
    if (token.length > MAX_TOKEN_BYTES) return undefined
    try {
      const issuer = decodeJwt(token).iss
      const subject = issuer === ISSUER ? await this.#verifyOwn(token) : await this.#verifyForeign(token, issuer)
      if (!subject) return undefined
      this.#verified.set(token, subject)
      return this.#callerOf(subject)
    } catch {
      // Every way in which a token can be wrong is answered alike (the specification's 401).
      return undefined
    }
  }

  async #verifyOwn(token: string): Promise<Subject | undefined> {
    const found = await this.#keys.verifying(decodeProtectedHeader(token).kid)
    if (!found) return undefined
    const { payload } = await jwtVerify(token, found.key, {
      ...this.#checks(ISSUER, AUDIENCE, [found.alg]),
      typ: 'at+jwt',
    })
    return subjectOf('client', payload, 'client_id')
  }

  async #verifyForeign(token: string, name: string | undefined): Promise<Subject | undefined> {
    const issuer = name === undefined ? undefined : this.#directory.findIssuer(name)
    if (!issuer) return undefined
    const checks = this.#checks(issuer.issuer, issuer.audience, [...issuer.algorithms])
    const { payload } = await jwtVerify(token, this.#keysOf(issuer), checks)
    return subjectOf('user', payload, issuer.userClaim)
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

  #keysOf(issuer: TrustedIssuer): JWTVerifyGetKey {
    let keys = this.#foreignKeys.get(issuer.keySet)
    if (!keys) {
      keys = createRemoteJWKSet(new URL(issuer.keySet), { timeoutDuration: JWKS_TIMEOUT_MS })
      this.#foreignKeys.set(issuer.keySet, keys)
    }
    return keys
  }

  #callerOf(subject: Subject): Caller | undefined {
    return subject.kind === 'client'
      ? this.#directory.callerOfClient(subject.id)
      : this.#directory.callerOfUser(subject.id)
  }
}

function subjectOf(kind: Subject['kind'], payload: JWTPayload, claim: string): Subject | undefined {
  const id = payload[claim]
  if (typeof id !== 'string' || payload.exp === undefined) return undefined
  return { kind, id, expiresAtMs: (payload.exp + CLOCK_SKEW_SECONDS) * 1000 }
}
