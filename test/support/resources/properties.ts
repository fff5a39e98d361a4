// What holds of records whatever is done to them: every change leaves a record that the rules of a new one accept
// (specification, customers 2 and 3; decision 5).
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { World } from '../world.ts'
import { customPath, recordsOf, STATUS_CODES } from './records.ts'
import { onEachStoreWith, type Resource } from './resource.ts'

type Operation = { readonly op: string; readonly path: string; readonly value?: unknown }

const word = fc.string({ unit: fc.constantFrom(...'aZ0 -_./\'"\\%æ€😀\u0001\t'), maxLength: 12 })
const amount = fc.oneof(fc.integer({ min: -1_000_000, max: 1_000_000 }), fc.constantFrom(0.1, 1e-5, 123456789.123456))
const flag = fc.constantFrom<boolean | string>(true, false, 'true', 'False')
const day = fc.constantFrom('2026-01-31', '2027-12-31T23:59:59.999+02:00', '1999-02-28T12:00', '2026-06-30T00:00:00Z')
const country = fc.constantFrom('NO', 'SE')

const place = fc.record(
  { countryCode: country, place: word, postcode: word, province: word, streetAddress: word },
  { requiredKeys: [] },
)
const point = fc.record(
  {
    contactPointType: fc.constantFrom('1', '2', '3'),
    address: place,
    additionalContactInfo: fc.record({ contactPerson: word, eMail: word }, { requiredKeys: [] }),
    sortOrder: fc.integer({ min: 0, max: 99 }),
  },
  { requiredKeys: ['contactPointType'] },
)
const region = fc.record(
  {
    relationId: fc.constant('REGION'),
    relatedValue: fc.constantFrom('N', 'S', 'W'),
    percentage: fc.integer({ min: 0, max: 100 }),
    unitValue: amount,
    dateFrom: fc.constantFrom('2020-01-01', '2021-06-30T12:00:00'),
  },
  { requiredKeys: ['relationId', 'relatedValue'] },
)
const legal = fc.constantFrom('NO1', 'NO2').map((relatedValue) => ({ relationId: 'LEGALID', relatedValue }))
const delivery = fc.record(
  {
    route: fc.constantFrom('R1', 'R2', '12345'),
    zone: fc.constantFrom('', 'Z1', 'Z2'),
    stops: fc.integer({ min: 1, max: 9 }),
    isFragile: flag,
  },
  { requiredKeys: ['route'] },
)
const index = fc.integer({ min: 0, max: 3 })

const to = (path: string | fc.Arbitrary<string>, value: fc.Arbitrary<unknown>): fc.Arbitrary<Operation> =>
  fc.record({
    op: fc.constantFrom('replace', 'Replace'),
    path: typeof path === 'string' ? fc.constant(path) : path,
    value,
  })
const at = (list: string, rest = '') => index.map((place) => `/${list}/${place}${rest}`)

const patchesOf = (resource: Resource) => {
  const statuses = [
    'N',
    'P',
    'C',
    ...(resource.differs.statusNames === undefined ? ['Active', 'Parked', 'Closed'] : []),
  ]
  const path = (rest: string, start?: string) => customPath(resource, rest, start)

  /** Most operations are legal; an index may be out of range, and a relation may conflict with another. */
  const operation: fc.Arbitrary<Operation> = fc.oneof(
    to('/aliasName', word),
    to('customerName', word),
    to('/companyRegistrationNumber', fc.oneof(word, fc.integer())),
    to('/countryCode', country),
    to('/customerGroupId', fc.constantFrom<unknown>('10', 20)),
    to('/externalReference', fc.oneof(word, amount)),
    to('/invoice/creditLimit', amount),
    to('/invoice/currencyCode', fc.constantFrom('NOK', 'SEK', '')),
    to('/Invoice/HasFixedTaxSystem', flag),
    to(
      '/invoice',
      fc.record({ creditLimit: amount, languageCode: word, hasFixedCurrency: flag }, { requiredKeys: [] }),
    ),
    to('/payment/payMethod', fc.constantFrom('IP', 'CH')),
    to('/payment/status', fc.constantFrom(...statuses)),
    to('/payment', fc.record({ bankAccount: word, expiryDate: day }, { requiredKeys: [] })),
    to('/payment/expiryDate', day),
    to(path('Delivery'), delivery),
    to(path('delivery/stops'), fc.integer({ min: 1, max: 9 })),
    ...(resource.differs.customFieldGroups === undefined ? [to('/customFieldGroups', fc.record({ delivery }))] : []),
    to(at('contactPoints', '/address'), place),
    to(at('contactPoints', '/address/place'), word),
    to(at('contactPoints', '/phoneNumbers/telephone3'), word),
    to(at('contactPoints'), point),
    to('/contactPoints', fc.array(point, { maxLength: 3 })),
    to(
      '/relatedValues',
      fc.tuple(legal, fc.array(region, { maxLength: 2 })).map(([first, rest]) => [first, ...rest]),
    ),
    to(at('relatedValues', '/percentage'), fc.integer({ min: 0, max: 100 })),
    to(at('relatedValues', '/dateTo'), day),
    point.map((value) => ({ op: 'add', path: '/contactPoints/-', value })),
    region.map((value) => ({ op: 'add', path: '/relatedValues/-', value })),
    fc
      .oneof(
        at('contactPoints'),
        at('contactPoints', '/additionalContactInfo'),
        at('relatedValues'),
        fc.constantFrom(
          '/aliasName',
          '/externalReference',
          '/invoice',
          '/payment/expiryDate',
          '/payment',
          path('delivery/stops'),
          path('delivery/zone'),
        ),
      )
      .map((path) => ({ op: 'remove', path })),
  )

  return fc.array(fc.array(operation, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 6 })
}

export function testProperties(resource: Resource): void {
  const { numberedBody, numberedUrl, postNumbered } = recordsOf(resource)

  onEachStoreWith(resource, 'Customers, whatever is done', (world) => {
    const send = (request: Parameters<World['send']>[0]) => world().send({ as: 'integration', ...request })

    it('decision 5: every sequence of legal patches leaves a record that the rules of POST accept, answered as GET reads it', async () => {
      let applied = 0
      let refused = 0
      await fc.assert(
        fc.asyncProperty(patchesOf(resource), async (calls) => {
          const created = await send(postNumbered(numberedBody()))
          const url = numberedUrl(created.json.customerId)
          let known = await send({ url })
          expect([known.text, known.headers.etag]).toEqual([created.text, created.headers.etag])
          for (const body of calls) {
            const answer = await send({ method: 'PATCH', url, body })
            const read = await send({ url })
            expect([200, 400, 422], answer.text).toContain(answer.status)
            if (answer.status === 200) {
              applied++
              expect([read.text, read.headers.etag]).toEqual([answer.text, answer.headers.etag])
            } else {
              refused++
              expect([read.text, read.headers.etag]).toEqual([known.text, known.headers.etag])
            }
            known = read
          }
          const { customerId: _, lastUpdated: _updated, ...record } = known.json
          const again = await send(postNumbered(record))
          expect([again.status, again.status === 201 ? '' : again.text]).toEqual([201, ''])
          const { customerId: _again, lastUpdated: _againUpdated, ...copy } = again.json
          expect(copy).toEqual(record)
          const value = await send({ url: `/v1/attribute-values/KU/${known.json.customerId}/0?companyId=NU` })
          const { status } = known.json.payment
          expect(value.json).toMatchObject({
            description: known.json.customerName,
            status: STATUS_CODES[status as keyof typeof STATUS_CODES] ?? status,
          })
          expect(value.json.relatedValues).toEqual(known.json.relatedValues)
        }),
        { numRuns: 60 },
      )
      expect(applied).toBeGreaterThan(refused)
    })
  })
}
