// Callers of two foreign issuers, who name the users of the setup: one is trusted in a single company, the other wherever
// its users have rights.
import { signedToken } from '../forgery/signer.ts'
import type { foreignIssuers } from '../forgery/signers.ts'
import type { Sent } from '../world.ts'
import { JASPER } from './companies.ts'

const CONFINED = 'rsa'
const ALGORITHMS = { [CONFINED]: 'RS256', ec: 'ES256' } as const
const LIFETIME_SECONDS = 600

/** As a setup has them, with their keys at an address. */
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

/** Whether it is a caller who has rights in JASPER alone, whatever its user has elsewhere. */
export const isConfined = (as: string | undefined) => as?.startsWith(`${CONFINED}:`) === true

export type Issuers = Awaited<ReturnType<typeof foreignIssuers>>

/** The request with the token of its caller, where that is one of an issuer, such as `ec:both`. */
export function withToken({ signers: [rsa, ec] }: Issuers, { as, ...sent }: Sent, now: number): Sent {
  const [, issuer, user] = /^(rsa|ec):(.+)$/.exec(as ?? '') ?? []
  if (user === undefined) return as === undefined ? sent : { as, ...sent }
  const iat = Math.floor(now / 1_000)
  const claims = { upn: user, sub: user, iat, exp: iat + LIFETIME_SECONDS }
  const authorization = `Bearer ${signedToken(issuer === CONFINED ? rsa : ec, { claims })}`
  return { ...sent, headers: { ...sent.headers, authorization } }
}
