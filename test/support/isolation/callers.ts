// Callers of every kind: their permissions, and the companies that they may access.

import { SignJWT } from 'jose'
import { expect } from 'vitest'
import { signedIn } from '../console-people.ts'
import { IS_FULL, SEED } from '../reliability-test.ts'
import type { Sent, World } from '../world.ts'
import { type Company, GRANIT, JASPER, KOPPER } from './companies.ts'

export interface CallerKind {
  readonly name: string
  /** Absent: no credentials, or those in `headers`. */
  readonly as?: string
  readonly headers?: Record<string, string>
  readonly isKnown: boolean
  readonly own: Company
  readonly foreign: Company
  /** Companies whose data the answers may contain. */
  readonly mine: readonly Company[]
  readonly mayIn: (operation: string, company: 'own' | 'any', api: string) => boolean
}

const isRead = (operation: string) => operation === 'read' || operation === 'export'
const mayEdit = (operation: string, _company: string, api: string) => api !== 'subscriptions' || isRead(operation)
const inJasper = { isKnown: true, own: JASPER, foreign: KOPPER, mine: [JASPER] } as const

/** In the short form one of the two that have a session. */
export async function callersOf(world: World): Promise<readonly CallerKind[]> {
  const all = () => true
  const none = () => false
  return [
    { ...inJasper, name: 'a writer', as: 'writer-JASPER', mayIn: all },
    { ...inJasper, name: 'a reader', as: 'reader', mayIn: isRead },
    { ...inJasper, name: 'nobody', as: 'nobody', mayIn: none },
    { ...inJasper, name: 'somebody without roles', as: 'roleless', mayIn: none },
    {
      ...inJasper,
      name: 'a reader who is a writer elsewhere',
      as: 'elsewhere',
      mine: [JASPER, GRANIT],
      mayIn: (operation, company) => company === 'any' || isRead(operation),
    },
    {
      name: 'the other company',
      as: 'writer-KOPPER',
      isKnown: true,
      own: KOPPER,
      foreign: JASPER,
      mine: [KOPPER],
      mayIn: all,
    },
    { ...inJasper, name: 'an expired token', headers: await expired(world), isKnown: false, mayIn: none },
    { ...inJasper, name: 'no token', isKnown: false, mayIn: none },
    ...(await withSessions(world)),
  ]
}

async function withSessions(world: World): Promise<readonly CallerKind[]> {
  const [person, overseer] = [await signedIn(world, 'person'), await signedIn(world, 'overseer')]
  const both = [
    { ...inJasper, name: 'a person at the console', headers: person, mayIn: mayEdit },
    {
      ...inJasper,
      name: 'an administrator, a writer elsewhere, who acts as a reader',
      headers: { ...overseer, 'act-as': 'reader' },
      mayIn: isRead,
    },
  ]
  return IS_FULL ? both : both.slice(SEED % 2, (SEED % 2) + 1)
}

/** `further`: other headers, whose cookies are sent beside that of a session. */
export function as(
  { as: client, headers }: CallerKind,
  further: Record<string, string> = {},
): Pick<Sent, 'as' | 'headers'> {
  const cookie = [headers?.cookie, further.cookie].filter((one) => one !== undefined).join('; ')
  const all = { ...headers, ...further, ...(cookie === '' ? {} : { cookie }) }
  return { ...(client === undefined ? {} : { as: client }), headers: all }
}

/** A token that expired an hour ago. */
async function expired(world: World): Promise<Record<string, string>> {
  const [, payload = ''] = (await world.token('writer-JASPER')).split('.')
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString())
  const signing = await world.application.keys.signing()
  const { exp, iat } = claims
  expect(exp).toBeGreaterThan(iat)
  const lifetime = exp - iat
  const token = await new SignJWT({ ...claims, iat: iat - lifetime - 3600, exp: iat - 3600 })
    .setProtectedHeader({ alg: 'ES256', kid: signing.kid, typ: 'at+jwt' })
    .sign(signing.key)
  return { authorization: `Bearer ${token}` }
}
