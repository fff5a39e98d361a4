// The longest texts of a record: decision 5.
import { expect, it } from 'vitest'
import { furtherFields } from '../further-fields.ts'
import { findingsIn, type Scenario } from '../scenario.ts'
import { limitOf } from '../text-limits.ts'
import type { World } from '../world.ts'
import { tooLong } from './create-refused.ts'
import { recordsOf } from './records.ts'
import { CUSTOMERS, type Resource } from './resource.ts'

const PLACES = new Map<string, string>(
  Object.entries({
    '': ['aliasName', 'companyRegistrationNumber', 'countryCode', 'customerGroupId', 'customerId', 'customerName'],
    'invoice.': ['currencyCode', 'languageCode', 'paymentTermsId'],
    'payment.': ['bankAccount', 'debtCollectionCode', 'payMethod', 'postalAccount'],
    'contactPoints.2.additionalContactInfo.': ['contactPerson', 'contactPosition', 'eMail', 'eMailCc', 'gtin', 'url'],
    'contactPoints.2.address.': ['countryCode', 'place', 'postcode', 'province', 'streetAddress'],
    'contactPoints.2.phoneNumbers.': [1, 2, 3, 4, 5, 6, 7].map((number) => `telephone${number}`),
  }).flatMap(([group, fields]) => fields.map((field): [string, string] => [group + field, field])),
)
PLACES.set('externalReference', 'externalReference')

/** Where each text of the record stands; companyId is left out, for a company of another name is 403. */
export function placesOf(resource: Resource): ReadonlyMap<string, string> {
  if (resource !== CUSTOMERS) return PLACES
  const named = Object.fromEntries([...new Set(PLACES.values())].map((name) => [name, '']))
  const further = furtherFields({ ...named, companyId: '', invoice: named, payment: named })
  const texts = further.flatMap(({ path, max }) =>
    max === undefined ? [] : [[path.join('.'), path.at(-1) ?? ''] as const],
  )
  return new Map([...PLACES, ...texts])
}

/** The body of a record in company SV, of a collection that lets every code pass, with texts at some places. */
function withTexts(resource: Resource, texts: Iterable<readonly [path: string, text: string]>) {
  const { bodyOf, post } = recordsOf(resource)
  const body = bodyOf(
    'LENGTHS',
    {
      companyId: 'SV',
      relatedValues: [],
      contactPoints: [1, 2, 3].map(() => ({ contactPointType: '1' })),
    },
    {},
  )
  for (const [path, text] of texts) {
    const parts = path.split('.')
    let container = body
    for (const part of parts.slice(0, -1)) {
      container[part] ??= {}
      container = container[part] as Record<string, unknown>
    }
    container[parts.at(-1) ?? ''] = text
  }
  return { as: 'sv', ...post(body, { url: resource.collections.free }) }
}

/** Each text with one character too many. */
export const tooLongTexts = (resource: Resource): Scenario[] =>
  [...placesOf(resource)].map(([path, field]) => ({
    name: `decision 5: refuses ${path} of ${limitOf(field) + 1} characters with 400, code 1010`,
    ...withTexts(resource, [[path, 'x'.repeat(limitOf(field) + 1)]]),
    status: 400,
    findings: { [path]: tooLong(field, limitOf(field)) },
  }))

export function testLengths(resource: Resource, world: () => World): void {
  const texts = (unit: string, more = 0) =>
    [...placesOf(resource)].map(([path, field]) => [path, unit.repeat(limitOf(field) + more)] as const)

  it('decision 5: takes every text at its maximum length', async () => {
    const sent = withTexts(resource, texts('x'))
    const answer = await world().send(sent)
    expect([answer.status, answer.status === 201 ? '' : answer.text]).toEqual([201, ''])
    expect(answer.json).toMatchObject(sent.body as object)
  })

  it('decision 5: counts characters, as the description does, not halves of them', async () => {
    const others = texts('😀').filter(([path]) => path !== 'customerId')
    const answer = await world().send(withTexts(resource, [...others, ['customerId', 'EMOJI']]))
    expect([answer.status, answer.status === 201 ? answer.json.customerName : answer.text]).toEqual([
      201,
      '😀'.repeat(limitOf('customerName')),
    ])
  })

  it('decision 5: refuses every text that is too long at once', async () => {
    const answer = await world().send(withTexts(resource, texts('x', 1)))
    expect(answer.status).toBe(400)
    expect(Object.keys(findingsIn(answer.json)).sort()).toEqual([...placesOf(resource).keys()].sort())
  })
}
