// POST /v1/attribute-values: specification, attribute values, rules 1 to 3; decision 2.
import { expect, it } from 'vitest'
import { runScenarios, type Scenario } from '../support/scenario.ts'
import { onEachStore } from '../support/world.ts'

const url = '/v1/attribute-values'
const post = (body: unknown, rest: Partial<Scenario> = {}) => ({ method: 'POST', url, body, ...rest }) as const

const empty = {
  attributeId: '',
  attributeName: '',
  attributeValue: '',
  companyId: 'EN',
  contactPoints: [],
  customValue: 0,
  description: '',
  owner: '',
  ownerAttributeId: '',
  ownerAttributeName: '',
  periodFrom: 0,
  periodTo: 209912,
  relatedValues: [],
  status: 'N',
}

const general = {
  additionalContactInfo: {
    contactPerson: 'Kari Nordmann',
    contactPosition: '',
    eMail: 'kari@example.com',
    eMailCc: '',
    gtin: '',
    url: '',
  },
  address: { countryCode: 'NO', place: 'Oslo', postcode: '0150', province: '', streetAddress: 'Storgata 1' },
  contactPointType: '1',
  phoneNumbers: {
    telephone1: '+47 22 00 00 00',
    telephone2: '',
    telephone3: '',
    telephone4: '',
    telephone5: '',
    telephone6: '',
    telephone7: '',
  },
  sortOrder: 1,
}

const accepted: Scenario[] = [
  {
    name: 'creates a value with the least that is needed, everything else absent (rule 3, no null)',
    ...post({ attributeId: 'C0', attributeValue: 'FLU' }),
    status: 201,
    json: { ...empty, attributeId: 'C0', attributeName: 'ABSREASON', attributeValue: 'FLU' },
    answerHeaders: { location: '/v1/attribute-values/C0/FLU/0' },
  },
  {
    name: 'creates a value with every field, periods as numeric strings (rule 3)',
    ...post({
      attributeId: 'C1',
      attributeValue: 'CC400',
      companyId: 'EN',
      description: 'Lager nord',
      periodFrom: '202601',
      periodTo: '202612',
      owner: '100',
      customValue: 12.5,
      status: 'N',
    }),
    status: 201,
    json: {
      ...empty,
      attributeId: 'C1',
      attributeName: 'COSTC',
      attributeValue: 'CC400',
      description: 'Lager nord',
      periodFrom: 202601,
      periodTo: 202612,
      owner: '100',
      ownerAttributeId: 'C2',
      ownerAttributeName: 'DEPT',
      customValue: 12.5,
    },
  },
  {
    name: 'creates a value with several relations, answered with their configuration (rule 3)',
    ...post({
      attributeId: 'C1',
      attributeValue: 'CC410',
      relatedValues: [
        { relationId: 'REL1', relatedValue: '200', percentage: 60, unitValue: 2.5 },
        {
          relationId: 'REL1',
          relatedValue: '100',
          percentage: 40,
          dateFrom: '2026-01-31',
          dateTo: '2026-12-31T12:30:00+01:00',
        },
      ],
    }),
    status: 201,
    includes: {
      relatedValues: [
        {
          dateFrom: '1900-01-01T00:00:00.000',
          dateTo: '2099-12-31T00:00:00.000',
          percentage: 60,
          relatedValue: '200',
          relationGroup: 'ORG',
          relationId: 'REL1',
          relationName: 'Department',
          unitValue: 2.5,
        },
        {
          dateFrom: '2026-01-31T00:00:00.000',
          dateTo: '2026-12-31T11:30:00.000',
          percentage: 40,
          relatedValue: '100',
          relationGroup: 'ORG',
          relationId: 'REL1',
          relationName: 'Department',
          unitValue: 0,
        },
      ],
    },
  },
  {
    name: 'creates a value with contact points, answered whole (rule 3)',
    ...post({ attributeId: 'C1', attributeValue: 'CC420', contactPoints: [general, { contactPointType: '2' }] }),
    status: 201,
    includes: { contactPoints: [general, { contactPointType: '2', sortOrder: 0, address: { place: '' } }] },
  },
  {
    name: 'gives the next number of the series when the attribute numbers its values (rule 3)',
    ...post({ attributeId: 'C5', description: 'First project' }),
    status: 201,
    includes: { attributeValue: 'P05000', description: 'First project' },
  },
  {
    name: 'gives the number after it when the value is sent empty (decision 2)',
    ...post({ attributeId: 'C5', attributeValue: '' }),
    status: 201,
    includes: { attributeValue: 'P05001' },
  },
  {
    name: 'takes single-valued relations that follow each other in time',
    ...post({
      attributeId: 'C0',
      attributeValue: 'MOVE',
      relatedValues: [
        { relationId: 'REL2', relatedValue: 'CC100', dateTo: '2025-12-31' },
        { relationId: 'REL2', relatedValue: 'CC200', dateFrom: '2026-01-01' },
      ],
    }),
    status: 201,
  },
  {
    name: 'creates a further period of a value that exists, when none overlaps',
    ...post({ attributeId: 'C1', attributeValue: 'CC400', periodFrom: 202701, periodTo: 202712 }),
    status: 201,
  },
  {
    name: 'makes a value active whatever status was sent (states)',
    ...post({ attributeId: 'C0', attributeValue: 'STAT', status: 'C' }),
    status: 201,
    includes: { status: 'N' },
  },
  {
    name: 'takes a PascalCase body with nulls and unknown members (decision 0)',
    ...post({
      AttributeId: 'C0',
      ATTRIBUTEVALUE: 'PASCAL',
      Description: null,
      CustomValue: '7.25',
      UnknownMember: { a: [1] },
      RelatedValues: null,
    }),
    status: 201,
    includes: { attributeValue: 'PASCAL', description: '', customValue: 7.25, relatedValues: [] },
  },
  {
    name: 'takes companyId in the query, in another letter case (decision 0)',
    ...post({ attributeId: 'C0', attributeValue: 'CASE' }, { url: `${url}?COMPANYID=en` }),
    status: 201,
    includes: { companyId: 'EN' },
  },
  {
    name: 'names the company in the location where it is not the default one of the caller',
    ...post({ attributeId: 'C1', attributeValue: 'CC700' }, { as: 'both', url: `${url}?companyId=sv` }),
    status: 201,
    includes: { companyId: 'SV' },
    answerHeaders: { location: '/v1/attribute-values/C1/CC700/0?companyId=sv' },
  },
  {
    name: 'takes a legal value with slashes and other letters',
    ...post({ attributeId: 'C6', attributeValue: 'Bygg1/2\u00d8st\u6771\u4eac' }),
    status: 201,
    answerHeaders: { location: '/v1/attribute-values/C6/Bygg1%2F2%C3%98st%E6%9D%B1%E4%BA%AC/0' },
  },
  {
    name: 'keeps 15 significant digits of a number',
    ...post({ attributeId: 'C0', attributeValue: 'DIGITS', customValue: 123456789.012345 }),
    status: 201,
    includes: { customValue: 123456789.012345 },
  },
]

const refused: Scenario[] = [
  {
    name: 'refuses a value of an attribute without manual maintenance (rule 1, decision 2)',
    ...post({ attributeId: 'SY', attributeValue: 'X' }),
    status: 422,
    findings: { attributeId: [3010, 'Attribute SYSREASON does not allow manual maintenance'] },
  },
  {
    name: 'refuses a body without its mandatory fields, naming both (rule 1, decision 1)',
    ...post({ description: 'x' }),
    status: 422,
    findings: {
      attributeId: [1010, 'The AttributeId field is required.'],
      attributeValue: [1010, 'The AttributeValue field is required.'],
    },
    includes: { description: 'x' },
  },
  {
    name: 'refuses a missing value where the attribute does not number (rule 1)',
    ...post({ attributeId: 'C0' }),
    status: 422,
    findings: { attributeValue: [1010, 'The AttributeValue field is required.'] },
  },
  {
    name: 'refuses an unknown attribute (decision 2)',
    ...post({ attributeId: 'ZZ', attributeValue: 'X' }),
    status: 422,
    findings: { attributeId: [3010, 'ZZ is not a valid attribute'] },
  },
  {
    name: 'refuses an unknown attribute together with what is wrong of any value (decision 1)',
    ...post({ attributeId: 'ZZ', attributeValue: 'X', periodFrom: 202613, description: 'x'.repeat(4001) }),
    status: 422,
    findings: {
      attributeId: [3010, 'ZZ is not a valid attribute'],
      periodFrom: [3010, 'Illegal period'],
      description: [3010, 'The field Description must be a string or array type with a maximum length of 4000.'],
    },
  },
  {
    name: 'refuses illegal characters in the value (rule 1)',
    ...post({ attributeId: 'C0', attributeValue: 'sick!' }),
    status: 422,
  },
  ...['.', '..'].map(
    (attributeValue): Scenario => ({
      name: `refuses the value ${attributeValue}, which no address can have`,
      ...post({ attributeId: 'C6', attributeValue }),
      status: 422,
      findings: { attributeValue: [3010, `The value '${attributeValue}' cannot stand in an address`] },
    }),
  ),
  { name: 'refuses blanks in the value (rule 1)', ...post({ attributeId: 'C0', attributeValue: 'A B' }), status: 422 },
  {
    name: 'refuses blanks also where the attribute has no pattern (rule 1)',
    ...post({ attributeId: 'C6', attributeValue: 'A\u00a0B' }),
    status: 422,
    findings: { attributeValue: [3010, "The value 'A\u00a0B' must not have blanks"] },
  },
  {
    name: 'refuses blanks around the value (rule 1)',
    ...post({ attributeId: 'C6', attributeValue: ' A' }),
    status: 422,
  },
  {
    name: 'refuses a value that is too long (rule 1)',
    ...post({ attributeId: 'C0', attributeValue: 'ABCDEFGHIJKLM' }),
    status: 422,
  },
  {
    name: 'refuses a value out of range (rule 1)',
    ...post({ attributeId: 'C2', attributeValue: '10000' }),
    status: 422,
  },
  {
    name: 'refuses a value that is no number (rule 1)',
    ...post({ attributeId: 'C2', attributeValue: 'TEN' }),
    status: 422,
  },
  {
    name: 'refuses a period that does not exist (rule 1)',
    ...post({ attributeId: 'C0', attributeValue: 'PER', periodFrom: 202613, periodTo: 199901 }),
    status: 422,
    findings: { periodFrom: [3010, 'Illegal period'], periodTo: [3010, 'Illegal period'] },
  },
  {
    name: 'refuses a period that ends before it begins',
    ...post({ attributeId: 'C0', attributeValue: 'PER', periodFrom: 202612, periodTo: 202601 }),
    status: 422,
    findings: { periodTo: [3010, 'Illegal period'] },
  },
  {
    name: 'refuses a period that overlaps another of the same value (decision 2)',
    ...post({ attributeId: 'C1', attributeValue: 'CC400', periodFrom: 202606, periodTo: 202701 }),
    status: 422,
    findings: { periodFrom: [3010, 'The period overlaps that of CC400 from 202601, 202701'] },
  },
  {
    name: 'refuses contact points where the attribute has none (rule 1)',
    ...post({ attributeId: 'C0', attributeValue: 'CP', contactPoints: [{ contactPointType: '1' }] }),
    status: 422,
    findings: { contactPoints: [3010, 'Attribute ABSREASON does not allow contact points'] },
  },
  {
    name: 'refuses a contact point type that is no ADDRTYPE, also when only one of several is wrong (rule 1)',
    ...post({
      attributeId: 'C1',
      attributeValue: 'CP',
      contactPoints: [{ contactPointType: '1' }, { contactPointType: '9' }, {}],
    }),
    status: 422,
    findings: {
      'contactPoints.1.contactPointType': [3010, '9 is not a legal ADDRTYPE'],
      'contactPoints.2.contactPointType': [1010, 'The ContactPointType field is required.'],
    },
  },
  {
    name: 'refuses items that are no objects with 400, and says of each that alone (decision 1)',
    ...post({ attributeId: 'C1', attributeValue: 'IT', contactPoints: ['1'], relatedValues: [null] }),
    status: 400,
    json: {
      code: 1010,
      message: 'The field contactPoints[0] must be an object. The field relatedValues[0] must be an object.',
    },
  },
  {
    name: 'tells of such an item at its list, beside other findings (decision 1)',
    ...post({ attributeId: 'C1', attributeValue: ' IT', contactPoints: [{ contactPointType: '1' }, 5] }),
    status: 422,
    findings: {
      attributeValue: [3010, "The value ' IT' must not begin or end with a blank"],
      contactPoints: [1010, 'The field contactPoints[1] must be an object.'],
    },
  },
  {
    name: 'refuses a related value without anything, naming what it needs (decision 1)',
    ...post({ attributeId: 'C1', attributeValue: 'RL', relatedValues: [{}] }),
    status: 422,
    findings: {
      'relatedValues.0.relationId': [1010, 'The RelationId field is required.'],
      'relatedValues.0.relatedValue': [1010, 'The RelatedValue field is required.'],
    },
  },
  {
    name: 'refuses an unknown relation (rule 1)',
    ...post({ attributeId: 'C1', attributeValue: 'RL', relatedValues: [{ relationId: 'NOPE', relatedValue: '100' }] }),
    status: 422,
    findings: { 'relatedValues.0.relationId': [3010, 'Relation NOPE does not exist'] },
  },
  {
    name: 'refuses a relation of another attribute (rule 1)',
    ...post({
      attributeId: 'C1',
      attributeValue: 'RL',
      relatedValues: [{ relationId: 'REL2', relatedValue: 'CC100' }],
    }),
    status: 422,
    findings: { 'relatedValues.0.relationId': [3010, 'Relation REL2 does not exist'] },
  },
  {
    name: 'refuses the whole request for one wrong related value of several (rule 1)',
    ...post({
      attributeId: 'C1',
      attributeValue: 'RL',
      relatedValues: [
        { relationId: 'REL1', relatedValue: '100' },
        { relationId: 'REL1', relatedValue: '999' },
      ],
    }),
    status: 422,
    findings: { 'relatedValues.1.relatedValue': [3010, '999 is not a legal DEPT'] },
  },
  {
    name: 'refuses a percentage above 100 and one below 0 (rule 1)',
    ...post({
      attributeId: 'C1',
      attributeValue: 'RL',
      relatedValues: [
        { relationId: 'REL1', relatedValue: '100', percentage: 100.01 },
        { relationId: 'REL1', relatedValue: '200', percentage: -1 },
      ],
    }),
    status: 422,
    findings: {
      'relatedValues.0.percentage': [3010, 'The field Percentage must be between 0 and 100'],
      'relatedValues.1.percentage': [3010, 'The field Percentage must be between 0 and 100'],
    },
  },
  {
    name: 'refuses the same related value twice',
    ...post({
      attributeId: 'C1',
      attributeValue: 'RL',
      relatedValues: [
        { relationId: 'REL1', relatedValue: '100' },
        { relationId: 'REL1', relatedValue: '100' },
      ],
    }),
    status: 422,
    findings: {
      'relatedValues.1.relatedValue': [
        3010,
        'COSTC : RL is already connected to DEPT: 100 on client EN. Duplicates or overlaps are not allowed',
      ],
    },
  },
  {
    name: 'refuses two values at a time of a single-valued relation',
    ...post({
      attributeId: 'C0',
      attributeValue: 'RL',
      relatedValues: [
        { relationId: 'REL2', relatedValue: 'CC100', dateTo: '2026-01-01' },
        { relationId: 'REL2', relatedValue: 'CC200', dateFrom: '2026-01-01' },
      ],
    }),
    status: 422,
    findings: {
      'relatedValues.1.relatedValue': [
        3010,
        'ABSREASON : RL is already connected to COSTC: CC100 on client EN. Duplicates or overlaps are not allowed',
      ],
    },
  },
  {
    name: 'refuses a related value that ends before it begins',
    ...post({
      attributeId: 'C1',
      attributeValue: 'RL',
      relatedValues: [{ relationId: 'REL1', relatedValue: '100', dateFrom: '2026-02-01', dateTo: '2026-01-01' }],
    }),
    status: 422,
    findings: { 'relatedValues.0.dateTo': [3010, 'The field DateTo must not be before DateFrom'] },
  },
  {
    name: 'refuses a value without its mandatory relation',
    ...post({ attributeId: 'A4', attributeValue: '1001' }),
    status: 422,
    findings: { relatedValues: [3010, 'The relation Legal entity is mandatory'] },
  },
  {
    name: 'refuses an owner that is no value of the owner attribute (decision 2)',
    ...post({ attributeId: 'C1', attributeValue: 'OW', owner: '777' }),
    status: 422,
    findings: { owner: [3010, '777 is not a legal DEPT'] },
  },
  {
    name: 'refuses a given value where the attribute numbers its values (decision 2)',
    ...post({ attributeId: 'C5', attributeValue: 'MINE' }),
    status: 422,
    findings: { attributeValue: [1010, 'You cannot enter a new ID manually (AttributeValue).'] },
  },
  {
    name: 'refuses a value that exists with 409 (rule 2, decision 2)',
    ...post({ attributeId: 'C0', attributeValue: 'SICK' }),
    status: 409,
    json: { code: 3090, message: 'SICK: already exists. Please enter a unique value' },
  },
  {
    name: 'tells everything that is wrong at once (decision 1)',
    ...post({
      attributeId: 'C1',
      attributeValue: ' x ',
      periodFrom: 5,
      owner: '777',
      contactPoints: [{ contactPointType: '9' }],
      relatedValues: [{ relationId: 'REL1', relatedValue: '999', percentage: 101 }],
    }),
    status: 422,
    includes: {
      notificationMessages: { periodFrom: [{ code: 3010 }], owner: [{ code: 3010 }], attributeValue: [{ code: 3010 }] },
      contactPoints: [{ notificationMessages: { contactPointType: [{ code: 3010 }] } }],
      relatedValues: [{ notificationMessages: { relatedValue: [{ code: 3010 }], percentage: [{ code: 3010 }] } }],
    },
  },
  {
    name: 'refuses a wrong data type with 400, naming the field (decision 1)',
    ...post({ attributeId: 'C0', attributeValue: 'TYPE', periodFrom: 'soon', customValue: true }),
    status: 400,
    json: { code: 1010, message: 'The field periodFrom must be an integer. The field customValue must be a number.' },
  },
  {
    name: 'refuses a date that is none with 400 (decision 1)',
    ...post({
      attributeId: 'C1',
      attributeValue: 'DT',
      relatedValues: [{ relationId: 'REL1', relatedValue: '100', dateFrom: '2026-02-30' }],
    }),
    status: 400,
    code: 1010,
  },
  {
    name: 'answers findings of both kinds as 422, with all of them (decision 1)',
    ...post({ attributeId: 'C0', periodFrom: 'soon' }),
    status: 422,
    findings: {
      periodFrom: [1010, 'The field periodFrom must be an integer.'],
      attributeValue: [1010, 'The AttributeValue field is required.'],
    },
  },
  { name: 'refuses a body that is no object', ...post([1]), status: 400, code: 1010 },
  { name: 'refuses an absent body', ...post(undefined), status: 400, code: 1010 },
  {
    name: 'refuses two different companies in query and body (decision 1)',
    as: 'both',
    ...post({ attributeId: 'C1', attributeValue: 'TWO', companyId: 'SV' }, { url: `${url}?companyId=EN` }),
    status: 400,
    code: 1010,
  },
  {
    name: 'refuses an unknown company with 403 (rule 9)',
    ...post({ attributeId: 'C0', attributeValue: 'X', companyId: 'XX' }),
    status: 403,
    json: { code: 2030, message: 'User is not authorised.' },
  },
  {
    name: 'refuses a caller who may only read with 403 (rule 9)',
    as: 'reader',
    ...post({ attributeId: 'C0', attributeValue: 'X' }),
    status: 403,
    json: { code: 2030, message: 'User is not authorised.' },
  },
]

onEachStore('POST /v1/attribute-values', (world) => {
  runScenarios(world, accepted)
  runScenarios(world, refused)

  it('refuses the next value when the series is used up (decision 5, numbering)', async () => {
    const next = () => world().send({ as: 'integration', ...post({ attributeId: 'C7' }) })
    expect([(await next()).json.attributeValue, (await next()).json.attributeValue]).toEqual(['B001', 'B002'])
    const refusal = await next()
    expect(refusal.status).toBe(422)
    expect(refusal.json.notificationMessages.attributeValue).toEqual([
      { code: 1010, message: 'Auto-numbering series is missing' },
    ])
  })

  it('creates one record and refuses all others when equal requests come at once', async () => {
    const body = { attributeId: 'C0', attributeValue: 'RACE', description: 'once' }
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => world().send({ as: 'integration', ...post(body) })),
    )
    const statuses = answers.map((answer) => answer.status).sort()
    expect(statuses).toEqual([201, ...Array.from({ length: 19 }, () => 409)])
    const rows = await world().query('select count(*) as n from audit_entry where record_key = \'["C0","RACE",0]\'')
    expect(Number(rows[0]?.n)).toBe(1)
  })

  it('lets a refused request of a batch change nothing of its neighbours', async () => {
    const bodies = Array.from({ length: 12 }, (_, index) => ({
      attributeId: 'C0',
      attributeValue: index % 3 === 0 ? 'not legal' : `NEIGH${index}`,
    }))
    const answers = await Promise.all(bodies.map((body) => world().send({ as: 'integration', ...post(body) })))
    expect(answers.map((answer) => answer.status)).toEqual(bodies.map((_, index) => (index % 3 === 0 ? 422 : 201)))
  })

  it('writes one journal entry for the value and one for each relation, in growing numbers', async () => {
    const body = {
      attributeId: 'C1',
      attributeValue: 'JOURNAL',
      relatedValues: [{ relationId: 'REL1', relatedValue: '100' }],
    }
    const created = await world().send({ as: 'integration', headers: { 'x-request-id': 'req-1' }, ...post(body) })
    const entries = await world().query(
      'select * from audit_entry where record_key like \'["C1","JOURNAL"%\' order by entry_no',
    )
    expect(entries.map((entry) => [entry.entity, entry.operation, entry.user_id, entry.client_id])).toEqual([
      ['attribute-value', 'create', 'svc-integration', 'integration'],
      ['attribute-relation', 'create', 'svc-integration', 'integration'],
    ])
    expect(JSON.parse(String(entries[0]?.after))).toEqual(created.json)
    expect(entries[0]?.before).toBe('')
  })
})
