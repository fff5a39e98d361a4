// Tokens made by hand, byte by byte: what a library would never write is what a forger sends.
import { createHmac, type KeyObject, sign } from 'node:crypto'

export type Json = Record<string, unknown>

/** Somebody whose tokens the service takes, with the private key: what is wrong with a forgery is then one thing alone. */
export interface Signer {
  readonly name: string
  readonly algorithm: 'ES256' | 'RS256'
  readonly privateKey: KeyObject
  readonly publicKey: KeyObject
  /** Of a good token. */
  readonly header: Json
  readonly claims: Json
  /** The claim that names the caller. */
  readonly idClaim: string
}

export interface Forgery {
  /** What is wrong with it. */
  readonly name: string
  readonly token: string
}

export const encoded = (bytes: string | Buffer): string => Buffer.from(bytes as string).toString('base64url')

/** A token of these texts, whatever they are, signed as its signer would. */
export function signedTexts(signer: Signer, header: string | Buffer, claims: string | Buffer): string {
  const signedPart = `${encoded(header)}.${encoded(claims)}`
  return `${signedPart}.${encoded(signatureOf(signer.algorithm, signer.privateKey, signedPart))}`
}

/** A good token but for what is changed; `undefined` leaves a member out. */
export function signedToken(
  signer: Signer,
  { header = {}, claims = {} }: { header?: Json; claims?: Json } = {},
): string {
  return signedTexts(
    signer,
    JSON.stringify({ ...signer.header, ...header }),
    JSON.stringify({ ...signer.claims, ...claims }),
  )
}

/** The two parts that are signed, with a signature of somebody else's. */
export function tokenWith(header: Json, claims: Json, signature: (signedPart: string) => Buffer | string): string {
  const signedPart = `${encoded(JSON.stringify(header))}.${encoded(JSON.stringify(claims))}`
  return `${signedPart}.${encoded(signature(signedPart))}`
}

export function signatureOf(algorithm: string, key: KeyObject | Buffer, signedPart: string): Buffer {
  const data = Buffer.from(signedPart)
  const hash = `sha${algorithm.slice(2)}`
  if (Buffer.isBuffer(key)) return createHmac(hash, key).update(data).digest()
  if (algorithm.startsWith('ES')) return sign(hash, data, { key, dsaEncoding: 'ieee-p1363' })
  if (algorithm.startsWith('PS')) return sign(hash, data, { key, padding: 6, saltLength: -1 })
  return sign(algorithm === 'EdDSA' ? null : hash, data, key)
}

/** The JSON text of an object in which a member stands twice. */
export function textWithTwo(object: Json, name: string, other: unknown, otherFirst: boolean): string {
  const { [name]: own, ...rest } = object
  const members = Object.entries(rest).map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`)
  const two = [own, other].map((value) => `${JSON.stringify(name)}:${JSON.stringify(value)}`)
  return `{${[...members, ...(otherFirst ? two.reverse() : two)].join(',')}}`
}
