// Hand-made tokens, byte by byte: forgers send what no library would write.
import { createHmac, type KeyObject, sign } from 'node:crypto'

export type Json = Record<string, unknown>

/** An issuer whose tokens the service accepts, with its private key: a forgery then differs in one respect only. */
export interface Signer {
  readonly name: string
  readonly algorithm: 'ES256' | 'RS256'
  readonly privateKey: KeyObject
  readonly publicKey: KeyObject
  /** The header and claims of a good token. */
  readonly header: Json
  readonly claims: Json
  /** The claim that names the caller. */
  readonly idClaim: string
}

export interface Forgery {
  /** The error of the forged token. */
  readonly name: string
  readonly token: string
}

export const encoded = (bytes: string | Buffer): string => Buffer.from(bytes as string).toString('base64url')

/** A token of these texts, valid or not, signed as its signer would. */
export function signedTexts(signer: Signer, header: string | Buffer, claims: string | Buffer): string {
  const signedPart = `${encoded(header)}.${encoded(claims)}`
  return `${signedPart}.${encoded(signatureOf(signer.algorithm, signer.privateKey, signedPart))}`
}

/** A good token with changes; `undefined` removes a member. */
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

/** The two signed parts, with a signature made by another function. */
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

/** The JSON text of an object with a duplicate member. */
export function textWithTwo(object: Json, name: string, other: unknown, otherFirst: boolean): string {
  const { [name]: own, ...rest } = object
  const members = Object.entries(rest).map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`)
  const two = [own, other].map((value) => `${JSON.stringify(name)}:${JSON.stringify(value)}`)
  return `{${[...members, ...(otherFirst ? two.reverse() : two)].join(',')}}`
}
