// Callers of two trusted issuers that act as users of the setup: one issuer is restricted to a single company, the
// other is trusted wherever its users have rights.
import { signedToken } from '../forgery/signer.ts'
import type { startTrustedIssuers } from '../forgery/signers.ts'
import type { Sent } from '../world.ts'
import { JASPER } from './companies.ts'

const CONFINED = 'rsa'
const ALGORITHMS = { [CONFINED]: 'RS256', ec: 'ES256' } as const
const LIFETIME_SECONDS = 600

/** The issuers as a setup declares them, with their keys at an address. */
export function issuersAt(address: string) {
  return Object.entries(ALGORITHMS).map(([name, algorithm]) => ({
    issuer: `https://${name}.example.com`,
    audience: 'records',
    keySet: `${address}/${name}`,
    algorithms: [algorithm],
    userClaim: 'upn',
    ...(name === CONFINED ? { companies: [JASPER.id] } : {}),
  }))
}

/** Whether the caller has rights in JASPER only, regardless of its user's other rights. */
export const isConfined = (as: string | undefined) => as?.startsWith(`${CONFINED}:`) === true

export type Issuers = Awaited<ReturnType<typeof startTrustedIssuers>>

/** The request with the token of its caller, if an issuer signs it, such as for `ec:both`. */
export function withToken({ signers: [rsa, ec] }: Issuers, { as, ...sent }: Sent, now: number): Sent {
  const [, issuer, user] = /^(rsa|ec):(.+)$/.exec(as ?? '') ?? []
  if (user === undefined) return as === undefined ? sent : { as, ...sent }
  const iat = Math.floor(now / 1_000)
  const claims = { upn: user, sub: user, iat, exp: iat + LIFETIME_SECONDS }
  const authorization = `Bearer ${signedToken(issuer === CONFINED ? rsa : ec, { claims })}`
  return { ...sent, headers: { ...sent.headers, authorization } }
}
