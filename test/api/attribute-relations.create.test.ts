// POST /v1/attribute-relations: specification, attribute relations, rules 1 to 4 and 9; decision 3.
import { expect, it } from 'vitest'
import { runScenarios, type Scenario } from '../support/scenario.ts'
import { onEachStore } from '../support/world.ts'

const url = '/v1/attribute-relations'
const post = (body: unknown, rest: Partial<Scenario> = {}) => ({ method: 'POST', url, body, ...rest }) as const

/** C1 to C2 takes several values at a time, C0 to C1 one. */
const department = (attributeValue: string, relationValue: string, rest: object = {}) => ({
  attributeId: 'C1',
  attributeValue,
  relatedAttributeId: 'C2',
  relationValue,
  ...rest,
})
const owner = (attributeValue: string, relationValue: string, rest: object = {}) => ({
  attributeId: 'C0',
  attributeValue,
  relatedAttributeId: 'C1',
  relationValue,
  ...rest,
})
/** The rejection by rule 3. */
const noSubject = (attribute: string, value: string) => ({
  code: 1040,
  message: `The entity of the following parameters [Company: EN, Attribute ID: ${attribute}, Attribute value: ${value}] was not found.`,
})
const connected = (subject: string, related: string) => ({
  code: 3010,
  message: `${subject} is already connected to ${related} on client EN. Duplicates or overlaps are not allowed.`,
})
const notAuthorised = { code: 2030, message: 'User is not authorised.' }

const accepted: Scenario[] = [
  {
    name: 'creates a relation with the least that is needed, answered as the single GET does (rule 1, decision 3)',
    ...post(department('CC100', '100')),
    status: 201,
    json: {
      attributeId: 'C1',
      attributeName: 'COSTC',
      attributeValue: 'CC100',
      attributeValueFrom: 0,
      attributeValueTo: 0,
      companyId: 'EN',
      dateFrom: '1900-01-01T00:00:00.000Z',
      dateTo: '2099-12-31T00:00:00.000Z',
      percentage: 0,
      relatedAttributeId: 'C2',
      relatedAttributeName: 'DEPT',
      relationValue: '100',
    },
    answerHeaders: { location: '/v1/attribute-relations/C1/CC100/C2/100' },
  },
  {
    name: 'creates a relation with every field, dates in several spellings (rule 1, decision 0)',
    ...post(
      department('CC100', '200', {
        companyId: 'en',
        dateFrom: '2026-01-31',
        dateTo: '2026-12-31T12:30:00+01:00',
        percentage: 33.25,
      }),
    ),
    status: 201,
    includes: { dateFrom: '2026-01-31T00:00:00.000Z', dateTo: '2026-12-31T11:30:00.000Z', percentage: 33.25 },
  },
  {
    name: 'takes a PascalCase body with nulls, numbers as strings and unknown members, behind a slash (habits)',
    ...post(
      {
        AttributeId: 'C1',
        ATTRIBUTEVALUE: 'CC200',
        RelatedAttributeId: 'C2',
        RelationValue: 100,
        DateFrom: null,
        Percentage: '12.5',
        Unknown: { a: [1] },
      },
      { url: `${url}/?&COMPANYID=EN` },
    ),
    status: 201,
    includes: { relationValue: '100', percentage: 12.5, dateFrom: '1900-01-01T00:00:00.000Z' },
  },
  {
    name: 'passes over what only answers have (habits)',
    ...post(department('CC200', '200', { attributeName: 'x', attributeValueFrom: 'x', attributeValueTo: 2 ** 60 })),
    status: 201,
    includes: { attributeName: 'COSTC', attributeValueFrom: 0, attributeValueTo: 0 },
  },
  {
    name: 'takes 0 and 100 percent',
    ...post(department('CC200', '300', { percentage: 100 })),
    status: 201,
    includes: { percentage: 100 },
  },
  {
    name: 'connects a single-valued relation',
    ...post(owner('SICK', 'CC100', { dateTo: '2025-12-31' })),
    status: 201,
  },
  {
    name: 'connects another value when the first no longer holds (decision 3)',
    ...post(owner('SICK', 'CC200', { dateFrom: '2026-01-01', dateTo: '2026-06-30' })),
    status: 201,
  },
]

const duplicates: Scenario[] = [
  {
    name: 'refuses a relation that exists (rule 2)',
    ...post(department('CC100', '100')),
    status: 422,
    json: connected('COSTC : CC100', 'DEPT : 100'),
  },
  {
    name: 'refuses the same key with other dates, also where several values may hold (decision 3)',
    ...post(department('CC100', '200', { dateFrom: '2027-01-01' })),
    status: 422,
    json: connected('COSTC : CC100', 'DEPT : 200'),
  },
  {
    name: 'refuses a value that overlaps another of a single-valued relation, naming that (rule 2, decision 3)',
    ...post(owner('SICK', 'CC300', { dateFrom: '2026-06-30' })),
    status: 422,
    json: connected('ABSREASON : SICK', 'COSTC : CC200'),
  },
  {
    name: 'refuses an overlap of one day',
    ...post(owner('SICK', 'CC300', { dateTo: '1900-01-01' })),
    status: 422,
    json: connected('ABSREASON : SICK', 'COSTC : CC100'),
  },
  {
    name: 'refuses the same key with other dates where one value may hold (decision 3)',
    ...post(owner('SICK', 'CC100', { dateFrom: '2030-01-01' })),
    status: 422,
    json: connected('ABSREASON : SICK', 'COSTC : CC100'),
  },
]

const refused: Scenario[] = [
  {
    name: 'refuses an unknown attribute (rule 3)',
    ...post({ ...department('CC100', '300'), attributeId: 'ZZ' }),
    status: 422,
    json: noSubject('ZZ', 'CC100'),
  },
  {
    name: 'refuses an unknown attribute value (rule 3)',
    ...post(department('NOPE', '300')),
    status: 422,
    json: noSubject('C1', 'NOPE'),
  },
  {
    name: 'refuses a value in another letter case than its own (rule 3)',
    ...post(department('cc100', '300')),
    status: 422,
    json: noSubject('C1', 'cc100'),
  },
  {
    name: 'refuses an unknown related attribute (rule 4)',
    ...post({ ...department('CC100', '300'), relatedAttributeId: 'ZZ' }),
    status: 422,
    findings: { relatedAttributeId: [3010, 'Illegal value entered'] },
    includes: { attributeId: 'C1', attributeValue: 'CC100', relationValue: '300' },
  },
  {
    name: 'refuses an unknown relation value, naming the attribute by its name (rule 4)',
    ...post(department('CC100', '999')),
    status: 422,
    findings: { relationValue: [3010, '999 is not a legal DEPT'] },
  },
  {
    name: 'refuses attributes that no configured relation connects (decision 3)',
    ...post({ attributeId: 'C2', attributeValue: '100', relatedAttributeId: 'C1', relationValue: 'CC100' }),
    status: 422,
    findings: { relatedAttributeId: [3010, 'Illegal value entered'] },
  },
  {
    name: 'refuses an attribute without manual maintenance (prerequisites)',
    ...post({ attributeId: 'SY', attributeValue: 'AUTO', relatedAttributeId: 'C6', relationValue: 'OSLO' }),
    status: 422,
    findings: { attributeId: [3010, 'Attribute SYSREASON does not allow manual maintenance'] },
  },
  {
    name: 'refuses a related attribute without manual maintenance (prerequisites)',
    ...post({ attributeId: 'C6', attributeValue: 'OSLO', relatedAttributeId: 'SY', relationValue: 'AUTO' }),
    status: 422,
    findings: { relatedAttributeId: [3010, 'Attribute SYSREASON does not allow manual maintenance'] },
  },
  {
    name: 'refuses a body without its mandatory fields, naming all four (decision 1)',
    ...post({ percentage: 5, attributeValue: null, relationValue: '' }),
    status: 422,
    findings: {
      attributeId: [1010, 'The AttributeId field is required.'],
      attributeValue: [1010, 'The AttributeValue field is required.'],
      relatedAttributeId: [1010, 'The RelatedAttributeId field is required.'],
      relationValue: [1010, 'The RelationValue field is required.'],
    },
    includes: { percentage: 5 },
  },
  {
    name: 'refuses a percentage above 100 and one below 0 (decision 3)',
    ...post(department('CC100', '300', { percentage: 100.01 })),
    status: 422,
    findings: { percentage: [3010, 'The field Percentage must be between 0 and 100'] },
  },
  {
    name: 'refuses a percentage below 0 (decision 3)',
    ...post(department('CC100', '300', { percentage: -0.5 })),
    status: 422,
    findings: { percentage: [3010, 'The field Percentage must be between 0 and 100'] },
  },
  {
    name: 'refuses a relation that ends before it begins (decision 3)',
    ...post(department('CC100', '300', { dateFrom: '2026-02-01', dateTo: '2026-01-31' })),
    status: 422,
    findings: { dateTo: [3010, 'The field DateTo must not be before DateFrom'] },
  },
  {
    name: 'refuses a date that is none with 400 (decision 1)',
    ...post(department('CC100', '300', { dateFrom: '2026-02-30' })),
    status: 400,
    json: { code: 1010, message: 'The field dateFrom must be a date-time.' },
  },
  {
    name: 'refuses a wrong data type with 400, naming the field (decision 1)',
    ...post(department('CC100', '300', { percentage: 'all' })),
    status: 400,
    json: { code: 1010, message: 'The field percentage must be a number.' },
  },
  {
    name: 'tells everything that is wrong at once, an unknown value at its field (decision 1)',
    ...post(department('NOPE', '999', { percentage: 101, dateTo: '1899-01-01', dateFrom: 'soon' })),
    status: 422,
    findings: {
      dateFrom: [1010, 'The field dateFrom must be a date-time.'],
      attributeValue: [1040, noSubject('C1', 'NOPE').message],
      relationValue: [3010, '999 is not a legal DEPT'],
      percentage: [3010, 'The field Percentage must be between 0 and 100'],
      dateTo: [3010, 'The field DateTo must not be before DateFrom'],
    },
  },
  {
    name: 'tells of an existing relation only when nothing else is wrong',
    ...post(department('CC100', '100', { percentage: 101 })),
    status: 422,
    findings: { percentage: [3010, 'The field Percentage must be between 0 and 100'] },
  },
  { name: 'refuses a body that is no object', ...post([]), status: 400, code: 1010 },
  { name: 'refuses an absent body', ...post(undefined), status: 400, code: 1010 },
  { name: 'refuses malformed JSON', ...post('{"attributeId":'), status: 400, code: 1010 },
  {
    name: 'refuses a caller who may only read with 403 (rule 9)',
    as: 'reader',
    ...post(department('CC100', '300')),
    status: 403,
    json: notAuthorised,
  },
  {
    name: 'refuses an unknown company with 403 (rule 9)',
    ...post(department('CC100', '300', { companyId: 'XX' })),
    status: 403,
    json: notAuthorised,
  },
  {
    name: 'refuses the company of somebody else exactly as one that does not exist (decision 0)',
    ...post(department('CC100', '300'), { url: `${url}?companyId=SV` }),
    status: 403,
    json: notAuthorised,
  },
  {
    name: 'looks for values in the company that is asked for, and in no other',
    as: 'both',
    ...post(department('CC200', '300', { companyId: 'SV' })),
    status: 422,
    findings: {
      attributeValue: [
        1040,
        'The entity of the following parameters [Company: SV, Attribute ID: C1, Attribute value: CC200] was not found.',
      ],
      relatedAttributeId: [3010, 'Illegal value entered'],
    },
  },
  {
    name: 'refuses two different companies in query and body (decision 1)',
    as: 'both',
    ...post(department('CC100', '300', { companyId: 'SV' }), { url: `${url}?companyId=EN` }),
    status: 400,
    code: 1010,
  },
  {
    name: 'refuses to list here: this path takes a key (rule 5)',
    url,
    status: 405,
    code: 1030,
    answerHeaders: { allow: 'POST' },
  },
]

onEachStore('POST /v1/attribute-relations', (world) => {
  const send = (body: unknown) => world().send({ as: 'integration', ...post(body) })
  const countOf = async (subject: string) =>
    (await world().query(`select * from attribute_relation where attribute_value = '${subject}'`)).length

  runScenarios(world, accepted)
  runScenarios(world, duplicates)
  runScenarios(world, refused)

  it('refuses values that are closed (rules 3 and 4)', async () => {
    for (const value of ['CC300', 'CC350']) {
      await world().send({
        as: 'integration',
        method: 'POST',
        url: '/v1/attribute-values',
        body: { attributeId: 'C1', attributeValue: value },
      })
    }
    await world().send({ as: 'integration', method: 'DELETE', url: '/v1/attribute-values/C1/CC350/0' })
    const before = await world().dump()
    const asSubject = await send(department('CC350', '100'))
    expect([asSubject.status, asSubject.json]).toEqual([422, noSubject('C1', 'CC350')])
    const asRelated = await send(owner('TRAIN', 'CC350'))
    expect(asRelated.json.notificationMessages.relationValue).toEqual([
      { code: 3010, message: 'CC350 is not a legal COSTC' },
    ])
    expect(await world().changesSince(before)).toEqual([])
  })

  it('creates one relation and refuses all others when equal requests come at once (decision 3)', async () => {
    const answers = await Promise.all(Array.from({ length: 16 }, () => send(department('CC300', '100'))))
    expect(answers.map((answer) => answer.status).sort()).toEqual([201, ...Array.from({ length: 15 }, () => 422)])
    const refusals = answers.filter((answer) => answer.status === 422).map((answer) => answer.json)
    expect(refusals).toEqual(refusals.map(() => connected('COSTC : CC300', 'DEPT : 100')))
    expect(await countOf('CC300')).toBe(1)
    const entries = await world().query(
      `select * from audit_entry where entity = 'attribute-relation' and record_key = '["C1","CC300","C2","100"]'`,
    )
    expect(entries.map((entry) => entry.operation)).toEqual(['create'])
  })

  it('creates one relation of those that overlap when they come at once, naming it to the others (decision 3)', async () => {
    const values = ['CC100', 'CC200', 'CC300']
    const answers = await Promise.all(
      Array.from({ length: 15 }, (_, index) =>
        send(owner('TRAIN', values[index % 3] ?? '', { dateFrom: `2026-01-${10 + index}`, dateTo: '2026-12-31' })),
      ),
    )
    const created = answers.filter((answer) => answer.status === 201).map((answer) => answer.json.relationValue)
    expect(created).toHaveLength(1)
    const refusals = answers.filter((answer) => answer.status !== 201).map((answer) => [answer.status, answer.json])
    const expected = connected('ABSREASON : TRAIN', `COSTC : ${created[0]}`)
    expect(refusals).toEqual(refusals.map(() => [422, expected]))
    expect(await countOf('TRAIN')).toBe(1)
  })

  it('creates all of many relations of one value that come at once', async () => {
    const before = await countOf('CC200')
    const departments = Array.from({ length: 8 }, (_, index) => String(5000 + index))
    for (const attributeValue of departments) {
      await world().send({
        as: 'integration',
        method: 'POST',
        url: '/v1/attribute-values',
        body: { attributeId: 'C2', attributeValue },
      })
    }
    const answers = await Promise.all(departments.map((value) => send(department('CC200', value))))
    expect(answers.map((answer) => answer.status)).toEqual(departments.map(() => 201))
    expect(await countOf('CC200')).toBe(before + departments.length)
  })

  it('writes one journal entry with the relation as it is, and leaves no number out', async () => {
    const last = async () => Number((await world().query('select max(entry_no) as n from audit_entry'))[0]?.n)
    await send(owner('HOL', 'CC100', { percentage: 50 }))
    const entryNo = await last()
    await send(owner('HOL', 'CC100'))
    await send(owner('HOL', 'CC200', { dateFrom: '2100-01-01', dateTo: '2100-12-31' }))
    expect(await last()).toBe(entryNo + 1)
    const [entry] = await world().query(`select * from audit_entry where entry_no = ${entryNo}`)
    expect(entry).toMatchObject({
      entity: 'attribute-relation',
      record_key: '["C0","HOL","C1","CC100"]',
      operation: 'create',
      user_id: 'svc-integration',
      client_id: 'integration',
      before: '',
    })
    expect(JSON.parse(String(entry?.after))).toMatchObject({
      relationId: 'REL2',
      percentage: 50,
      relationValue: 'CC100',
    })
  })

  it('is the related value of its value, which gets another entity tag (decision 2)', async () => {
    const value = '/v1/attribute-values/C6/OSLO/0'
    const before = await world().send({ as: 'integration', url: value })
    await send({
      attributeId: 'C6',
      attributeValue: 'OSLO',
      relatedAttributeId: 'C6',
      relationValue: 'BERGEN',
      dateTo: '2026-12-31',
      percentage: 25,
    })
    const after = await world().send({ as: 'integration', url: value })
    expect(after.json.relatedValues).toEqual([
      {
        dateFrom: '1900-01-01T00:00:00.000',
        dateTo: '2026-12-31T00:00:00.000',
        percentage: 25,
        relatedValue: 'BERGEN',
        relationGroup: '',
        relationId: 'REL4',
        relationName: 'Route',
        unitValue: 0,
      },
    ])
    expect(after.headers.etag).not.toBe(before.headers.etag)
  })

  it('reports an error once', async () => {
    world().observed.length = 0
    await send(department('CC100', '999'))
    expect(world().observed.map((observation) => observation.kind)).toEqual(['request-refused'])
  })
})
