// PATCH /v1/customers/{customerId}: specification, customers 3; decisions 1, 2 (whole call) and 5.

import { beforeAll, expect, it } from 'vitest'
import {
  add,
  create,
  GENERAL,
  guarded,
  numberedBody,
  onEachStoreWithCustomers,
  post,
  remove,
  replace,
  urlOf,
} from '../support/customers.ts'
import { runScenarios, type Scenario } from '../support/scenario.ts'
import { limitOf } from '../support/text-limits.ts'

const url = urlOf('PATCH')
const patch = (body: unknown, rest: Partial<Scenario> = {}) => ({ method: 'PATCH', url, body, ...rest }) as const

/** Each row continues with the state that the earlier rows have left. */
const changed: Scenario[] = [
  {
    name: 'customers 3: replaces the paths of the specification in one call and answers the customer whole (decision 5)',
    ...patch([
      replace('/payment/payMethod', 'IP'),
      replace('/invoice/currencyCode', 'NOK'),
      replace('/contactPoints/0/additionalContactInfo/contactPerson', 'Kari Nordmann'),
      replace('/payment/status', 'Parked'),
      replace('/countryCode', 'SE'),
    ]),
    status: 200,
    includes: {
      customerId: 'PATCH',
      countryCode: 'SE',
      invoice: { currencyCode: 'NOK' },
      payment: { payMethod: 'IP', status: 'Parked' },
      contactPoints: [{ contactPointType: '1', additionalContactInfo: { contactPerson: 'Kari Nordmann' } }],
    },
  },
  {
    name: 'customers 3: adds a contact point at the end, and changes every part of it by its index',
    ...patch([
      add('/contactPoints/-', { contactPointType: '2', address: { place: 'Bergen', countryCode: 'NO' }, sortOrder: 2 }),
      replace('/contactPoints/1/address/postcode', 5003),
      replace('/contactPoints/1/phoneNumbers/telephone7', 47),
      add('/contactPoints/1/additionalContactInfo/url', 'https://example.com'),
      remove('/contactPoints/1/address/countryCode'),
      replace('/contactPoints/1/sortOrder', '7'),
    ]),
    status: 200,
    includes: {
      contactPoints: [
        { contactPointType: '1' },
        {
          contactPointType: '2',
          address: { place: 'Bergen', postcode: '5003', countryCode: '' },
          phoneNumbers: { telephone7: '47' },
          additionalContactInfo: { url: 'https://example.com' },
          sortOrder: 7,
        },
      ],
    },
  },
  {
    name: 'customers 3: replaces a whole address and all phone numbers (habits, whole objects)',
    ...patch([
      replace('contactPoints/1/address', { Place: 'Tromsø' }),
      replace('/contactPoints/1/phoneNumbers', { telephone1: '1', telephone7: null }),
    ]),
    status: 200,
    includes: {
      contactPoints: [
        {},
        { address: { place: 'Tromsø', postcode: '' }, phoneNumbers: { telephone1: '1', telephone7: '' }, sortOrder: 7 },
      ],
    },
  },
  {
    name: 'customers 3: removes a contact point by its index',
    ...patch([remove('/contactPoints/1')]),
    status: 200,
    includes: { contactPoints: [{ contactPointType: '1' }] },
  },
  {
    name: 'customers 3: replaces all contact points at once',
    ...patch([replace('/contactPoints', [{ contactPointType: '3' }, GENERAL, { contactPointType: '1' }])]),
    status: 200,
    includes: { contactPoints: [{ contactPointType: '3' }, { contactPointType: '1' }, { contactPointType: '1' }] },
  },
  {
    name: 'customers 3: removes a General contact point while another one is left',
    ...patch([remove('/contactPoints/2')]),
    status: 200,
    includes: { contactPoints: [{ contactPointType: '3' }, { contactPointType: '1' }] },
  },
  {
    name: 'customers 3: takes members in the order path, op, value, capitalised and without the slash (habits)',
    ...patch([
      { path: 'CustomerName', op: 'Replace', value: 'Renamed' },
      { Path: 'INVOICE/hasFixedCurrency', OP: 'REPLACE', Value: 'true' },
      { path: '/Payment/BankAccount', op: 'Add', value: 12345678903 },
    ]),
    status: 200,
    includes: {
      customerName: 'Renamed',
      invoice: { hasFixedCurrency: true },
      payment: { bankAccount: '12345678903' },
    },
  },
  {
    name: 'customers 3: takes custom field groups in both letter cases within one call (habits)',
    ...patch([
      replace('/customFieldGroups/delivery/zone', 'Z1'),
      replace('/CustomFieldGroups/DELIVERY/Stops', '3'),
      replace('customfieldgroups/Delivery/isfragile', 'True'),
      replace('/customFieldGroups/delivery/since', '2026-03-01'),
      add('/customFieldGroups/notes/text', 'ring first'),
    ]),
    status: 200,
    includes: {
      customFieldGroups: {
        delivery: { route: 'R1', zone: 'Z1', stops: 3, isFragile: true, since: '2026-03-01T00:00:00.000' },
        notes: { text: 'ring first' },
      },
    },
  },
  {
    name: 'customers 3: removes a custom field',
    ...patch([remove('/customFieldGroups/delivery/stops'), remove('/customFieldGroups/notes/text')]),
    status: 200,
    includes: { customFieldGroups: { delivery: { stops: 0, zone: 'Z1' }, notes: { text: '' } } },
  },
  {
    name: 'customers 3: replaces a custom field group as a whole object (habits): what is not given is absent',
    ...patch([replace('/customFieldGroups/Delivery', { Route: 'R2', AGENT: 'CH', unknown: 1 })]),
    status: 200,
    includes: { customFieldGroups: { delivery: { route: 'R2', agent: 'CH', zone: '', isFragile: false } } },
  },
  {
    name: 'customers 3: replaces all custom field groups as one object',
    ...patch([
      replace('/customFieldGroups', { delivery: { route: 'R3' }, rating: { score: 1, auditedAt: '2026-01-01' } }),
    ]),
    status: 200,
    includes: {
      customFieldGroups: {
        delivery: { route: 'R3', agent: '' },
        rating: { score: 1, auditedAt: '2026-01-01T00:00:00.000' },
      },
    },
  },
  {
    name: 'customers 3: replaces invoice and payment as whole objects (habits)',
    ...patch([
      replace('/invoice', { CreditLimit: '1e3', LanguageCode: 'EN', CheckCreditOnHeadOffice: 'TRUE' }),
      replace('/payment', { debtCollectionCode: 'D1', expiryDate: '2027-01-01', status: 'p' }),
    ]),
    status: 200,
    includes: {
      invoice: { creditLimit: 1000, languageCode: 'EN', currencyCode: '', checkCreditOnHeadOffice: true },
      payment: { debtCollectionCode: 'D1', bankAccount: '', expiryDate: '2027-01-01T00:00:00.000', status: 'Parked' },
    },
  },
  {
    name: 'customers 3: sets removed fields of every kind back to absent',
    ...patch([
      replace('/externalReference', 47),
      replace('/aliasName', 'alias'),
      remove('/aliasName'),
      remove('/externalReference'),
      remove('/invoice/creditLimit'),
      remove('/invoice/checkCreditOnHeadOffice'),
      remove('/payment/expiryDate'),
      replace('/payment/debtCollectionCode', null),
      remove('/payment/status'),
    ]),
    status: 200,
    includes: {
      aliasName: '',
      externalReference: '',
      invoice: { creditLimit: 0, checkCreditOnHeadOffice: false },
      payment: { expiryDate: '2099-12-31T00:00:00.000', debtCollectionCode: '', status: 'Active' },
    },
  },
  {
    name: 'decision 5: keeps an external reference as it is sent, number or text',
    ...patch([replace('/externalReference', 4711)]),
    status: 200,
    includes: { externalReference: 4711 },
  },
  {
    name: 'decision 5: adds, changes and removes related values as on attribute values',
    ...patch([
      add('/relatedValues/-', { relationId: 'REGION', relatedValue: 'N', percentage: '60' }),
      add('/relatedValues/-', { RelationId: 'REGION', RelatedValue: 'S', Percentage: 40 }),
      replace('/relatedValues/1/percentage', 12.5),
      replace('/relatedValues/1/unitValue', 3),
      replace('/relatedValues/1/dateFrom', '2026-01-31'),
      replace('/relatedValues/2/relatedValue', 'W'),
      replace('/relatedValues/0/relatedValue', 'NO2'),
    ]),
    status: 200,
    includes: {
      relatedValues: [
        { relationId: 'LEGALID', relatedValue: 'NO2' },
        { relatedValue: 'N', percentage: 12.5, unitValue: 3, dateFrom: '2026-01-31T00:00:00.000' },
        { relatedValue: 'W', percentage: 40 },
      ],
    },
  },
  {
    name: 'decision 5: replaces all related values at once',
    ...patch([replace('/relatedValues', [{ relationId: 'LEGALID', relatedValue: 'NO1' }])]),
    status: 200,
    includes: { relatedValues: [{ relationId: 'LEGALID', relatedValue: 'NO1' }] },
  },
  {
    name: 'customers 3: takes the media type of JSON Patch with a charset, and unknown query parameters (habits)',
    ...patch([replace('/aliasName', 'x')], {
      url: `${url}?foo=bar&companyId=en`,
      headers: { 'content-type': 'application/json-patch+json; charset=utf-8' },
    }),
    status: 200,
    includes: { aliasName: 'x' },
  },
  { name: 'customers 3: takes an empty array as no change', ...patch([]), status: 200, includes: { aliasName: 'x' } },
]

const ILLEGAL = [3010, 'Illegal value.'] as const
const tooLong = (field: string, most: number) =>
  [1010, `The field ${field} must be a string or array type with a maximum length of ${most}.`] as const
const required = (field: string) => [1010, `The ${field} field is required.`] as const

const refused: Scenario[] = [
  ...(
    [
      ['/nope'],
      ['/customerId'],
      ['/companyId'],
      ['/lastUpdated'],
      ['/lastUpdated/updatedBy'],
      ['/invoice/nope'],
      ['/customFieldGroups/nope/field'],
      ['/customFieldGroups/delivery/nope'],
      ['/contactPoints/x/address'],
    ] as const
  ).map(
    ([path]): Scenario => ({
      name: `customers 3: refuses the path ${path} with 400, code 4020`,
      ...patch([replace(path, 'x')]),
      status: 400,
      json: { code: 4020, message: `PatchOperation index 0: Provided path '${path}' is invalid` },
    }),
  ),
  ...['', '/', '/customerName/x', '/payment/status/x'].map(
    (path): Scenario => ({
      name: `customers 3: refuses the path '${path}', which names no member, with 400, code 4020`,
      ...patch([replace(path, 'x')]),
      status: 400,
      json: {
        code: 4020,
        message: `PatchOperation index 0: Path does not specify object member. Provided path '${path}' is invalid`,
      },
    }),
  ),
  ...(
    [
      [replace('/contactPoints/7/address/place', 'x'), 7],
      [remove('/contactPoints/2'), 2],
      [replace('/contactPoints/2', GENERAL), 2],
      [remove('/relatedValues/1'), 1],
      [replace('/relatedValues/5/percentage', 1), 5],
    ] as const
  ).map(
    ([operation, index]): Scenario => ({
      name: `customers 3: refuses the index of ${operation.op} ${operation.path}, out of range, with 400, code 4023`,
      ...patch([operation]),
      status: 400,
      json: { code: 4023, message: `Provided index (${index}) is out of range` },
    }),
  ),
  ...(
    [
      ['/invoice/creditLimit', 'much', 'number'],
      ['/invoice/hasFixedCurrency', 'perhaps', 'boolean'],
      ['/payment/expiryDate', '2026-02-30', 'date-time'],
      ['/contactPoints/0/sortOrder', '1.5', 'integer'],
      ['/customFieldGroups/delivery/stops', 'many', 'integer'],
      ['/customFieldGroups/rating/auditedAt', 'soon', 'date-time'],
      ['/invoice', 'x', 'object'],
      ['/contactPoints', 'x', 'array'],
      ['/externalReference', true, 'string or number'],
    ] as const
  ).map(
    ([path, value, type]): Scenario => ({
      name: `decision 5: refuses ${value} for ${path} with 400, code 4030`,
      ...patch([replace(path, value)]),
      status: 400,
      json: {
        code: 4030,
        message: `PatchOperation index 0: The value '${value}' of path '${path}' cannot be converted to ${type}`,
      },
    }),
  ),
  {
    name: 'decision 2: refuses an unsupported operation with 400, code 4020',
    ...patch([{ op: 'move', path: '/aliasName', value: 'x' }]),
    status: 400,
    code: 4020,
  },
  {
    name: 'decision 2: refuses an operation without op, one without path and one without value, all in one answer',
    ...patch([
      { path: '/aliasName', value: 'x' },
      { op: 'replace', value: 'x' },
      { op: 'add', path: '/aliasName' },
    ]),
    status: 400,
    code: 4020,
  },
  { name: 'customers 3: refuses malformed JSON with 400', ...patch('[{"op":'), status: 400, code: 1010 },
  {
    name: 'customers 3: refuses a body that is no array with 400',
    ...patch({ op: 'replace' }),
    status: 400,
    code: 1010,
  },
  {
    name: 'decision 2: refuses to change the type of a contact point, which is its key',
    ...patch([replace('/contactPoints/0/contactPointType', '2')]),
    status: 400,
    json: { code: 3010, message: 'Updating key value ContactPointType is not supported' },
  },
  ...(
    [
      ['/countryCode', 'countryCode'],
      ['/customerGroupId', 'customerGroupId'],
      ['/invoice/currencyCode', 'invoice.currencyCode'],
      ['/invoice/languageCode', 'invoice.languageCode'],
      ['/invoice/paymentTermsId', 'invoice.paymentTermsId'],
      ['/payment/payMethod', 'payment.payMethod'],
      ['/payment/debtCollectionCode', 'payment.debtCollectionCode'],
      ['/payment/status', 'payment.status'],
      ['/contactPoints/1/address/countryCode', 'contactPoints.1.address.countryCode'],
      ['/customFieldGroups/delivery/zone', 'customFieldGroups.delivery.zone'],
      ['/customFieldGroups/delivery/agent', 'customFieldGroups.delivery.agent'],
    ] as const
  ).map(
    ([path, place]): Scenario => ({
      name: `customers 3: refuses an illegal value for ${path} with 422, code 3010`,
      ...patch([replace(path, 'XX')]),
      status: 422,
      findings: { [place]: ILLEGAL },
    }),
  ),
  {
    name: 'customers 3: refuses to remove what is required with 422, every one of it',
    ...patch([
      remove('/customerName'),
      replace('/customerGroupId', ''),
      replace('/countryCode', null),
      remove('/customFieldGroups/rating'),
      remove('/customFieldGroups/delivery/route'),
    ]),
    status: 422,
    findings: {
      customerName: required('CustomerName'),
      customerGroupId: required('CustomerGroupId'),
      countryCode: required('CountryCode'),
      'customFieldGroups.delivery.route': [3010, 'The Route field is required.'],
      'customFieldGroups.rating.score': [3010, 'The Score field is required.'],
      'customFieldGroups.rating.auditedAt': [3010, 'The AuditedAt field is required.'],
    },
  },
  {
    name: 'customers 3: refuses custom fields out of their range or too long with 422, code 3010, in their group',
    ...patch([
      replace('/customFieldGroups/delivery/stops', 10),
      replace('/customFieldGroups/rating/score', 0.5),
      replace('/customFieldGroups/notes/text', 'x'.repeat(21)),
    ]),
    status: 422,
    findings: {
      'customFieldGroups.delivery.stops': [3010, 'The field Stops must be at least 1 and at most 9.'],
      'customFieldGroups.rating.score': [3010, 'The field Score must be at least 1 and at most 10.'],
      'customFieldGroups.notes.text': [
        3010,
        'The field Text must be a string or array type with a maximum length of 20.',
      ],
    },
  },
  {
    name: 'customers 3: refuses texts that are too long with 400, code 1010, each in its place',
    ...patch([
      replace('/customerName', 'x'.repeat(limitOf('customerName') + 1)),
      replace('/payment/bankAccount', 'x'.repeat(limitOf('bankAccount') + 1)),
      replace('/contactPoints/1/address/postcode', 'x'.repeat(limitOf('postcode') + 1)),
      replace('/externalReference', 'x'.repeat(limitOf('externalReference') + 1)),
    ]),
    status: 400,
    findings: {
      customerName: tooLong('CustomerName', 255),
      'payment.bankAccount': tooLong('BankAccount', 35),
      'contactPoints.1.address.postcode': tooLong('Postcode', 15),
      externalReference: tooLong('ExternalReference', 100),
    },
  },
  ...(
    [
      ['removing it', [remove('/contactPoints/1')]],
      ['removing all', [remove('/contactPoints')]],
      ['replacing all', [replace('/contactPoints', [{ contactPointType: '2' }])]],
    ] as const
  ).map(
    ([how, operations]): Scenario => ({
      name: `decision 5: refuses to lose the last General contact point by ${how} with 422, code 3010`,
      ...patch(operations),
      status: 422,
      findings: { contactPoints: [3010, 'A contact point of the General type is required.'] },
    }),
  ),
  {
    name: 'decision 2: refuses to remove a mandatory relation with 422, code 3010',
    ...patch([remove('/relatedValues/0')]),
    status: 422,
    findings: { relatedValues: [3010, 'The relation Legal entity is mandatory'] },
  },
  {
    name: 'decision 2: refuses a relation that exists, an illegal related value and a relation without its id',
    ...patch([
      add('/relatedValues/-', { relationId: 'LEGALID', relatedValue: 'NO1' }),
      add('/relatedValues/-', { relationId: 'REGION', relatedValue: 'Q' }),
      add('/relatedValues/-', { relatedValue: 'N' }),
    ]),
    status: 422,
    findings: {
      'relatedValues.1.relatedValue': [
        3010,
        'CUSTOMER : PATCH is already connected to LEGALENTITY: NO1 on client EN. Duplicates or overlaps are not allowed',
      ],
      'relatedValues.2.relatedValue': [3010, 'Q is not a legal REGION'],
      'relatedValues.3.relationId': [1010, 'The RelationId field is required.'],
    },
  },
  {
    name: 'decision 2: refuses a percentage above 100 and an end before the start',
    ...patch([
      add('/relatedValues/-', { relationId: 'REGION', relatedValue: 'N', percentage: 101 }),
      add('/relatedValues/-', {
        relationId: 'REGION',
        relatedValue: 'S',
        dateFrom: '2026-02-01',
        dateTo: '2026-01-01',
      }),
    ]),
    status: 422,
    findings: {
      'relatedValues.1.percentage': [3010, 'The field Percentage must be between 0 and 100'],
      'relatedValues.2.dateTo': [3010, 'The field DateTo must not be before DateFrom'],
    },
  },
  {
    name: 'decision 2: changes nothing when one operation of several fails, and tells of every one that does',
    ...patch([replace('/aliasName', 'half'), replace('/nope', 1), replace('/invoice/creditLimit', 'x')]),
    status: 400,
    json: {
      code: 4020,
      message:
        "PatchOperation index 1: Provided path '/nope' is invalid; " +
        "PatchOperation index 2: The value 'x' of path '/invoice/creditLimit' cannot be converted to number",
    },
  },
  {
    name: 'decision 2: changes nothing when one value of several is illegal',
    ...patch([replace('/aliasName', 'half'), replace('/countryCode', 'XX'), replace('/relatedValues/0/unitValue', 9)]),
    status: 422,
    findings: { countryCode: ILLEGAL },
  },
  {
    name: 'customers 3: refuses an unknown customer with 404, code 1040',
    ...patch([replace('/aliasName', 'x')], { url: urlOf('NOBODY') }),
    status: 404,
    json: {
      code: 1040,
      message: 'The entity of the following parameters [Company: EN, Customer: NOBODY] was not found.',
    },
  },
  ...guarded('customers 3', patch([replace('/aliasName', 'x')])),
  {
    name: 'customers 3: refuses a caller who may only read with 403',
    as: 'reader',
    ...patch([replace('/aliasName', 'x')]),
    status: 403,
    json: { code: 2030, message: 'User is not authorized' },
  },
]

onEachStoreWithCustomers('PATCH /v1/customers/{customerId}', (world) => {
  beforeAll(async () => {
    await create(world(), 'PATCH')
  })

  runScenarios(world, changed)
  runScenarios(world, refused)

  const send = (customerId: string, body: unknown, headers = {}) =>
    world().send({ as: 'integration', method: 'PATCH', url: urlOf(customerId), body, headers })
  const get = (customerId: string) => world().send({ as: 'integration', url: urlOf(customerId) })

  it('decision 5: answers 200 with the customer as GET returns it, and its new ETag', async () => {
    const created = await create(world(), 'ANSWER')
    const answer = await send('ANSWER', [replace('/aliasName', 'a'), replace('/customerName', 'b')])
    const read = await get('ANSWER')
    expect([answer.status, answer.text, answer.headers.etag]).toEqual([200, read.text, read.headers.etag])
    expect(answer.headers.etag).not.toBe(created.headers.etag)
  })

  it('decision 5: refuses an If-Match that no longer holds with 409, code 3090, saying who changed what', async () => {
    const tag = (await create(world(), 'MATCH')).headers.etag
    const first = await send('MATCH', [replace('/aliasName', 'first')], { 'if-match': tag })
    expect(first.status).toBe(200)
    const before = await world().dump()
    const second = await send('MATCH', [replace('/aliasName', 'second')], { 'if-match': tag })
    expect([second.status, second.json.code]).toEqual([409, 3090])
    expect(second.json.message).toMatch(
      /^The data was changed or deleted by another user: svc-integration changed aliasName\b.* at \d{4}-/,
    )
    expect(await world().changesSince(before)).toEqual([])
    expect((await send('MATCH', [], { 'if-match': first.headers.etag })).status).toBe(200)
  })

  it('decision 5: of two changes with the same If-Match at once, one is 200 and one is 409', async () => {
    for (const round of [1, 2, 3, 4]) {
      const tag = (await create(world(), `BOTH${round}`)).headers.etag
      const answers = await Promise.all(
        ['one', 'two'].map((alias) => send(`BOTH${round}`, [replace('/aliasName', alias)], { 'if-match': tag })),
      )
      expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409])
      const winner = answers.find((answer) => answer.status === 200)
      expect((await get(`BOTH${round}`)).text).toBe(winner?.text)
    }
  })

  it('decision 2: keeps every one of many additions that come at once', async () => {
    await create(world(), 'MANY')
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, index) =>
        send('MANY', [add('/contactPoints/-', { contactPointType: '2', sortOrder: index + 1 })]),
      ),
    )
    expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => 200))
    const orders = (await get('MANY')).json.contactPoints.map((point: { sortOrder: number }) => point.sortOrder)
    expect(orders.sort((a: number, b: number) => a - b)).toEqual(Array.from({ length: 17 }, (_, index) => index))
  })

  it('customers 3: replaces a whole contact point by its index', async () => {
    await create(world(), 'KEY', { contactPoints: [GENERAL, { contactPointType: '2' }] })
    const same = await send('KEY', [replace('/contactPoints/1', { contactPointType: '2', sortOrder: 4 })])
    expect([same.status, same.json.contactPoints?.[1].sortOrder]).toEqual([200, 4])
  })

  it('customers 3: leaves alone what was legal when it was written', async () => {
    await create(world(), 'OLD', { payment: { payMethod: 'CH' } })
    const close = (method: 'DELETE' | 'PATCH', body?: unknown) =>
      world().send({ as: 'integration', method, url: '/v1/attribute-values/PM/CH/0', ...(body ? { body } : {}) })
    expect((await close('DELETE')).status).toBe(200)
    expect((await send('OLD', [replace('/aliasName', 'still')])).status).toBe(200)
    expect((await send('OLD', [replace('/payment/payMethod', 'IP')])).status).toBe(200)
    expect((await send('OLD', [replace('/payment/payMethod', 'CH')])).status).toBe(422)
    await close('PATCH', [replace('/status', 'N')])
  })

  it('customers 3: changes a customer of a company that numbers them', async () => {
    const { json } = await world().send({ as: 'integration', ...post(numberedBody()) })
    const answer = await world().send({
      as: 'integration',
      method: 'PATCH',
      url: `${urlOf(json.customerId)}?companyId=nu`,
      body: [replace('/aliasName', 'numbered')],
    })
    expect([answer.status, answer.json.aliasName, answer.json.customerId]).toEqual([200, 'numbered', json.customerId])
  })

  it('customers 3: writes a journal entry of the change, one of the value and one of each relation', async () => {
    const created = await create(world(), 'JOURNAL')
    const answer = await send('JOURNAL', [
      replace('/customerName', 'Other'),
      add('/relatedValues/-', { relationId: 'REGION', relatedValue: 'N' }),
      replace('/relatedValues/0/relatedValue', 'NO2'),
    ])
    const entries = await world().query(
      `select * from audit_entry where record_key like '%"JOURNAL"%' order by entry_no`,
    )
    const changes = entries.slice(3)
    expect(changes.map(({ entity, operation }) => `${operation} ${entity}`).sort()).toEqual([
      'create attribute-relation',
      'create attribute-relation',
      'delete attribute-relation',
      'update attribute-value',
      'update customer',
    ])
    const ofCustomer = changes.find(({ entity }) => entity === 'customer')
    expect(JSON.parse(String(ofCustomer?.before))).toEqual(created.json)
    expect(JSON.parse(String(ofCustomer?.after))).toEqual(answer.json)
  })
})
