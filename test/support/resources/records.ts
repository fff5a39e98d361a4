// Records of a resource: bodies that its rules accept in company EN of the fixture, and ways to change them.
import { expect } from 'vitest'
import type { Scenario } from '../scenario.ts'
import type { Answer, World } from '../world.ts'
import type { Resource } from './resource.ts'

export type Body = Record<string, unknown>
type Groups = Readonly<Record<string, unknown>>

export const GENERAL = { contactPointType: '1', address: { countryCode: 'NO', place: 'Oslo' } }
const RELATED = { relationId: 'LEGALID', relatedValue: 'NO1' }
export const CUSTOM = {
  delivery: { route: 'R1' },
  rating: { score: 5, auditedAt: '2026-01-31T00:00:00.000Z' },
}

export const replace = (path: string, value: unknown) => ({ op: 'replace', path, value })
export const add = (path: string, value: unknown) => ({ op: 'add', path, value })
export const remove = (path: string) => ({ op: 'remove', path })

/** The groups of custom fields where the resource has them, under the name that customers have. */
export const custom = ({ differs }: Resource, groups: Groups, name = 'customFieldGroups'): Body =>
  differs.customFieldGroups === undefined ? { [name]: groups } : groups

export const STATUS_CODES = { Active: 'N', Parked: 'P', Closed: 'C' }

/** A status as the resource answers it. */
export const statusOf = ({ differs }: Resource, name: keyof typeof STATUS_CODES): string =>
  differs.statusNames === undefined ? name : STATUS_CODES[name]

/** The position of a custom field or group in a finding. */
export const customAt = ({ differs }: Resource, position: string): string =>
  differs.customFieldGroups === undefined ? `customFieldGroups.${position}` : position

/** The path of a custom field or group in a patch. */
export const customPath = ({ differs }: Resource, path: string, start = '/customFieldGroups'): string =>
  differs.customFieldGroups === undefined ? `${start}/${path}` : `/${path}`

/** What a rule of a custom field answers: elsewhere a missing or too long text has code 1010. */
export const customCode = ({ differs }: Resource): number => (differs.customFieldGroups === undefined ? 3010 : 1010)

/** That of customers is spelt differently. */
const NOT_AUTHORISED = 'User is not authorized'
const ACCESS_DENIED = 'User is not authorised.'

/** The answer where there is no such record. */
export const notFound = ({ differs }: Resource, company: string, customerId: string) => ({
  code: 1040,
  message: `The entity of the following parameters [Company: ${company}, ${differs.keyName === undefined ? 'Customer' : 'CustomerId'}: ${customerId}] was not found.`,
})

/** The answer to a caller without the permission. */
export const denied = ({ differs }: Resource) => ({
  code: 2030,
  message: differs.denial === undefined ? NOT_AUTHORISED : ACCESS_DENIED,
})

/** The functions that make requests of a resource. */
export function recordsOf(resource: Resource) {
  const { usual, numbered } = resource.collections

  /** A body with only what company EN requires. */
  function bodyOf(customerId: string, changes: Body = {}, groups: Groups = CUSTOM): Body {
    return {
      customerId,
      customerName: `Customer ${customerId}`,
      customerGroupId: '10',
      countryCode: 'NO',
      contactPoints: [GENERAL],
      relatedValues: [RELATED],
      ...custom(resource, groups),
      ...changes,
    }
  }

  /** A body with what company NU requires, where records are numbered. */
  function numberedBody(changes: Body = {}): Body {
    const groups = { delivery: { route: 'R1' } }
    const { customerId: _, ...rest } = bodyOf('', { companyId: 'NU', customerName: 'Numbered', ...changes }, groups)
    return rest
  }

  const urlOf = (customerId: string) => `${usual}/${customerId}`
  const numberedUrl = (customerId: string) => `${numbered}/${customerId}?companyId=NU`

  const post = (body: unknown, rest: Partial<Scenario> = {}) => ({ method: 'POST', url: usual, body, ...rest }) as const
  const postNumbered = (body: unknown) => post(body, { url: numbered })

  /** Creates a record that a test continues with. */
  async function create(world: World, customerId: string, changes: Body = {}): Promise<Answer> {
    const answer = await world.send({ as: 'integration', ...post(bodyOf(customerId, changes)) })
    expect([answer.status, answer.status === 201 ? '' : answer.text]).toEqual([201, ''])
    return answer
  }

  return { bodyOf, numberedBody, urlOf, numberedUrl, post, postNumbered, create, guarded: guardedBy(resource) }
}

/** A patch of the record that the scenarios of patches have. */
export const patchOf =
  ({ collections }: Resource) =>
  (body: unknown, rest: Partial<Scenario> = {}) =>
    ({ method: 'PATCH', url: `${collections.usual}/PATCH`, body, ...rest }) as const

type Guarded = (rule: string, sent: Pick<Scenario, 'method' | 'url' | 'body'>) => Scenario[]

/** The rejections that precede every operation on the resource. */
function guardedBy(resource: Resource): Guarded {
  return (rule, sent) => {
    const refused = { ...sent, status: 403, json: denied(resource) }
    const unknown = { ...sent, as: undefined, status: 401, json: { statusCode: 401, message: 'Invalid JWT.' } }
    const { companyId: _, ...body } = (sent.body ?? {}) as Body
    return [
      { name: `${rule}: refuses a call without credentials with 401`, ...unknown },
      {
        name: `${rule}: refuses a token that is none with 401`,
        ...unknown,
        headers: { authorization: 'Bearer x.y.z' },
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
}
