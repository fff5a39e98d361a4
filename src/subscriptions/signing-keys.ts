// The keys that deliveries are signed with, in the forms of Standard Webhooks.
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto'
import type { SubscriptionDefinition, SubscriptionKey, SubscriptionKeys } from './subscription.ts'

/** Standard Webhooks asks for 24 to 64 bytes. */
const SECRET_BYTES = 32
const MIN_SECRET_BYTES = 24
const MAX_SECRET_BYTES = 64
const SEED_BYTES = 32

const SECRET_PREFIX = 'whsec_'
const PRIVATE_PREFIX = 'whsk_'
const PUBLIC_PREFIX = 'whpk_'

/** PKCS #8 of an Ed25519 key, without its seed of 32 bytes. */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex')

/** A new random key. `at` is the time of the write. */
export function newSigningKey(kind: SubscriptionDefinition['signature'], at: string): SubscriptionKey {
  if (kind === 'hmac') return { kind, madeAt: at, secret: randomBytes(SECRET_BYTES).toString('base64') }
  return ed25519Key(generateKeyPairSync('ed25519').privateKey, at)
}

function ed25519Key(privateKey: KeyObject, madeAt: string): SubscriptionKey {
  const point = createPublicKey(privateKey).export({ format: 'jwk' }).x ?? ''
  return {
    kind: 'ed25519',
    madeAt,
    privateKey: privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64'),
    publicKey: Buffer.from(point, 'base64url').toString('base64'),
  }
}

/**
 * The key of a text such as `whsec_...`, or `whsk_...` for Ed25519: the seed, with or without the public key after it.
 * Undefined if it is none.
 */
export function readSigningKey(
  kind: SubscriptionDefinition['signature'],
  text: string,
  at: string,
): SubscriptionKey | undefined {
  const prefix = kind === 'hmac' ? SECRET_PREFIX : PRIVATE_PREFIX
  const encoded = text.startsWith(prefix) ? text.slice(prefix.length) : ''
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(encoded)) return undefined
  const bytes = Buffer.from(encoded, 'base64')
  if (kind === 'hmac') {
    const isSound = bytes.length >= MIN_SECRET_BYTES && bytes.length <= MAX_SECRET_BYTES
    return isSound ? { kind, madeAt: at, secret: bytes.toString('base64') } : undefined
  }
  if (bytes.length !== SEED_BYTES && bytes.length !== 2 * SEED_BYTES) return undefined
  const key = Buffer.concat([PKCS8_HEAD, bytes.subarray(0, SEED_BYTES)])
  return ed25519Key(createPrivateKey({ key, format: 'der', type: 'pkcs8' }), at)
}

/** What the receiver verifies with, shown once; empty for Ed25519, whose receiver needs the public key alone. */
export function secretText(key: SubscriptionKey): string {
  return key.kind === 'hmac' ? SECRET_PREFIX + key.secret : ''
}

/** Empty for HMAC, which has no public key. */
export function publicKeyText(key: SubscriptionKey): string {
  return key.kind === 'ed25519' ? PUBLIC_PREFIX + key.publicKey : ''
}

/** How long the previous key signs after a rotation that does not say it. */
export const DEFAULT_ROTATION_MS = 86_400_000

/** The keys after a rotation: both sign until the previous one ends. */
export function rotated({ current }: SubscriptionKeys, next: SubscriptionKey, until: string): SubscriptionKeys {
  return { current: next, previous: { key: current, until } }
}

/** Whether two keys sign alike, whenever they were made. */
export function isSameKey(one: SubscriptionKey, other: SubscriptionKey): boolean {
  if (one.kind === 'hmac') return other.kind === 'hmac' && one.secret === other.secret
  return other.kind === 'ed25519' && one.privateKey === other.privateKey
}
