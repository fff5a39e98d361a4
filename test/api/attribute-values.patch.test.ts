// PATCH of one attribute value: specification, attribute values, rule 7; decisions 1 and 2.
import { beforeEach, expect, it } from 'vitest'
import { runScenarios, type Scenario } from '../support/scenario.ts'
import { onEachStore } from '../support/world.ts'

const url = '/v1/attribute-values/C1/CC100/0'
const patch = (body: unknown, rest: Partial<Scenario> = {}) => ({ method: 'PATCH', url, body, ...rest }) as const
const replace = (path: string, value: unknown) => ({ op: 'replace', path, value })
const add = (path: string, value: unknown) => ({ op: 'add', path, value })
const remove = (path: string) => ({ op: 'remove', path })

const point = { contactPointType: '1', address: { place: 'Oslo' } }

const changed: Scenario[] = [
  {
    name: 'replaces the description and answers the value whole (rule 7)',
    ...patch([replace('/description', 'Hovedkontor')]),
    status: 200,
    includes: { attributeValue: 'CC100', description: 'Hovedkontor', relatedValues: [], contactPoints: [] },
  },
  {
    name: 'takes op, path and member names as clients write them (habits)',
    ...patch([{ Path: 'Description', OP: 'Replace', Value: 'x' }]),
    status: 200,
    includes: { description: 'x' },
  },
  {
    name: 'takes the media type of JSON Patch with a charset (decision 2)',
    ...patch([replace('/description', 'y')], {
      headers: { 'content-type': 'application/json-patch+json; charset=utf-8' },
    }),
    status: 200,
    includes: { description: 'y' },
  },
  {
    name: 'passes over unknown query parameters (habits)',
    ...patch([replace('/description', 'z')], { url: `${url}?foo=bar&companyId=en` }),
    status: 200,
  },
  {
    name: 'adds a relation (rule 7)',
    ...patch([add('/relatedValues/-', { relationId: 'REL1', relatedValue: '100', percentage: '60' })]),
    status: 200,
    includes: { relatedValues: [{ relatedValue: '100', percentage: 60, relationName: 'Department' }] },
  },
  {
    name: 'adds another behind it',
    ...patch([add('/relatedValues/-', { RelationId: 'REL1', RelatedValue: '200', Percentage: 40 })]),
    status: 200,
    includes: { relatedValues: [{ relatedValue: '100' }, { relatedValue: '200', percentage: 40 }] },
  },
  {
    name: 'replaces a related value, which keeps its place in the list (rule 7)',
    ...patch([replace('/relatedValues/0/relatedValue', '300')]),
    status: 200,
    includes: { relatedValues: [{ relatedValue: '300', percentage: 60 }, { relatedValue: '200' }] },
  },
  {
    name: 'replaces percentage, dates and unit value of a relation (decision 2)',
    ...patch([
      replace('/relatedValues/1/percentage', 12.5),
      replace('/relatedValues/1/dateFrom', '2026-01-31'),
      replace('/relatedValues/1/dateTo', '2026-12-31T00:00:00'),
      replace('/relatedValues/1/unitValue', 3),
    ]),
    status: 200,
    includes: {
      relatedValues: [
        {},
        { percentage: 12.5, dateFrom: '2026-01-31T00:00:00.000', dateTo: '2026-12-31T00:00:00.000', unitValue: 3 },
      ],
    },
  },
  {
    name: 'removes a relation',
    ...patch([remove('/relatedValues/0')]),
    status: 200,
    includes: { relatedValues: [{ relatedValue: '200' }] },
  },
  {
    name: 'replaces all relations at once (decision 2)',
    ...patch([replace('/relatedValues', [{ relationId: 'REL1', relatedValue: '100' }])]),
    status: 200,
    includes: { relatedValues: [{ relatedValue: '100' }] },
  },
  {
    name: 'adds a contact point (rule 7)',
    ...patch([add('/contactPoints/-', point)]),
    status: 200,
    includes: { contactPoints: [{ contactPointType: '1', address: { place: 'Oslo', postcode: '' } }] },
  },
  {
    name: 'replaces a telephone number of a contact point (rule 7)',
    ...patch([replace('/contactPoints/0/phoneNumbers/telephone1', 4722000000)]),
    status: 200,
    includes: { contactPoints: [{ phoneNumbers: { telephone1: '4722000000' } }] },
  },
  {
    name: 'replaces a whole address (decision 2)',
    ...patch([replace('contactPoints/0/address', { Place: 'Bergen' })]),
    status: 200,
    includes: { contactPoints: [{ address: { place: 'Bergen', postcode: '' } }] },
  },
  {
    name: 'removes a contact point',
    ...patch([remove('/contactPoints/0')]),
    status: 200,
    includes: { contactPoints: [] },
  },
  {
    name: 'replaces period end, status, owner and custom value (decision 2)',
    ...patch([
      replace('/periodTo', '203012'),
      replace('/status', 'P'),
      replace('/owner', '100'),
      replace('/customValue', '1.5'),
    ]),
    status: 200,
    includes: { periodTo: 203012, status: 'P', owner: '100', customValue: 1.5 },
  },
  { name: 'reopens a closed value', ...patch([replace('/status', 'N')]), status: 200, includes: { status: 'N' } },
  {
    name: 'sets a removed field back to absent',
    ...patch([remove('/description')]),
    status: 200,
    includes: { description: '' },
  },
  { name: 'takes an empty array as no change', ...patch([]), status: 200 },
]

const refused: Scenario[] = [
  {
    name: 'refuses a path that is none with 422 (decision 1)',
    ...patch([replace('/nope', 1)]),
    status: 422,
    json: { code: 4020, message: "PatchOperation index 0: Provided path '/nope' is invalid" },
  },
  {
    name: 'refuses to change the attribute name (rule 7)',
    ...patch([replace('/attributeName', 'x')]),
    status: 422,
    code: 4020,
  },
  {
    name: 'refuses to change the attribute (rule 7)',
    ...patch([replace('/attributeId', 'C2')]),
    status: 422,
    code: 4020,
  },
  { name: 'refuses to change the value itself', ...patch([replace('/attributeValue', 'x')]), status: 422, code: 4020 },
  {
    name: 'refuses to change a contact point type (rule 7)',
    ...patch([add('/contactPoints/-', point), replace('/contactPoints/0/contactPointType', '2')]),
    status: 422,
    json: { code: 3010, message: 'Updating key value ContactPointType is not supported' },
  },
  {
    name: 'refuses a contact point index out of range (rule 7)',
    ...patch([replace('/contactPoints/7/address/place', 'x')]),
    status: 422,
    json: { code: 4023, message: 'Provided index (7) is out of range' },
  },
  {
    name: 'refuses a value of the wrong type with 422 (decision 1)',
    ...patch([replace('/customValue', 'much')]),
    status: 422,
    code: 4030,
  },
  {
    name: 'refuses a date that is none with 422 (decision 1)',
    ...patch([add('/relatedValues/-', { relationId: 'REL1', relatedValue: '300', dateFrom: 'soon' })]),
    status: 422,
    code: 4030,
  },
  {
    name: 'refuses an unsupported operation with 400 (decision 2)',
    ...patch([{ op: 'move', path: '/description', value: 'x' }]),
    status: 400,
    code: 4020,
  },
  {
    name: 'refuses an operation without a path with 400 (rule 7)',
    ...patch([{ op: 'replace', value: 'x' }]),
    status: 400,
    code: 4020,
  },
  {
    name: 'refuses an operation without a value with 400 (rule 7)',
    ...patch([{ op: 'replace', path: '/description' }]),
    status: 400,
    code: 4020,
  },
  { name: 'refuses a body that is no array', ...patch({ op: 'replace' }), status: 400, code: 1010 },
  {
    name: 'refuses a missing mandatory field of a new relation (rule 7)',
    ...patch([add('/relatedValues/-', { relatedValue: '300' })]),
    status: 422,
    findings: { 'relatedValues.1.relationId': [1010, 'The RelationId field is required.'] },
  },
  {
    name: 'refuses a relation that exists (rule 7, decision 2)',
    ...patch([add('/relatedValues/-', { relationId: 'REL1', relatedValue: '100' })]),
    status: 422,
    findings: {
      'relatedValues.1.relatedValue': [
        3010,
        'COSTC : CC100 is already connected to DEPT: 100 on client EN. Duplicates or overlaps are not allowed',
      ],
    },
  },
  {
    name: 'refuses an illegal related value',
    ...patch([replace('/relatedValues/0/relatedValue', '999')]),
    status: 422,
    findings: { 'relatedValues.0.relatedValue': [3010, '999 is not a legal DEPT'] },
  },
  {
    name: 'refuses an illegal status',
    ...patch([replace('/status', 'X')]),
    status: 422,
    findings: { status: [3010, 'Illegal value entered'] },
  },
  {
    name: 'refuses an illegal period',
    ...patch([replace('/periodTo', 202699)]),
    status: 422,
    findings: { periodTo: [3010, 'Illegal period'] },
  },
  {
    name: 'refuses an illegal owner',
    ...patch([replace('/owner', '999')]),
    status: 422,
    findings: { owner: [3010, '999 is not a legal DEPT'] },
  },
  {
    name: 'changes nothing when one operation of several fails (decision 2)',
    ...patch([replace('/description', 'half'), replace('/nope', 1), replace('/customValue', 'x')]),
    status: 422,
    code: 4020,
  },
  {
    name: 'refuses a value of an attribute without manual maintenance (decision 2)',
    ...patch([replace('/description', 'x')], { url: '/v1/attribute-values/SY/AUTO/0' }),
    status: 422,
    findings: { attributeId: [3010, 'Attribute SYSREASON does not allow manual maintenance'] },
  },
  {
    name: 'refuses an unknown attribute (rule 7)',
    ...patch([], { url: '/v1/attribute-values/ZZ/X/0' }),
    status: 404,
    json: { code: 1040, message: 'ZZ is not a valid attribute' },
  },
  {
    name: 'refuses an unknown period (rule 7)',
    ...patch([], { url: '/v1/attribute-values/C1/CC100/202601' }),
    status: 404,
    code: 1040,
  },
  {
    name: 'refuses an unknown company with 422 (rule 7)',
    ...patch([replace('/description', 'x')], { url: `${url}?companyId=XX` }),
    status: 422,
    json: { code: 1010, message: 'Unknown companyId.' },
  },
  {
    name: 'refuses the company of somebody else exactly as one that does not exist (decision 0)',
    ...patch([replace('/description', 'x')], { url: `${url}?companyId=SV` }),
    status: 422,
    json: { code: 1010, message: 'Unknown companyId.' },
  },
  {
    name: 'refuses a caller who may only read with 403 (rule 7)',
    as: 'reader',
    ...patch([replace('/description', 'x')]),
    status: 403,
    json: { code: 2030, message: 'User is not authorised.' },
  },
  {
    name: 'refuses a path without the period',
    ...patch([], { url: '/v1/attribute-values/C1' }),
    status: 404,
    code: 1030,
  },
]

onEachStore('PATCH /v1/attribute-values/{attributeId}/{attributeValue}/{periodFrom}', (world) => {
  runScenarios(world, changed)
  runScenarios(world, refused)

  beforeEach(() => {
    world().observed.length = 0
  })

  it('refuses to remove a mandatory relation (decision 2)', async () => {
    const send = (method: 'POST' | 'PATCH', at: string, body: unknown) =>
      world().send({ as: 'integration', method, url: at, body })
    await send('POST', '/v1/attribute-values', {
      attributeId: 'A4',
      attributeValue: '1001',
      relatedValues: [{ relationId: 'LEGALID', relatedValue: 'NO1' }],
    })
    const refusal = await send('PATCH', '/v1/attribute-values/A4/1001/0', [remove('/relatedValues/0')])
    expect([refusal.status, refusal.json.notificationMessages.relatedValues[0].code]).toEqual([422, 3010])
  })

  it('changes a record whose entity tag still holds, and refuses with who, what and when it no longer does', async () => {
    const at = '/v1/attribute-values/C1/CC300/0'
    const tag = String((await world().send({ as: 'integration', url: at })).headers.etag)
    const send = (body: unknown) =>
      world().send({ as: 'integration', method: 'PATCH', url: at, body, headers: { 'if-match': tag } })
    const first = await send([
      replace('/description', 'first'),
      add('/relatedValues/-', { relationId: 'REL1', relatedValue: '200' }),
    ])
    expect(first.status).toBe(200)
    expect(first.headers.etag).not.toBe(tag)
    const before = await world().dump()
    const second = await send([replace('/description', 'second')])
    expect([second.status, second.json.code]).toEqual([409, 3090])
    expect(second.json.message).toMatch(
      /^The data was changed or deleted by another user: svc-integration changed description, relatedValues at \d{4}-/,
    )
    expect(await world().changesSince(before)).toEqual([])
    const again = await world().send({ as: 'integration', url: at })
    expect(again.headers.etag).toBe(first.headers.etag)
  })

  it('keeps every one of many additions that come at once', async () => {
    const at = '/v1/attribute-values/C1/CC200/0'
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, index) =>
        world().send({
          as: 'integration',
          method: 'PATCH',
          url: at,
          body: [add('/contactPoints/-', { ...point, sortOrder: index })],
        }),
      ),
    )
    expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => 200))
    const orders = (await world().send({ as: 'integration', url: at })).json.contactPoints.map(
      (one: { sortOrder: number }) => one.sortOrder,
    )
    expect(orders.sort((a: number, b: number) => a - b)).toEqual(answers.map((_, index) => index))
  })

  it('reports a rejection once, and nothing for a write', async () => {
    await world().send({ as: 'integration', ...patch([replace('/nope', 1)]) })
    expect(world().observed.map((observation) => observation.kind)).toEqual(['request-refused'])
  })
})
