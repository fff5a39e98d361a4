// POST /v1/customers: specification, customers 2; decision 5.

import { expect, it } from 'vitest'
import { CUSTOMER_LENGTHS } from '../../src/model/records/customer.ts'
import {
  bodyOf,
  CUSTOM,
  CUSTOMERS,
  create,
  GENERAL,
  guarded,
  numberedBody,
  onEachStoreWithCustomers,
  post,
  urlOf,
} from '../support/customers.ts'
import { findingsIn, runScenarios, type Scenario } from '../support/scenario.ts'
import { limitOf } from '../support/text-limits.ts'

const emptyPoint = {
  additionalContactInfo: { contactPerson: '', contactPosition: '', eMail: '', eMailCc: '', gtin: '', url: '' },
  address: { countryCode: '', place: '', postcode: '', province: '', streetAddress: '' },
  contactPointType: '1',
  phoneNumbers: {
    telephone1: '',
    telephone2: '',
    telephone3: '',
    telephone4: '',
    telephone5: '',
    telephone6: '',
    telephone7: '',
  },
  sortOrder: 0,
}

/** The minimal customer as it is answered. */
const least = {
  aliasName: '',
  companyId: 'EN',
  companyRegistrationNumber: '',
  contactPoints: [{ ...emptyPoint, address: { ...emptyPoint.address, countryCode: 'NO', place: 'Oslo' } }],
  countryCode: 'NO',
  customFieldGroups: {
    delivery: {
      route: 'R1',
      zone: '',
      agent: '',
      stops: 0,
      class: 0,
      weight: 0,
      isFragile: false,
      since: '1900-01-01T00:00:00.000',
    },
    rating: { score: 5, auditedAt: '2026-01-31T00:00:00.000' },
    notes: { text: '' },
  },
  customerGroupId: '10',
  customerId: 'LEAST',
  customerName: 'Customer LEAST',
  externalReference: '',
  invoice: {
    calculatePayDiscountOnTax: false,
    checkCreditOnHeadOffice: false,
    creditLimit: 0,
    currencyCode: '',
    hasFixedCurrency: false,
    hasFixedPaymentTerms: false,
    hasFixedTaxSystem: false,
    languageCode: '',
    paymentTermsId: '',
  },
  lastUpdated: { updatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]{12}$/), updatedBy: 'svc-integration' },
  payment: {
    bankAccount: '',
    debtCollectionCode: '',
    expiryDate: '2099-12-31T00:00:00.000',
    payMethod: '',
    postalAccount: '',
    status: 'Active',
  },
  relatedValues: [
    {
      dateFrom: '1900-01-01T00:00:00.000',
      dateTo: '2099-12-31T00:00:00.000',
      percentage: 0,
      relatedValue: 'NO1',
      relationGroup: 'LEGAL',
      relationId: 'LEGALID',
      relationName: 'Legal entity',
      unitValue: 0,
    },
  ],
}

const related = (relatedValue: string) => [{ relationId: 'LEGALID', relatedValue }]

const accepted: Scenario[] = [
  {
    name: 'customers 2: creates a customer with the least that is needed, everything else absent (no null)',
    ...post(bodyOf('LEAST')),
    status: 201,
    json: least,
    answerHeaders: { location: '/v1/customers/LEAST' },
  },
  {
    name: 'customers 2: creates a customer with every field',
    ...post(
      bodyOf('WHOLE', {
        companyId: 'en',
        aliasName: 'whole',
        companyRegistrationNumber: '987654321',
        customerGroupId: '20',
        externalReference: 'REF-7',
        invoice: {
          calculatePayDiscountOnTax: true,
          checkCreditOnHeadOffice: true,
          creditLimit: 12500.5,
          currencyCode: 'SEK',
          hasFixedCurrency: true,
          hasFixedPaymentTerms: true,
          hasFixedTaxSystem: true,
          languageCode: 'NO',
          paymentTermsId: '14',
        },
        payment: {
          bankAccount: '12345678903',
          debtCollectionCode: 'D2',
          payMethod: 'CH',
          postalAccount: '99',
          status: 'Parked',
          expiryDate: '2027-06-30T10:00:00+02:00',
        },
        relatedValues: [...related('NO2'), { relationId: 'REGION', relatedValue: 'N', percentage: 40, unitValue: 2 }],
        customFieldGroups: {
          delivery: {
            route: 'R2345',
            zone: 'Z2',
            agent: 'IP',
            stops: 9,
            class: 2,
            weight: 99.5,
            isFragile: true,
            since: '2026-01-31T12:00:00',
          },
          rating: { score: 9.5, auditedAt: '2026-02-28' },
          notes: { text: 'careful' },
        },
      }),
    ),
    status: 201,
    includes: {
      companyId: 'EN',
      externalReference: 'REF-7',
      invoice: { calculatePayDiscountOnTax: true, creditLimit: 12500.5, languageCode: 'NO', paymentTermsId: '14' },
      payment: { payMethod: 'CH', status: 'Parked', expiryDate: '2027-06-30T08:00:00.000' },
      relatedValues: [
        { relationId: 'LEGALID', relatedValue: 'NO2' },
        { relationId: 'REGION', relatedValue: 'N', percentage: 40, unitValue: 2, relationName: 'Region' },
      ],
      customFieldGroups: {
        delivery: {
          zone: 'Z2',
          agent: 'IP',
          stops: 9,
          weight: 99.5,
          isFragile: true,
          since: '2026-01-31T12:00:00.000',
        },
        rating: { score: 9.5, auditedAt: '2026-02-28T00:00:00.000' },
        notes: { text: 'careful' },
      },
    },
  },
  {
    name: 'decision 5: takes POST /v1/customers/ with the slash, PascalCase, nulls and unknown members (habits)',
    method: 'POST',
    url: `${CUSTOMERS}/`,
    body: {
      CustomerId: 'PASCAL',
      CustomerName: 'Pascal',
      CustomerGroupId: 10,
      CountryCode: 'NO',
      AliasName: null,
      Nonsense: { deep: [1] },
      Invoice: { CreditLimit: '100', HasFixedCurrency: 'true', Other: 1, CurrencyCode: null },
      Payment: null,
      ContactPoints: [{ ContactPointType: 1, Address: { Place: 'Oslo', Nope: 1 }, AdditionalContactInfo: null }],
      RelatedValues: [{ RelationId: 'LEGALID', RelatedValue: 'NO1' }],
      CustomFieldGroups: {
        Delivery: { ROUTE: 'R1', nope: 1 },
        Rating: { score: '2', AuditedAt: '2026-01-01' },
        Nope: {},
      },
      NotificationMessages: null,
    },
    status: 201,
    includes: {
      customerId: 'PASCAL',
      customerGroupId: '10',
      aliasName: '',
      invoice: { creditLimit: 100, hasFixedCurrency: true, currencyCode: '' },
      payment: { status: 'Active' },
      contactPoints: [{ contactPointType: '1', address: { place: 'Oslo' } }],
      customFieldGroups: { delivery: { route: 'R1' }, rating: { score: 2 } },
    },
    answerHeaders: { location: '/v1/customers/PASCAL' },
  },
  {
    name: 'decision 5: keeps an external reference that is a number as a number',
    ...post(bodyOf('REFNUM', { externalReference: 4711 })),
    status: 201,
    includes: { externalReference: 4711 },
  },
  {
    name: 'decision 5: keeps an external reference that is a text as a text, its zeros too',
    ...post(bodyOf('REFTEXT', { externalReference: '0004711' })),
    status: 201,
    includes: { externalReference: '0004711' },
  },
  ...(
    [
      ['Active', 'Active'],
      ['Parked', 'Parked'],
      ['Closed', 'Closed'],
      ['N', 'Active'],
      ['P', 'Parked'],
      ['C', 'Closed'],
      ['parked', 'Parked'],
    ] as const
  ).map(
    ([given, status]): Scenario => ({
      name: `decision 5: takes payment.status ${given} and answers ${status}`,
      ...post(bodyOf(`ST-${given}`, { payment: { status: given } })),
      status: 201,
      includes: { payment: { status } },
    }),
  ),
  {
    name: 'customers 2: puts an id in the location as an address needs it',
    ...post(bodyOf('A/B Ø')),
    status: 201,
    includes: { customerId: 'A/B Ø' },
    answerHeaders: { location: '/v1/customers/A%2FB%20%C3%98' },
  },
  {
    name: 'customers 2: gives the first number of the series (auto-numbering)',
    ...post(numberedBody()),
    status: 201,
    includes: { customerId: '100000', companyId: 'NU' },
    answerHeaders: { location: '/v1/customers/100000' },
  },
  {
    name: 'customers 2: takes an empty id for none, and gives the next number (auto-numbering)',
    ...post({ ...numberedBody(), customerId: '' }),
    status: 201,
    includes: { customerId: '100001' },
  },
]

const illegal: readonly (readonly [path: string, changes: Record<string, unknown>])[] = [
  ['countryCode', { countryCode: 'XX' }],
  ['customerGroupId', { customerGroupId: '99' }],
  ['invoice.currencyCode', { invoice: { currencyCode: 'XXX' } }],
  ['invoice.languageCode', { invoice: { languageCode: 'XX' } }],
  ['invoice.paymentTermsId', { invoice: { paymentTermsId: '99' } }],
  ['payment.payMethod', { payment: { payMethod: 'XX' } }],
  ['payment.debtCollectionCode', { payment: { debtCollectionCode: 'XX' } }],
  ['payment.status', { payment: { status: 'Sleeping' } }],
  ['contactPoints.1.address.countryCode', { contactPoints: [GENERAL, { ...GENERAL, address: { countryCode: 'XX' } }] }],
]

const NO_GENERAL = [3010, 'A contact point of the General type is required.'] as const
const custom = (delivery: object, others: object = {}) => ({
  customFieldGroups: { ...CUSTOM, delivery: { route: 'R1', ...delivery }, ...others },
})

const refused: Scenario[] = [
  {
    name: 'customers 2: refuses an id where the company numbers its customers with 422, code 1010',
    ...post({ ...numberedBody(), customerId: '7' }),
    status: 422,
    findings: { customerId: [1010, 'You cannot enter a new ID manually (CustomerID).'] },
  },
  {
    name: 'customers 2: refuses a body without its required fields, naming every one, with 422 (decision 5)',
    ...post({}),
    status: 422,
    findings: {
      customerId: [1010, 'The CustomerId field is required.'],
      customerName: [1010, 'The CustomerName field is required.'],
      customerGroupId: [1010, 'The CustomerGroupId field is required.'],
      countryCode: [1010, 'The CountryCode field is required.'],
      contactPoints: NO_GENERAL,
      relatedValues: [3010, 'The relation Legal entity is mandatory'],
      'customFieldGroups.delivery.route': [3010, 'The Route field is required.'],
      'customFieldGroups.rating.score': [3010, 'The Score field is required.'],
      'customFieldGroups.rating.auditedAt': [3010, 'The AuditedAt field is required.'],
    },
  },
  {
    name: 'customers 2: takes null and empty texts for missing fields',
    ...post(bodyOf('X', { customerName: null, countryCode: '' })),
    status: 422,
    findings: {
      customerName: [1010, 'The CustomerName field is required.'],
      countryCode: [1010, 'The CountryCode field is required.'],
    },
  },
  ...illegal.map(
    ([path, changes]): Scenario => ({
      name: `customers 2: refuses an illegal ${path} with 422, code 3010, in its own group (decision 5, nested fields)`,
      ...post(bodyOf('X', changes)),
      status: 422,
      findings: { [path]: [3010, 'Illegal value.'] },
    }),
  ),
  {
    name: 'customers 2: refuses a contact point type that is none',
    ...post(bodyOf('X', { contactPoints: [GENERAL, { contactPointType: '77' }] })),
    status: 422,
    findings: { 'contactPoints.1.contactPointType': [3010, '77 is not a legal ADDRTYPE'] },
  },
  {
    name: 'customers 2: refuses contact points none of which is General with 400, code 3010',
    ...post(bodyOf('X', { contactPoints: [{ contactPointType: '2' }] })),
    status: 400,
    findings: { contactPoints: NO_GENERAL },
  },
  {
    name: 'customers 2: refuses a customer without contact points with 400, code 3010',
    ...post(bodyOf('X', { contactPoints: null })),
    status: 400,
    findings: { contactPoints: NO_GENERAL },
  },
  {
    name: 'customers 2: looks for the General type that the company has set up (decision 5)',
    ...post({ companyId: 'LT', customerName: 'x', customerGroupId: 'x', countryCode: 'x', contactPoints: [GENERAL] }),
    status: 400,
    findings: { contactPoints: NO_GENERAL },
  },
  {
    name: 'customers 2: refuses a customer without a mandatory relation with 422, code 3010',
    ...post(bodyOf('X', { relatedValues: [{ relationId: 'REGION', relatedValue: 'N' }] })),
    status: 422,
    findings: { relatedValues: [3010, 'The relation Legal entity is mandatory'] },
  },
  {
    name: 'customers 2: refuses an illegal related value, an unknown relation and a second value of a single one',
    ...post(
      bodyOf('X', {
        relatedValues: [
          ...related('NO1'),
          ...related('NO2'),
          { relationId: 'REGION', relatedValue: 'Q' },
          { relationId: 'NOPE', relatedValue: 'Q' },
        ],
      }),
    ),
    status: 422,
    findings: {
      'relatedValues.1.relatedValue': [
        3010,
        'CUSTOMER : X is already connected to LEGALENTITY: NO1 on client EN. Duplicates or overlaps are not allowed',
      ],
      'relatedValues.2.relatedValue': [3010, 'Q is not a legal REGION'],
      'relatedValues.3.relationId': [3010, 'Relation NOPE does not exist'],
    },
  },
  {
    name: 'customers 2: refuses missing custom fields with 422, code 3010, inside their group, also when it was not sent',
    ...post(bodyOf('X', { customFieldGroups: { delivery: { zone: 'Z1' } } })),
    status: 422,
    json: {
      ...bodyOf('X'),
      customFieldGroups: {
        delivery: {
          zone: 'Z1',
          notificationMessages: { route: [{ code: 3010, message: 'The Route field is required.' }] },
        },
        rating: {
          notificationMessages: {
            score: [{ code: 3010, message: 'The Score field is required.' }],
            auditedAt: [{ code: 3010, message: 'The AuditedAt field is required.' }],
          },
        },
      },
      notificationMessages: {},
    },
  },
  {
    name: 'customers 2: refuses illegal custom fields, by value list and by attribute, with 422, code 3010',
    ...post(bodyOf('X', custom({ zone: 'Z9', agent: 'XX', class: 3 }))),
    status: 422,
    findings: {
      'customFieldGroups.delivery.zone': [3010, 'Illegal value.'],
      'customFieldGroups.delivery.agent': [3010, 'Illegal value.'],
      'customFieldGroups.delivery.class': [3010, 'Illegal value.'],
    },
  },
  {
    name: 'customers 2: refuses custom fields that are too long or out of their range with 422, code 3010',
    ...post(
      bodyOf(
        'X',
        custom({ route: 'R23456', stops: 10, weight: 99.6 }, { rating: { score: 0.5, auditedAt: '2026-01-31' } }),
      ),
    ),
    status: 422,
    findings: {
      'customFieldGroups.delivery.route': [
        3010,
        'The field Route must be a string or array type with a maximum length of 5.',
      ],
      'customFieldGroups.delivery.stops': [3010, 'The field Stops must be at least 1 and at most 9.'],
      'customFieldGroups.delivery.weight': [3010, 'The field Weight must be at most 99.5.'],
      'customFieldGroups.rating.score': [3010, 'The field Score must be at least 1 and at most 10.'],
    },
  },
  {
    name: 'customers 2: refuses a custom field below its range',
    ...post(bodyOf('X', custom({ stops: -1 }))),
    status: 422,
    findings: { 'customFieldGroups.delivery.stops': [3010, 'The field Stops must be at least 1 and at most 9.'] },
  },
  {
    name: 'customers 2: refuses custom fields of a wrong type with 400, code 1010, naming them',
    ...post(bodyOf('X', custom({ stops: 'many', isFragile: 'perhaps', since: 'soon' }))),
    status: 400,
    json: {
      code: 1010,
      message:
        'The field customFieldGroups.delivery.stops must be an integer. ' +
        'The field customFieldGroups.delivery.isFragile must be a boolean. ' +
        'The field customFieldGroups.delivery.since must be a date-time.',
    },
  },
  {
    name: 'customers 2: refuses a required custom field of a wrong type once, with 400, code 1010',
    ...post(bodyOf('X', custom({}, { rating: { score: 'good', auditedAt: 'soon' } }))),
    status: 400,
    json: {
      code: 1010,
      message:
        'The field customFieldGroups.rating.score must be a number. ' +
        'The field customFieldGroups.rating.auditedAt must be a date-time.',
    },
  },
  {
    name: 'customers 2: refuses values of a wrong type with 400, code 1010, naming them',
    ...post(
      bodyOf('X', { customerName: ['x'], invoice: { creditLimit: 'much' }, payment: { expiryDate: '2026-02-30' } }),
    ),
    status: 400,
    json: {
      code: 1010,
      message:
        'The field customerName must be a string. The field invoice.creditLimit must be a number. ' +
        'The field payment.expiryDate must be a date-time.',
    },
  },
  {
    name: 'customers 2: refuses a list and groups of a wrong type once each',
    ...post(bodyOf('X', { contactPoints: 'x', invoice: 1, payment: [] })),
    status: 400,
    json: {
      code: 1010,
      message:
        'The field contactPoints must be an array. The field invoice must be an object. The field payment must be an object.',
    },
  },
  {
    name: 'decision 1: answers findings of both kinds together with 422, each in its place, the record as it was sent',
    ...post(
      bodyOf('X', {
        customerName: 'n'.repeat(256),
        aliasName: {},
        payment: { payMethod: 'XX', bankAccount: 'b'.repeat(36) },
        contactPoints: [{ contactPointType: '2', address: { postcode: 'p'.repeat(16) } }],
      }),
    ),
    status: 422,
    includes: { customerId: 'X', payment: { payMethod: 'XX' }, contactPoints: [{ contactPointType: '2' }] },
    findings: {
      aliasName: [1010, 'The field aliasName must be a string.'],
      customerName: tooLong('customerName', 255),
      'payment.payMethod': [3010, 'Illegal value.'],
      'payment.bankAccount': tooLong('bankAccount', 35),
      'contactPoints.0.address.postcode': tooLong('postcode', 15),
      contactPoints: NO_GENERAL,
    },
  },
  { name: 'customers 2: refuses malformed JSON with 400', ...post('{"customerId":'), status: 400, code: 1010 },
  { name: 'customers 2: refuses a body that is no object with 400', ...post([]), status: 400, code: 1010 },
  { name: 'customers 2: refuses an empty body with 400', ...post(''), status: 400, code: 1010 },
  {
    name: 'decision 1: refuses two companies that differ in query and body with 400, code 1010',
    ...post(bodyOf('X', { companyId: 'EN' }), { url: `${CUSTOMERS}?companyId=NU` }),
    status: 400,
    code: 1010,
  },
  {
    name: 'customers 2: refuses a company that keeps no customers with 422, code 3010',
    ...post(bodyOf('X', { companyId: 'NC' })),
    status: 422,
    code: 3010,
  },
  ...guarded('customers 2', { method: 'POST', url: CUSTOMERS, body: bodyOf('X') }),
  {
    name: 'customers 2: refuses a caller who may only read',
    as: 'reader',
    ...post(bodyOf('X')),
    status: 403,
    code: 2030,
  },
]

function tooLong(field: string, most: number): [number, string] {
  const name = field[0]?.toUpperCase() + field.slice(1)
  return [1010, `The field ${name} must be a string or array type with a maximum length of ${most}.`]
}

type FieldName = string

/** Where each text of the record stands; companyId is left out, for a company of another name is 403. */
const PLACES = new Map<string, FieldName>(
  Object.entries({
    '': ['aliasName', 'companyRegistrationNumber', 'countryCode', 'customerGroupId', 'customerId', 'customerName'],
    'invoice.': ['currencyCode', 'languageCode', 'paymentTermsId'],
    'payment.': ['bankAccount', 'debtCollectionCode', 'payMethod', 'postalAccount'],
    'contactPoints.2.additionalContactInfo.': ['contactPerson', 'contactPosition', 'eMail', 'eMailCc', 'gtin', 'url'],
    'contactPoints.2.address.': ['countryCode', 'place', 'postcode', 'province', 'streetAddress'],
    'contactPoints.2.phoneNumbers.': [1, 2, 3, 4, 5, 6, 7].map((number) => `telephone${number}`),
  }).flatMap(([group, fields]) => fields.map((field): [string, FieldName] => [group + field, field as FieldName])),
)
PLACES.set('externalReference', 'externalReference')

/** A customer of company SV, which lets every code pass, with texts at some places. */
function withTexts(texts: Iterable<readonly [path: string, text: string]>): Record<string, unknown> {
  const body = {
    ...bodyOf('LENGTHS', { relatedValues: [], customFieldGroups: {} }),
    contactPoints: [1, 2, 3].map(() => ({ contactPointType: '1' })),
  }
  for (const [path, text] of texts) {
    const parts = path.split('.')
    let container: Record<string, unknown> = body
    for (const part of parts.slice(0, -1)) {
      container[part] ??= {}
      container = container[part] as Record<string, unknown>
    }
    container[parts.at(-1) ?? ''] = text
  }
  return body
}

const lengths: Scenario[] = [...PLACES].map(([path, field]) => ({
  name: `decision 5: refuses ${path} of ${limitOf(field) + 1} characters with 400, code 1010`,
  as: 'sv',
  ...post(withTexts([[path, 'x'.repeat(limitOf(field) + 1)]])),
  status: 400,
  findings: { [path]: tooLong(field, limitOf(field)) },
}))

onEachStoreWithCustomers('POST /v1/customers', (world) => {
  runScenarios(world, accepted)
  runScenarios(world, refused)
  runScenarios(world, lengths)

  it('decision 5: has a place for every maximum length', () => {
    expect([...new Set(PLACES.values()), 'companyId'].sort()).toEqual(Object.keys(CUSTOMER_LENGTHS).sort())
  })

  it('decision 5: takes every text at its maximum length', async () => {
    const texts = [...PLACES].map(([path, field]) => [path, 'x'.repeat(limitOf(field))] as const)
    const answer = await world().send({ as: 'sv', ...post(withTexts(texts)) })
    expect([answer.status, answer.status === 201 ? '' : answer.text]).toEqual([201, ''])
    expect(answer.json).toMatchObject({ ...withTexts(texts), customFieldGroups: {} })
  })

  it('decision 5: counts characters, as the description does, not halves of them', async () => {
    const texts = [...PLACES].map(([path, field]) => [path, '😀'.repeat(limitOf(field))] as const)
    const others = texts.filter(([path]) => path !== 'customerId')
    const answer = await world().send({ as: 'sv', ...post({ ...withTexts(others), customerId: 'EMOJI' }) })
    expect([answer.status, answer.status === 201 ? answer.json.customerName : answer.text]).toEqual([
      201,
      '😀'.repeat(limitOf('customerName')),
    ])
  })

  it('decision 5: refuses every text that is too long at once', async () => {
    const texts = [...PLACES].map(([path, field]) => [path, 'x'.repeat(limitOf(field) + 1)] as const)
    const answer = await world().send({ as: 'sv', ...post(withTexts(texts)) })
    expect(answer.status).toBe(400)
    expect(Object.keys(findingsIn(answer.json)).sort()).toEqual([...PLACES.keys()].sort())
  })

  it('decision 5: refuses a customer that exists with 400, code 3010 on customerId, and changes nothing', async () => {
    await create(world(), 'TWICE')
    const before = await world().dump()
    const again = await world().send({ as: 'integration', ...post(bodyOf('TWICE', { customerName: 'Other' })) })
    expect([again.status, again.json]).toEqual([
      400,
      {
        ...bodyOf('TWICE', { customerName: 'Other' }),
        notificationMessages: {
          customerId: [
            { code: 3010, message: expect.stringMatching(/^The data was changed or deleted by another user/) },
          ],
        },
      },
    ])
    expect(again.text).toContain('"code":3010')
    expect(await world().changesSince(before)).toEqual([])
  })

  it('decision 5: creates one customer and refuses all others when equal requests come at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => world().send({ as: 'integration', ...post(bodyOf('RACE')) })),
    )
    expect(answers.map((answer) => answer.status).sort()).toEqual([201, ...Array.from({ length: 19 }, () => 400)])
    for (const answer of answers.filter((one) => one.status === 400)) {
      expect(Object.keys(findingsIn(answer.json))).toEqual(['customerId'])
    }
  })

  it('customers 2: gives 32 customers that come at once 32 numbers without a gap or repeat', async () => {
    const first = await world().send({ as: 'integration', ...post(numberedBody()) })
    const answers = await Promise.all(
      Array.from({ length: 48 }, (_, index) =>
        world().send({
          as: 'integration',
          ...post(numberedBody(index % 3 === 0 ? { countryCode: 'XX' } : { customerName: `Parallel ${index}` })),
        }),
      ),
    )
    expect(answers.map((answer) => answer.status)).toEqual(answers.map((_, index) => (index % 3 === 0 ? 422 : 201)))
    const numbers = answers.flatMap(({ status, json }) => (status === 201 ? [Number(json.customerId)] : []))
    const next = Number(first.json.customerId) + 1
    expect(numbers.sort((a, b) => a - b)).toEqual(Array.from({ length: 32 }, (_, index) => next + index))
  })

  it('customers 2: refuses with 422, code 1010 when the series is used up', async () => {
    const body = {
      companyId: 'LT',
      customerName: 'Limited',
      customerGroupId: 'any',
      countryCode: 'any',
      contactPoints: [{ contactPointType: 'HQ' }],
    }
    const send = () => world().send({ as: 'integration', ...post(body) })
    expect([(await send()).json.customerId, (await send()).json.customerId]).toEqual(['L001', 'L002'])
    const before = await world().dump()
    for (const answer of [await send(), await send()]) {
      expect([answer.status, findingsIn(answer.json)]).toEqual([
        422,
        { customerId: [1010, 'Auto-numbering series is missing'] },
      ])
    }
    expect(await world().changesSince(before)).toEqual([])
  })

  it('decision 5: answers 201 with the customer as GET returns it, and an ETag', async () => {
    const created = await create(world(), 'SAME', { externalReference: 1.5 })
    const read = await world().send({ as: 'integration', url: urlOf('SAME') })
    expect([read.text, read.headers.etag]).toEqual([created.text, created.headers.etag])
    expect(String(created.headers.etag)).toMatch(/^"/)
  })

  it('customers 2: writes journal entries of the customer, its value and its relations', async () => {
    const created = await create(world(), 'JOURNAL')
    const entries = await world().query(
      `select * from audit_entry where record_key like '%"JOURNAL"%' order by entry_no`,
    )
    expect(entries.map(({ entity, operation, user_id, client_id }) => [entity, operation, user_id, client_id])).toEqual(
      ['customer', 'attribute-value', 'attribute-relation'].map((entity) => [
        entity,
        'create',
        'svc-integration',
        'integration',
      ]),
    )
    expect([entries[0]?.before, JSON.parse(String(entries[0]?.after))]).toEqual(['', created.json])
  })
})
