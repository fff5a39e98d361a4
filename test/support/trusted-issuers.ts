// Callers of two trusted issuers, in a world with the company of `rules.yaml` and a second one.
import { readFileSync } from 'node:fs'
import { type Json, signedToken } from './forgery/signer.ts'
import { startTrustedIssuers } from './forgery/signers.ts'
import { customerBody, make } from './ruled-records.ts'
import { type Answer, type Sent, type StoreKind, startWorld, type World, type WorldOptions } from './world.ts'

const SETUP = 'test/fixtures/rules.yaml'
const [RSA, EC] = ['https://rsa.example.com', 'https://ec.example.com'] as const
export const ISSUERS = { rsa: RSA, ec: EC }

/** The restrictions of an issuer in the setup. */
export interface Trust {
  /** Issuer -> companies. */
  readonly companies?: Partial<Record<keyof typeof ISSUERS, readonly string[]>>
  /** User -> issuer. */
  readonly users?: Readonly<Record<string, string>>
  /** Issuer -> the client that people sign in with. */
  readonly clientIds?: Partial<Record<keyof typeof ISSUERS, string>>
}

/** `rules.yaml` with a company SE, and a user with rights in both. */
export function setupTrusting(address: string, { companies = {}, users = {}, clientIds = {} }: Trust = {}): string {
  let text = readFileSync(SETUP, 'utf8')
    .replace(
      '\ndocuments:\n',
      '\n  - { id: SE, name: Svenska AB, attributes: [{ id: C1, name: COSTC }] }\n\ndocuments:\n',
    )
    .replace('\nclients:', '  - { id: svc-both, defaultCompany: EN, roles: { EN: [admin], SE: [admin] } }\n\nclients:')
  for (const [user, issuer] of Object.entries(users))
    text = text.replace(`{ id: ${user},`, `{ id: ${user}, issuer: "${issuer}",`)
  const issuers = [
    ['rsa', 'RS256'],
    ['ec', 'ES256'],
  ].map(([name = '', algorithm]) => {
    const bound = companies[name as keyof typeof ISSUERS]
    const clientId = clientIds[name as keyof typeof ISSUERS]
    const redirectUri = 'https://erp.example.com/console/api/oidc/callback'
    const signIn = clientId ? `, signIn: { name: Us, clientId: ${clientId}, redirectUri: "${redirectUri}" }` : ''
    const more = (bound ? `, companies: [${bound.join(', ')}]` : '') + signIn
    return `    - { issuer: "https://${name}.example.com", audience: records, keySet: "${address}/${name}", algorithms: [${algorithm}], userClaim: upn${more} }`
  })
  return `${text}\nauthentication:\n  issuers:\n${issuers.join('\n')}\n`
}

export type TrustedIssuerWorld = Awaited<ReturnType<typeof startWithTrustedIssuers>>

/** A world that trusts both issuers. The rules give access to customer 1001 and not to customer 1002. */
export async function startWithTrustedIssuers(kind: StoreKind, trust: Trust = {}, options: WorldOptions = {}) {
  const issuers = await startTrustedIssuers((address) => setupTrusting(address, trust))
  const world = await startWorld(kind, issuers.setup, '', options)
  const payment = { payment: { bankAccount: 'canary-bank', payMethod: 'IP' }, externalReference: 'canary-reference' }
  await make(world, '/v1/customers', customerBody('1001', 'NO', payment))
  await make(world, '/v1/customers', customerBody('1002', 'SE', { aliasName: 'canary-SE', ...payment }))
  const [rsa, ec] = issuers.signers
  const send = (issuer: keyof typeof ISSUERS, claims: Json, sent: Sent): Promise<Answer> => {
    const authorization = `Bearer ${signedToken(issuer === 'rsa' ? rsa : ec, { claims })}`
    return world.send({ ...sent, headers: { ...sent.headers, authorization } })
  }
  const stopWorld = world.stop
  const stop = async () => {
    await stopWorld()
    await issuers.stop()
  }
  return Object.assign(world as World, { issuers, sendAs: send, stop })
}
