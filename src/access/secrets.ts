// Client secrets are kept only as scrypt hashes: `scrypt$N$r$p$salt$hash`, salt and hash in base64.
import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'

const N = 16_384
const R = 8
const P = 1
const SALT_BYTES = 16
const HASH_BYTES = 32
const MAX_MEMORY_BYTES = 256 * 1024 * 1024

/** Hashes a secret under a new random salt. */
export async function hashSecret(secret: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  const hash = await derive(secret, salt, HASH_BYTES, { N, r: R, p: P })
  return `scrypt$${N}$${R}$${P}$${salt.toString('base64')}$${hash.toString('base64')}`
}

/** Whether the secret is the one that was hashed; compares in constant time. A hash that cannot be read matches nothing. */
export async function verifySecret(secret: string, stored: string): Promise<boolean> {
  const [scheme, n, r, p, salt, hash] = stored.split('$')
  if (scheme !== 'scrypt' || !salt || !hash) return false
  const expected = Buffer.from(hash, 'base64')
  if (expected.length === 0) return false
  const found = await derive(secret, Buffer.from(salt, 'base64'), expected.length, {
    N: Number(n),
    r: Number(r),
    p: Number(p),
  })
  return timingSafeEqual(found, expected)
}

function derive(secret: string, salt: Buffer, length: number, cost: ScryptOptions): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(secret, salt, length, { ...cost, maxmem: MAX_MEMORY_BYTES }, (error, key) =>
      error ? reject(error) : resolve(key),
    )
  })
}
