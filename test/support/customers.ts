// Customers for the tests: a body that the rules accept in company EN of the fixture, and ways to change it.
import { expect } from 'vitest'
import type { Scenario } from './scenario.ts'
import { type Answer, onEachStore, startWorld, type World } from './world.ts'

export const CUSTOMERS = '/v1/customers'

/** Runs the tests with the fixture that has customers. */
export function onEachStoreWithCustomers(title: string, declare: (world: () => World) => void): void {
  onEachStore(title, declare, (kind) => startWorld(kind, 'test/fixtures/customers.yaml'))
}

type Body = Record<string, unknown>

export const GENERAL = { contactPointType: '1', address: { countryCode: 'NO', place: 'Oslo' } }
const RELATED = { relationId: 'LEGALID', relatedValue: 'NO1' }
export const CUSTOM = {
  delivery: { route: 'R1' },
  rating: { score: 5, auditedAt: '2026-01-31T00:00:00.000Z' },
}

/** A body with only what company EN requires of a customer. */
export function bodyOf(customerId: string, changes: Body = {}): Body {
  return {
    customerId,
    customerName: `Customer ${customerId}`,
    customerGroupId: '10',
    countryCode: 'NO',
    contactPoints: [GENERAL],
    relatedValues: [RELATED],
    customFieldGroups: CUSTOM,
    ...changes,
  }
}

/** A body with what company NU requires, which numbers its customers. */
export function numberedBody(changes: Body = {}): Body {
  const { customerId: _, ...rest } = bodyOf('', { companyId: 'NU', customerName: 'Numbered', ...changes })
  return { ...rest, customFieldGroups: changes.customFieldGroups ?? { delivery: { route: 'R1' } } }
}

export const urlOf = (customerId: string) => `${CUSTOMERS}/${customerId}`

export const post = (body: unknown, rest: Partial<Scenario> = {}) =>
  ({ method: 'POST', url: CUSTOMERS, body, ...rest }) as const

export const replace = (path: string, value: unknown) => ({ op: 'replace', path, value })
export const add = (path: string, value: unknown) => ({ op: 'add', path, value })
export const remove = (path: string) => ({ op: 'remove', path })

/** Creates a customer that a test continues with. */
export async function create(world: World, customerId: string, changes: Body = {}): Promise<Answer> {
  const answer = await world.send({ as: 'integration', ...post(bodyOf(customerId, changes)) })
  expect([answer.status, answer.status === 201 ? '' : answer.text]).toEqual([201, ''])
  return answer
}

const NOT_AUTHORISED = { code: 2030, message: 'User is not authorized' } as const

/** The rejections that precede every operation on customers. */
export function guarded(rule: string, sent: Pick<Scenario, 'method' | 'url' | 'body'>): Scenario[] {
  const refused = { ...sent, status: 403, json: NOT_AUTHORISED }
  const { companyId: _, ...body } = (sent.body ?? {}) as Body
  return [
    {
      name: `${rule}: refuses a call without credentials with 401`,
      ...sent,
      as: undefined,
      status: 401,
      json: { statusCode: 401, message: 'Invalid JWT.' },
    },
    {
      name: `${rule}: refuses a token that is none with 401`,
      ...sent,
      as: undefined,
      headers: { authorization: 'Bearer x.y.z' },
      status: 401,
      json: { statusCode: 401, message: 'Invalid JWT.' },
    },
    { name: `${rule}: refuses a caller without the permission with 403, code 2030`, ...refused, as: 'nobody' },
    {
      name: `${rule}: refuses an unknown company with 403, code 2030`,
      ...refused,
      url: `${sent.url}?companyId=XX`,
    },
    {
      name: `${rule}: refuses the company of somebody else exactly as one that does not exist (decision 0)`,
      ...refused,
      url: `${sent.url}?companyId=SV`,
    },
    ...(sent.method === 'POST'
      ? [
          {
            name: `${rule}: refuses an unknown company in the body with 403, code 2030`,
            ...refused,
            body: { ...body, companyId: 'XX' },
          },
        ]
      : []),
  ]
}
