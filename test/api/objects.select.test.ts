// Selections: decision 6, select; decision 0, names without regard to case.
import { expect, it } from 'vitest'
import { lastUpdated, ledger, objects, startObjects } from '../support/object-records.ts'
import { onEachStore } from '../support/world.ts'

const customer = (select: string, id = '1001') => objects('customers', { select, filter: `customerId eq '${id}'` })
const line = (select: string, filter = 'transactionNumber eq 1 and sequenceNumber eq 1') => ledger({ select, filter })

/** Compared as text, because the order of members is part of the answer. */
const SELECTED: readonly { name: string; url: string; answer: unknown }[] = [
  {
    name: 'answers what is named, in the order of the document and in documented spelling (decision 0)',
    url: customer('CUSTOMERNAME, countrycode,aliasName'),
    answer: [{ customerName: 'Nordlys AS', aliasName: 'NORD', countryCode: 'NO' }],
  },
  {
    name: 'answers a property once that is named twice',
    url: customer('customerId,customerid,customerId'),
    answer: [{ customerId: '1001' }],
  },
  {
    name: 'answers some properties of a group with brackets (specification, object endpoints: nested groups)',
    url: customer('customerId,invoice(currencyCode,creditLimit)'),
    answer: [{ customerId: '1001', invoice: { creditLimit: 50000.5, currencyCode: 'NOK' } }],
  },
  {
    name: 'answers a property of a group behind a slash, and several add up',
    url: customer('invoice/currencyCode,invoice/creditLimit,payment/status'),
    answer: [{ invoice: { creditLimit: 50000.5, currencyCode: 'NOK' }, payment: { status: 'N' } }],
  },
  {
    name: 'answers a whole group by its name, with a star in brackets, and with a star behind a slash',
    url: customer('payment(*),lastUpdated'),
    answer: [
      {
        lastUpdated,
        payment: {
          bankAccount: '',
          debtCollectionCode: '',
          payMethod: '',
          postalAccount: '',
          status: 'N',
          expiryDate: '2099-12-31T00:00:00.000Z',
        },
      },
    ],
  },
  {
    name: 'answers all of a complex group when one of its properties is named (specification: x-erp-complextype)',
    url: customer('lastUpdated(updatedBy)'),
    answer: [{ lastUpdated }],
  },
  {
    name: 'answers groups of a list, two deep (habits: nested select two deep)',
    url: customer('customerId,contactPoints(address(place),contactPointType)'),
    answer: [
      {
        customerId: '1001',
        contactPoints: [
          { address: { place: 'Oslo' }, contactPointType: '1' },
          { address: { place: 'Bergen' }, contactPointType: '2' },
        ],
      },
    ],
  },
  {
    name: 'answers phoneNumber and sequenceNumber under the names that were asked for (decision 6, shapes)',
    url: customer('contactPoints(phoneNumber(telephone1),sequenceNumber)', '1002'),
    answer: [{ contactPoints: [{ phoneNumber: { telephone1: '' }, sequenceNumber: 1 }] }],
  },
  {
    name: 'answers an alias in its documented spelling, and beside its own name',
    url: customer('contactPoints(PHONENUMBER/TELEPHONE1,SortOrder,sequencenumber)', '1002'),
    answer: [{ contactPoints: [{ phoneNumber: { telephone1: '' }, sortOrder: 1, sequenceNumber: 1 }] }],
  },
  {
    name: 'answers an association with descriptions (decision 6, select: associations when named)',
    url: line('transactionNumber,customer(customerName,countryCode[C;T])'),
    answer: [
      {
        transactionNumber: 1,
        customer: { customerName: 'Nordlys AS', countryCode: 'NO', 'countryCode(description)': 'Norway' },
      },
    ],
  },
  {
    name: 'answers the association to a customer that does not exist with absent values (decision 0, no null)',
    url: line(
      'customerId,customer(customerName,countryCode[C;T],invoice(creditLimit,hasFixedCurrency),payment(expiryDate),contactPoints,relatedValues,customFieldGroups/LOYALTY/points)',
      'transactionNumber eq 2',
    ),
    answer: [
      {
        customerId: '9999',
        customer: {
          customerName: '',
          countryCode: '',
          'countryCode(description)': '',
          invoice: { creditLimit: 0, hasFixedCurrency: false },
          payment: { expiryDate: '1900-01-01T00:00:00.000Z' },
          contactPoints: [],
          relatedValues: [],
          customFieldGroups: { LOYALTY: { points: 0 } },
        },
      },
    ],
  },
  {
    name: 'answers lists of an association, also in parts',
    url: line('customer(contactPoints(sortOrder,address/place),relatedValues(relatedValue[C;T]))'),
    answer: [
      {
        customer: {
          contactPoints: [
            { address: { place: 'Oslo' }, sortOrder: 1 },
            { address: { place: 'Bergen' }, sortOrder: 2 },
          ],
          relatedValues: [{ relatedValue: 'NO1', 'relatedValue(description)': 'Example Nordic Legal' }],
        },
      },
    ],
  },
  {
    name: 'answers parts of custom fields',
    url: customer('customFieldGroups(loyalty(tier[C;T],points))'),
    answer: [{ customFieldGroups: { LOYALTY: { tier: 'G', 'tier(description)': 'Gold', points: 120 } } }],
  },
  {
    name: 'answers a property of a related value through the relation that is configured',
    url: objects('attribute-values', {
      select: 'relatedValues(relationName,relatedValue)',
      filter: "attributeValue eq 'CC200'",
    }),
    answer: [{ relatedValues: [{ relationName: 'Department', relatedValue: '200' }] }],
  },
]

onEachStore(
  'select on the object endpoints',
  (world) => {
    it.each(SELECTED)('$name', async ({ url, answer }) => {
      const { status, text } = await world().send({ as: 'integration', url })
      expect({ status, text }).toEqual({ status: 200, text: JSON.stringify(answer) })
    })

    it('answers the same for *, an empty select, a blank one and none: no lists, associations, custom fields (decision 6)', async () => {
      for (const [document, rest] of [
        ['customers', ''],
        ['attribute-values', ''],
        ['general-ledger-transactions', '&posted=true'],
      ]) {
        const ask = (select: string) =>
          world().send({ as: 'integration', url: `/v1/objects/${document}?${select}${rest}` })
        const whole = await ask('')
        expect(whole.status).toBe(200)
        for (const select of ['select=*', 'select=', 'select=+', '$select=%2A']) {
          expect((await ask(select)).text).toBe(whole.text)
        }
        for (const name of ['contactPoints', 'relatedValues', 'customer', 'customFieldGroups']) {
          expect(whole.json[0]).not.toHaveProperty(name)
        }
      }
    })

    it('adds what is named beside a star, behind what the star answers (decision 6)', async () => {
      const url = objects('customers', {
        select: '*,contactPoints(sortOrder),countryCode[T]',
        filter: 'customerId eq 1002',
      })
      const { json } = await world().send({ as: 'integration', url })
      expect(json[0]).toMatchObject({ 'countryCode(description)': 'Sweden', contactPoints: [{ sortOrder: 1 }] })
      expect(Object.keys(json[0]).slice(0, 5)).toEqual([
        'companyId',
        'customerId',
        'customerName',
        'aliasName',
        'companyRegistrationNumber',
      ])
      expect(Object.keys(json[0]).at(-1)).toBe('contactPoints')
    })

    it('takes a star inside a group and beside a description in it (habits)', async () => {
      const url = objects('customers', { select: 'invoice(*,currencyCode[T])', filter: 'customerId eq 1001' })
      const { json } = await world().send({ as: 'integration', url })
      expect(json[0].invoice).toMatchObject({ currencyCode: 'NOK', 'currencyCode(description)': 'Norwegian krone' })
      expect(Object.keys(json[0].invoice)).toHaveLength(10)
    })

    it('answers the same for blanks, encoded and raw forms of a select (decision 6, blanks)', async () => {
      const forms = [
        'select=customerId,invoice(currencyCode,creditLimit)',
        '$SELECT=customerId,++invoice(+currencyCode+,+creditLimit+)',
        'select=customerId%2Cinvoice%28currencyCode%2CcreditLimit%29',
        '?&select=%20customerId%20,%20%20invoice%20(creditLimit,currencyCode)&'.slice(1),
        'select=invoice%2FcurrencyCode,invoice/creditLimit,customerId',
      ]
      const answers = await Promise.all(
        forms.map((form) => world().send({ as: 'integration', url: `/v1/objects/customers?${form}&limit=1` })),
      )
      for (const { text } of answers) {
        expect(text).toBe('[{"customerId":"1001","invoice":{"creditLimit":50000.5,"currencyCode":"NOK"}}]')
      }
    })
  },
  startObjects,
)
