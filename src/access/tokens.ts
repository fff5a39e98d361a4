// Tokens: issued for a client, verified once and then remembered until they expire.
import { type JWTPayload, jwtVerify, SignJWT } from 'jose'
import { LRUCache } from 'lru-cache'
import type { Clock } from '../base/clock.ts'
import type { Caller } from './caller.ts'
import type { Directory, ForeignSubject } from './directory.ts'
import { ForeignKeys } from './foreign-keys.ts'
import { isFitSubject } from './foreign-users.ts'
import { type KeyRing, MAX_TOKEN_AGE_SECONDS } from './keys.ts'
import { readTokenText, type TokenText } from './token-text.ts'

export const ISSUER = 'urn:tabularium'
export const AUDIENCE = 'urn:tabularium:records'
export const TOKEN_LIFETIME_SECONDS = 3_600
const CLOCK_SKEW_SECONDS = 30
const REMEMBERED_TOKENS = 10_000
/** In characters: a foreign token may be long. */
const REMEMBERED_TEXTS = 8_000_000

/** Of foreign access tokens (RFC 7519, 9068). Others, such as those that tell of a logout, are no right to call. */
const FOREIGN_TYPES = ['jwt', 'at+jwt']

/** Where the caller of a verified token is looked up, each time anew: a right that was taken away is gone at once. */
type Subject = { readonly expiresAtMs: number } & (
  | { readonly kind: 'client'; readonly id: string; readonly kid: string }
  | ({ readonly kind: 'user' } & ForeignSubject)
)

export class Tokens {
  readonly #keys: KeyRing
  readonly #directory: Directory
  readonly #clock: Clock
  readonly #verified = new LRUCache<string, Subject>({
    max: REMEMBERED_TOKENS,
    maxSize: REMEMBERED_TEXTS,
    sizeCalculation: (_subject, token) => token.length + 1,
  })
  readonly #foreignKeys = new ForeignKeys()

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
    try {
      const text = readTokenText(token)
      const isOwn = text.claims.iss === ISSUER
      const subject = isOwn ? await this.#verifyOwn(token, text) : await this.#verifyForeign(token, text)
      if (!subject) return undefined
      this.#verified.set(token, subject)
      return this.#callerOf(subject)
    } catch {
      // Every way in which a token can be wrong is answered alike (the specification's 401).
      return undefined
    }
  }

  async #verifyOwn(token: string, { header: { kid } }: TokenText): Promise<Subject | undefined> {
    const found = typeof kid === 'string' ? await this.#keys.verifying(kid) : undefined
    if (!found) return undefined
    const { payload } = await jwtVerify(token, found.key, {
      ...this.#checks(ISSUER, AUDIENCE, [found.alg]),
      typ: 'at+jwt',
    })
    const { client_id: id } = payload
    return typeof id === 'string' ? { kind: 'client', id, kid: found.kid, expiresAtMs: endOf(payload) } : undefined
  }

  async #verifyForeign(token: string, { header, claims }: TokenText): Promise<Subject | undefined> {
    const issuer = typeof claims.iss === 'string' ? this.#directory.findIssuer(claims.iss) : undefined
    if (!issuer || !isAccessToken(header.typ)) return undefined
    const checks = this.#checks(issuer.issuer, issuer.audience, [...issuer.algorithms])
    const { payload } = await jwtVerify(token, this.#foreignKeys.at(issuer.keySet), checks)
    const userId = payload[issuer.userClaim]
    const { sub: subject = userId } = payload
    if (typeof userId !== 'string' || !isFitSubject(subject)) return undefined
    return { kind: 'user', issuer, userId, subject, expiresAtMs: endOf(payload) }
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

  /** Nothing when the key or the issuer is not trusted any more. */
  #callerOf(subject: Subject): Caller | undefined {
    if (subject.kind === 'client') {
      return this.#keys.verifies(subject.kid) ? this.#directory.callerOfClient(subject.id) : undefined
    }
    const { issuer } = subject
    return this.#directory.findIssuer(issuer.issuer) === issuer ? this.#directory.callerOfForeign(subject) : undefined
  }
}

function isAccessToken(type: unknown): boolean {
  if (type === undefined) return true
  return typeof type === 'string' && FOREIGN_TYPES.includes(type.toLowerCase().replace(/^application\//, ''))
}

/** A verified token is remembered no longer than it would be verified anew: to its end, or to its most age. */
function endOf({ exp = 0, iat = 0 }: JWTPayload): number {
  return (Math.min(exp, iat + MAX_TOKEN_AGE_SECONDS) + CLOCK_SKEW_SECONDS) * 1000
}
