// The keys that sign tokens: a private JWK set in a file, newest first. A rotation adds a new key in front and retains
// the old ones until every token that they signed has expired.

import { createPrivateKey, type KeyObject } from 'node:crypto'
import { existsSync, statSync } from 'node:fs'
import { type CryptoKey, calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose'
import type { Clock } from '../base/clock.ts'
import { getOrInsert } from '../base/memo.ts'
import { readText, saveDurably } from '../base/process/files.ts'
import { orUndefined } from '../base/thrown.ts'

const SIGNING_ALGORITHM = 'ES256'
/** The maximum lifetime of a token, after which a replaced key is no longer needed. */
export const MAX_TOKEN_AGE_SECONDS = 24 * 60 * 60
const ROTATE_AFTER_MS = 30 * 24 * 60 * 60 * 1000

interface SigningKey {
  readonly kid: string
  readonly alg: string
  readonly key: CryptoKey
}

export class KeyRing {
  readonly #file: string
  readonly #clock: Clock
  #keys: StoredKey[] = []
  #readAt = 0
  #imported = new Map<string, Promise<CryptoKey>>()

  private constructor(file: string, clock: Clock) {
    this.#file = file
    this.#clock = clock
  }

  /** Keys that the service manages: it creates the file if it is missing, and rotates the keys by age. */
  static async managed(file: string, clock: Clock): Promise<KeyRing> {
    const ring = new KeyRing(file, clock)
    if (existsSync(file)) ring.reload()
    else await ring.rotate()
    return ring
  }

  /** Keys that the administrator provides and rotates; the file is only read. */
  static provided(file: string, clock: Clock): KeyRing {
    const ring = new KeyRing(file, clock)
    ring.reload()
    return ring
  }

  /** Reads the file if it has changed. Throws if it is missing, others may read it or it has no usable key. */
  reload(): void {
    const stat = statSync(this.#file, { throwIfNoEntry: false })
    if (!stat)
      throw new Error(
        `${this.#file} is not there: it is the file of private keys that sign tokens, a JWK set; \`tabularium keys rotate --data FOLDER\` makes FOLDER/keys.json, which can be copied`,
      )
    if (stat.mtimeMs === this.#readAt) return
    if ((stat.mode & 0o077) !== 0)
      throw new Error(`${this.#file} holds private keys and must be readable by its owner only (chmod 600)`)
    this.#keys = parseKeys(readText(this.#file), this.#file)
    this.#readAt = stat.mtimeMs
    this.#imported = new Map()
  }

  /** Rotates if the newest key is a month old; returns the id of the new key, if any. */
  async rotateWhenDue(): Promise<string | undefined> {
    const newest = Date.parse(this.#keys[0]?.created ?? '')
    if (this.#clock().getTime() - newest < ROTATE_AFTER_MS) return undefined
    return this.rotate()
  }

  /** Adds a new key in front, drops those that no valid token needs, and saves the file. */
  async rotate(): Promise<string> {
    // Another process may have added one.
    if (existsSync(this.#file)) this.reload()
    const { privateKey } = await generateKeyPair(SIGNING_ALGORITHM, { extractable: true })
    const jwk = await exportJWK(privateKey)
    const kid = await calculateJwkThumbprint(jwk)
    // Read last: up to the next lines tokens are signed with the key before, which is needed for a day from then on.
    const created = this.#clock().toISOString()
    const key: StoredKey = { ...jwk, kid, alg: SIGNING_ALGORITHM, use: 'sig', created }
    const keys = [key, ...this.#keys.filter((_, index) => this.#mayStillVerify(index))]
    saveDurably(this.#file, JSON.stringify({ keys }, null, 2))
    this.#keys = keys
    this.#readAt = statSync(this.#file).mtimeMs
    return key.kid
  }

  async signing(): Promise<SigningKey> {
    const newest = this.#keys[0]
    if (!newest) throw new Error('there is no signing key')
    return { kid: newest.kid, alg: newest.alg, key: await this.#import(newest) }
  }

  /** The key of a token, if it is one of these. For an unknown id, a file that has changed is read again. */
  async verifying(kid: string): Promise<SigningKey | undefined> {
    if (!this.#find(kid)) this.reload()
    const found = this.#find(kid)
    return found && { kid, key: await this.#import(publicPart(found)), alg: found.alg }
  }

  /** Whether tokens signed with this key are still accepted. */
  verifies(kid: string): boolean {
    return this.#find(kid) !== undefined
  }

  /** The key set at `/.well-known/jwks.json`. */
  published(): { keys: JWK[] } {
    return { keys: this.#keys.filter((_, index) => this.#mayStillVerify(index)).map(publicPart) }
  }

  #find(kid: string): StoredKey | undefined {
    const index = this.#keys.findIndex((key) => key.kid === kid)
    return index >= 0 && this.#mayStillVerify(index) ? this.#keys[index] : undefined
  }

  /** A key has signed tokens only until its successor was created. */
  #mayStillVerify(index: number): boolean {
    const successor = this.#keys[index - 1]?.created
    return !successor || this.#clock().getTime() - Date.parse(successor) < MAX_TOKEN_AGE_SECONDS * 1000
  }

  #import(key: StoredKey): Promise<CryptoKey> {
    const name = `${key.kid} ${key.d ? 'private' : 'public'}`
    return getOrInsert(this.#imported, name, () => importJWK(key, key.alg) as Promise<CryptoKey>)
  }
}

// Reads the file of private keys, a JWK set, and checks that each key can sign with its algorithm.

export interface StoredKey extends JWK {
  kid: string
  alg: string
  /** When the key was created; optional in files of the administrator. */
  created?: string
}

const MIN_RSA_BITS = 2_048
/** The curve or key type that each algorithm requires. */
const CURVES: Readonly<Record<string, string>> = {
  ES256: 'prime256v1',
  ES384: 'secp384r1',
  ES512: 'secp521r1',
  EdDSA: 'ed25519',
  Ed25519: 'ed25519',
}

function publicPart(key: StoredKey): StoredKey {
  const { d, p, q, dp, dq, qi, k, oth, created, ...publicMembers } = key
  return { ...publicMembers, use: 'sig' }
}

/** Parses the file. Throws if a key cannot sign, with a message that reveals nothing of the content. */
export function parseKeys(text: string, file: string): StoredKey[] {
  const keys = keysIn(text)
  const unusable = keys.find((key) => !canSign(key))
  if (unusable || keys.length === 0) {
    throw new Error(
      `${file} must be a JWK set of private asymmetric keys, each with kid and alg that fit it (RSA: from ${MIN_RSA_BITS} bits), the signing one first`,
    )
  }
  return keys
}

function keysIn(text: string): StoredKey[] {
  try {
    const { keys } = JSON.parse(text) as { keys?: unknown }
    return Array.isArray(keys) ? keys : []
  } catch {
    // The parser's message would contain part of the text.
    return []
  }
}

function canSign(key: StoredKey): boolean {
  if (typeof key?.kid !== 'string' || key.kid === '' || typeof key.alg !== 'string') return false
  const { alg } = key
  return orUndefined(() => fits(createPrivateKey({ key: { ...key }, format: 'jwk' }), alg)) ?? false
}

function fits({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject, algorithm: string): boolean {
  if (/^[RP]S(256|384|512)$/.test(algorithm)) {
    return asymmetricKeyType === 'rsa' && (asymmetricKeyDetails?.modulusLength ?? 0) >= MIN_RSA_BITS
  }
  return (
    CURVES[algorithm] !== undefined && CURVES[algorithm] === (asymmetricKeyDetails?.namedCurve ?? asymmetricKeyType)
  )
}
