// Client secrets are stored only as scrypt hashes: `scrypt$N$r$p$salt$hash`, salt and hash in base64.
import { randomBytes, type ScryptOptions, scrypt, scryptSync, timingSafeEqual } from 'node:crypto'

export const MIN_SECRET_CHARACTERS = 8

const N = 16_384
const R = 8
const P = 1
const SALT_BYTES = 16
const HASH_BYTES = 32
const MAX_MEMORY_BYTES = 256 * 1024 * 1024
export const DEFAULT_COSTS = `${N}$${R}$${P}`
const COST: ScryptOptions = { N, r: R, p: P, maxmem: MAX_MEMORY_BYTES }

/** Hashes a secret under a new random salt. */
export async function hashSecret(secret: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  return encodedHash(salt, await derive(secret, { salt, length: HASH_BYTES, cost: COST }))
}

/** A hash that no secret matches, at the same costs as a real one. */
export function decoyHash(costs: string): string {
  return encodedHash(randomBytes(SALT_BYTES), randomBytes(HASH_BYTES), costs)
}

/** `N$r$p` of a hash: those of equal costs take equally long to check. */
export const costsOf = (storedHash: string): string => storedHash.split('$').slice(1, 4).join('$')

function encodedHash(salt: Buffer, hash: Buffer, costs = DEFAULT_COSTS): string {
  return `scrypt$${costs}$${salt.toString('base64')}$${hash.toString('base64')}`
}

/** Whether the secret matches the hash, compared in constant time. Nothing matches a malformed hash. */
export async function verifySecret(secret: string, storedHash: string): Promise<boolean> {
  const hashed = parseHash(storedHash)
  return (
    hashed !== undefined &&
    timingSafeEqual(await derive(secret, { ...hashed, length: hashed.expected.length }), hashed.expected)
  )
}

/** As `verifySecret`, but blocks the thread. */
export function verifySecretSync(secret: string, storedHash: string): boolean {
  const hashed = parseHash(storedHash)
  if (!hashed) return false
  const { salt, expected, cost } = hashed
  return timingSafeEqual(scryptSync(secret, salt, expected.length, cost), expected)
}

interface Hashed {
  readonly cost: ScryptOptions
  readonly salt: Buffer
  readonly expected: Buffer
}

function parseHash(storedHash: string): Hashed | undefined {
  const [scheme, n, r, p, salt, hash] = storedHash.split('$')
  if (scheme !== 'scrypt' || !salt || !hash) return undefined
  const expected = Buffer.from(hash, 'base64')
  if (expected.length === 0) return undefined
  return {
    cost: { N: Number(n), r: Number(r), p: Number(p), maxmem: MAX_MEMORY_BYTES },
    salt: Buffer.from(salt, 'base64'),
    expected,
  }
}

interface Derivation {
  readonly salt: Buffer
  readonly length: number
  readonly cost: ScryptOptions
}

function derive(secret: string, { salt, length, cost }: Derivation): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(secret, salt, length, cost, (error, key) => (error ? reject(error) : resolve(key)))
  })
}
