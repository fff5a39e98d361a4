// Parses the text of a token strictly, before its signature is verified.
import { decodeUtf8, isObject, type JsonObject, parseJson } from '../base/strict-json.ts'

/** More than any issuer needs. */
const MAX_TOKEN_BYTES = 8 * 1024
/** Header parameters that change how a token is read (RFC 7515, 7516, 7797); none is supported. */
const EXTENSIONS = ['crit', 'b64', 'zip']

export interface TokenText {
  readonly header: JsonObject
  readonly claims: JsonObject
}

/**
 * Header and claims, unverified. Throws if two parsers could read the token differently: each part must be canonical
 * base64url (no padding, no unused bits set), and each name must have one value.
 */
export function readTokenText(token: string): TokenText {
  if (token.length > MAX_TOKEN_BYTES) throw new Error('the token is too long')
  const [header, claims, signature, ...more] = token.split('.').map(decodePart)
  if (!header || !claims || !signature || more.length > 0) throw new Error('the token does not have three parts')
  const parsed = { header: parseObject(header), claims: parseObject(claims) }
  if (EXTENSIONS.some((name) => name in parsed.header)) throw new Error('the token has extensions')
  return parsed
}

function decodePart(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64url')
  if (text === '' || bytes.toString('base64url') !== text) throw new Error('a part of the token is not base64url')
  return bytes
}

function parseObject(bytes: Buffer): JsonObject {
  const value = parseJson(decodeUtf8(bytes))
  if (!isObject(value)) throw new Error('a part of the token is not an object')
  return value
}
