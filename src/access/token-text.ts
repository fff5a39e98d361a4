// The text of a token, read as strictly as it can be before anything in it is believed.
import { decodeUtf8, isObject, type JsonObject, parseJson } from '../base/strict-json.ts'

/** More than any issuer puts in one. */
const MAX_TOKEN_BYTES = 8 * 1024
/** Extensions of how a token is to be read (RFC 7515, 7516, 7797): none is understood here. */
const EXTENSIONS = ['crit', 'b64', 'zip']

export interface TokenText {
  readonly header: JsonObject
  readonly claims: JsonObject
}

/**
 * Header and claims, not verified yet. Throws when two readers could understand the token differently: each part has one
 * spelling (base64 leaves others, with padding or idle bits), each name one value.
 */
export function readTokenText(token: string): TokenText {
  if (token.length > MAX_TOKEN_BYTES) throw new Error('the token is too long')
  const [header, claims, signature, ...more] = token.split('.').map(decodePart)
  if (!header || !claims || !signature || more.length > 0) throw new Error('the token has not three parts')
  const read = { header: readObject(header), claims: readObject(claims) }
  if (EXTENSIONS.some((name) => name in read.header)) throw new Error('the token has extensions')
  return read
}

function decodePart(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64url')
  if (text === '' || bytes.toString('base64url') !== text) throw new Error('a part of the token is no base64url')
  return bytes
}

function readObject(bytes: Buffer): JsonObject {
  const value = parseJson(decodeUtf8(bytes))
  if (!isObject(value)) throw new Error('a part is no object')
  return value
}
