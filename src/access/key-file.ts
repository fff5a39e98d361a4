// Reads the file of private keys, a JWK set, and checks that each key can sign with its algorithm.
import { createPrivateKey, type KeyObject } from 'node:crypto'
import type { JWK } from 'jose'

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

export function publicPart(key: StoredKey): StoredKey {
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
  try {
    return fits(createPrivateKey({ key: { ...key }, format: 'jwk' }), key.alg)
  } catch {
    return false
  }
}

function fits({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject, algorithm: string): boolean {
  if (/^[RP]S(256|384|512)$/.test(algorithm)) {
    return asymmetricKeyType === 'rsa' && (asymmetricKeyDetails?.modulusLength ?? 0) >= MIN_RSA_BITS
  }
  return (
    CURVES[algorithm] !== undefined && CURVES[algorithm] === (asymmetricKeyDetails?.namedCurve ?? asymmetricKeyType)
  )
}
