// What is wrong with a token, in words that repeat nothing of it.
import { errors } from 'jose'
import { Denial } from './denial.ts'

/** A defect that is known before the signature is verified. */
export class TokenDefect extends Error {}

const REASONS: Readonly<Record<string, string>> = {
  ERR_JWS_SIGNATURE_VERIFICATION_FAILED: 'the signature of the token is wrong',
  ERR_JOSE_ALG_NOT_ALLOWED: 'the algorithm of the token is not allowed',
  ERR_JOSE_NOT_SUPPORTED: 'the algorithm of the token is not allowed',
  ERR_JWKS_NO_MATCHING_KEY: 'the token is signed with an unknown key',
  ERR_JWKS_TIMEOUT: 'the key set of the issuer cannot be fetched',
}
const CLAIMS: Readonly<Record<string, string>> = { iss: 'issuer', aud: 'audience', typ: 'type', nbf: 'begin' }

export function denialOf(error: unknown): Denial {
  if (error instanceof TokenDefect) return new Denial(error.message)
  // The claims are checked after the signature, and the times after issuer and audience.
  if (error instanceof errors.JWTExpired) return new Denial('the token has expired', true)
  if (error instanceof errors.JWTClaimValidationFailed) {
    return new Denial(`the ${CLAIMS[error.claim] ?? `claim ${error.claim}`} of the token is wrong`)
  }
  const code = error instanceof errors.JOSEError ? error.code : ''
  return new Denial(REASONS[code] ?? 'the token cannot be verified')
}
