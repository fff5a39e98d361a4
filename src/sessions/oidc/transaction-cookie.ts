// The cookie of somebody who is on the way to an issuer and back. `Lax`, because the issuer's page leads back; it opens
// nothing, and its state and nonce must be those of the answer.
import type { IncomingHttpHeaders } from 'node:http'
import { cookieNamed } from '../cookie.ts'
import type { SignInTransaction } from './issuer-client.ts'

const NAME = '__Host-tabularium-sign-in'
const ATTRIBUTES = 'Path=/; Secure; HttpOnly; SameSite=Lax'
const SECONDS = 600
const MAX_LENGTH = 4_000

export function transactionCookie(transaction: SignInTransaction): string {
  const value = Buffer.from(JSON.stringify(transaction)).toString('base64url')
  return `${NAME}=${value}; ${ATTRIBUTES}; Max-Age=${SECONDS}`
}

/** Once the person has signed in it is of no more use. */
export const ENDED_TRANSACTION_COOKIE = `${NAME}=; ${ATTRIBUTES}; Max-Age=0`

export function transactionIn(headers: IncomingHttpHeaders): SignInTransaction | undefined {
  const value = cookieNamed(NAME, headers)
  if (value === undefined || value.length > MAX_LENGTH) return undefined
  try {
    const found: unknown = JSON.parse(Buffer.from(value, 'base64url').toString('utf8'))
    return isTransaction(found) ? found : undefined
  } catch {
    return undefined
  }
}

function isTransaction(value: unknown): value is SignInTransaction {
  const members = ['issuer', 'state', 'nonce', 'codeVerifier', 'to'] as const
  return (
    typeof value === 'object' &&
    value !== null &&
    members.every((member) => typeof (value as Record<string, unknown>)[member] === 'string')
  )
}
