// PATCH of one attribute relation: specification, attribute relations, rules 5, 7, 8 and 9; decisions 1 and 3.
import { beforeAll, expect, it } from 'vitest'
import { runScenarios, type Scenario } from '../support/scenario.ts'
import { onEachStore } from '../support/world.ts'

const collection = '/v1/attribute-relations'
const url = `${collection}/C1/CC100/C2/100`
const patch = (body: unknown, rest: Partial<Scenario> = {}) => ({ method: 'PATCH', url, body, ...rest }) as const
const replace = (path: string, value: unknown) => ({ op: 'replace', path, value })

const connected = (subject: string, related: string) => ({
  code: 3010,
  message: `${subject} is already connected to ${related} on client EN. Duplicates or overlaps are not allowed.`,
})
const rejected = {
  code: 3010,
  message: 'Data was rejected because of errors which were detected during saving.',
}
const invalidPath = (path: string) => ({
  code: 4020,
  message: `PatchOperation index 0: Provided path '${path}' is invalid`,
})

const changed: Scenario[] = [
  {
    name: 'replaces the percentage and answers the relation whole (rule 8, decision 3)',
    ...patch([replace('/percentage', 40)]),
    status: 200,
    json: {
      attributeId: 'C1',
      attributeName: 'COSTC',
      attributeValue: 'CC100',
      attributeValueFrom: 0,
      attributeValueTo: 0,
      companyId: 'EN',
      dateFrom: '2026-01-01T00:00:00.000Z',
      dateTo: '2099-12-31T00:00:00.000Z',
      percentage: 40,
      relatedAttributeId: 'C2',
      relatedAttributeName: 'DEPT',
      relationValue: '100',
    },
  },
  {
    name: 'replaces the end of validity, with or without zone and time (decision 0)',
    ...patch([replace('/dateTo', '2026-12-31T12:00:00+02:00')]),
    status: 200,
    includes: { dateTo: '2026-12-31T10:00:00.000Z', percentage: 40 },
  },
  {
    name: 'takes op, path and member names as clients write them, in one request (habits)',
    ...patch([
      { Path: 'Percentage', OP: 'Replace', Value: '12.5' },
      { path: 'dateTO', op: 'REPLACE', value: '2027-06-30' },
    ]),
    status: 200,
    includes: { percentage: 12.5, dateTo: '2027-06-30T00:00:00.000Z' },
  },
  {
    name: 'takes the media type of JSON Patch with a charset (decision 2)',
    ...patch([replace('/percentage', 13)], {
      headers: { 'content-type': 'application/json-patch+json; charset=utf-8' },
    }),
    status: 200,
    includes: { percentage: 13 },
  },
  {
    name: 'passes over unknown query parameters, and takes a slash at the end (habits)',
    ...patch([replace('/percentage', 14)], { url: `${url}/?foo=bar&companyid=en` }),
    status: 200,
  },
  {
    name: 'takes null for an absent value: open end, no share (decision 0)',
    ...patch([replace('/dateTo', null), replace('/percentage', null)]),
    status: 200,
    includes: { dateTo: '2099-12-31T00:00:00.000Z', percentage: 0 },
  },
  {
    name: 'takes an empty array as no change',
    ...patch([]),
    status: 200,
    includes: { relationValue: '100' },
  },
  {
    name: 'takes a key that stays as it is',
    ...patch([replace('/relationValue', '100')]),
    status: 200,
    includes: { relationValue: '100' },
  },
  {
    name: 'lets the last of several operations on a field win',
    ...patch([replace('/percentage', 1), replace('/percentage', 2)]),
    status: 200,
    includes: { percentage: 2 },
  },
]

const refused: Scenario[] = [
  {
    name: 'refuses a relation value that is taken away (rule 7)',
    ...patch([replace('/relationValue', '')]),
    status: 422,
    findings: { relationValue: [1010, 'The RelationValue field is required.'] },
    includes: { attributeId: 'C1', attributeValue: 'CC100', relatedAttributeId: 'C2', relationValue: '' },
  },
  {
    name: 'refuses null for the relation value (rule 7)',
    ...patch([replace('/relationValue', null)]),
    status: 422,
    findings: { relationValue: [1010, 'The RelationValue field is required.'] },
  },
  {
    name: 'refuses an unknown company with 422 (rule 7)',
    ...patch([replace('/percentage', 1)], { url: `${url}?companyId=XX` }),
    status: 422,
    json: { code: 1010, message: 'Unknown companyId.' },
  },
  {
    name: 'refuses the company of somebody else exactly as one that does not exist (decision 0)',
    ...patch([replace('/percentage', 1)], { url: `${url}?companyId=SV` }),
    status: 422,
    json: { code: 1010, message: 'Unknown companyId.' },
  },
  {
    name: 'refuses an invalid path (rule 7)',
    ...patch([replace('/nope', 1)]),
    status: 422,
    json: invalidPath('/nope'),
  },
  ...[
    'attributeId',
    'attributeName',
    'relatedAttributeId',
    'relatedAttributeName',
    'companyId',
    'dateFrom',
    'attributeValueFrom',
    'attributeValueTo',
    'unitValue',
  ].map(
    (field): Scenario => ({
      name: `refuses to change ${field} (rule 7)`,
      ...patch([replace(`/${field}`, '1')]),
      status: 422,
      json: invalidPath(`/${field}`),
    }),
  ),
  {
    name: 'refuses a path into a field',
    ...patch([replace('/percentage/0', 1)]),
    status: 422,
    code: 4020,
  },
  {
    name: 'refuses an unknown relation value (rule 7)',
    ...patch([replace('/relationValue', '999')]),
    status: 422,
    findings: { relationValue: [3010, '999 is not a legal DEPT'] },
  },
  {
    name: 'refuses to change the attribute value (rule 7)',
    ...patch([replace('/attributeValue', 'CC200')]),
    status: 422,
    json: rejected,
  },
  {
    name: 'refuses add, which is not for relations (decision 2)',
    ...patch([{ op: 'add', path: '/percentage', value: 1 }]),
    status: 400,
    json: { code: 4020, message: "PatchOperation index 0: Operation 'add' is not supported: expected replace." },
  },
  {
    name: 'refuses remove, which is not for relations',
    ...patch([{ op: 'Remove', path: 'dateTo' }]),
    status: 400,
    code: 4020,
  },
  {
    name: 'refuses to remove the attribute value',
    ...patch([{ op: 'remove', path: '/attributeValue' }]),
    status: 400,
    code: 4020,
  },
  {
    name: 'refuses a percentage out of range (decision 3)',
    ...patch([replace('/percentage', 100.5)]),
    status: 422,
    findings: { percentage: [3010, 'The field Percentage must be between 0 and 100'] },
  },
  {
    name: 'refuses an end before the start (decision 3)',
    ...patch([replace('/dateTo', '2025-12-31')]),
    status: 422,
    findings: { dateTo: [3010, 'The field DateTo must not be before DateFrom'] },
  },
  {
    name: 'tells everything that is wrong at once (decision 1)',
    ...patch([replace('/percentage', -1), replace('/dateTo', '2025-12-31'), replace('/relationValue', '999')]),
    status: 422,
    findings: {
      relationValue: [3010, '999 is not a legal DEPT'],
      percentage: [3010, 'The field Percentage must be between 0 and 100'],
      dateTo: [3010, 'The field DateTo must not be before DateFrom'],
    },
  },
  {
    name: 'refuses a value of the wrong type with 422 (decision 1)',
    ...patch([replace('/percentage', 'much')]),
    status: 422,
    code: 4030,
  },
  {
    name: 'refuses a date that is none with 422 (decision 1)',
    ...patch([replace('/dateTo', '2026-02-30')]),
    status: 422,
    code: 4030,
  },
  {
    name: 'changes nothing when one operation of several fails (decision 2)',
    ...patch([replace('/percentage', 77), replace('/nope', 1)]),
    status: 422,
    code: 4020,
  },
  {
    name: 'refuses an operation without a path with 400',
    ...patch([{ op: 'replace', value: 1 }]),
    status: 400,
    code: 4020,
  },
  {
    name: 'refuses an unsupported operation with 400',
    ...patch([{ op: 'move', path: '/percentage', value: 1 }]),
    status: 400,
    code: 4020,
  },
  { name: 'refuses a body that is no array', ...patch({ percentage: 1 }), status: 400, code: 1010 },
  {
    name: 'refuses a relation that does not exist, naming its key (rule 5)',
    ...patch([replace('/percentage', 1)], { url: `${collection}/C1/CC100/C2/300` }),
    status: 404,
    json: {
      code: 1040,
      message:
        'The entity of the following parameters [Company: EN, Attribute ID: C1, Attribute value: CC100, Related attribute ID: C2, Relation value: 300] was not found.',
    },
  },
  {
    name: 'refuses a path that lacks a value',
    ...patch([], { url: `${collection}/C1/CC100/C2` }),
    status: 404,
    code: 1030,
  },
  { name: 'refuses a path that lacks all values', ...patch([], { url: collection }), status: 404, code: 1030 },
  {
    name: 'refuses a caller who may only read with 403 (rule 9)',
    as: 'reader',
    ...patch([replace('/percentage', 1)]),
    status: 403,
    json: { code: 2030, message: 'User is not authorised.' },
  },
  {
    name: 'refuses a change of what has changed since the entity tag was answered',
    ...patch([replace('/percentage', 1)], { headers: { 'if-match': '"0"' } }),
    status: 409,
    code: 3090,
  },
]

onEachStore(
  'PATCH /v1/attribute-relations/{attributeId}/{attributeValue}/{relatedAttributeId}/{relationValue}',
  (world) => {
    const read = (at: string) => world().send({ as: 'integration', url: at })
    const send = (method: 'POST' | 'PATCH', at: string, body: unknown, headers: Record<string, string> = {}) =>
      world().send({ as: 'integration', method, url: at, body, headers })
    const connect = async (path: string, rest: object = {}) => {
      const [attributeId, attributeValue, relatedAttributeId, relationValue] = path.split('/')
      const body = { attributeId, attributeValue, relatedAttributeId, relationValue, ...rest }
      expect((await send('POST', collection, body)).status).toBe(201)
      return `${collection}/${path}`
    }
    const journalOf = (value: string) =>
      world().query(
        `select * from audit_entry where entity = 'attribute-relation' and record_key like '%"${value}"%' order by entry_no`,
      )

    beforeAll(async () => {
      await connect('C1/CC100/C2/100', { dateFrom: '2026-01-01', percentage: 60 })
    })

    runScenarios(world, changed)
    runScenarios(world, refused)

    it('moves a relation to another value, at its old place among the related values (decision 3)', async () => {
      const value = '/v1/attribute-values/C1/CC200/0'
      const add = (relatedValue: string, unitValue: number) => ({
        op: 'add',
        path: '/relatedValues/-',
        value: { relationId: 'REL1', relatedValue, unitValue, percentage: 50 },
      })
      await send('PATCH', value, [add('100', 3), add('200', 4)])
      const at = `${collection}/C1/CC200/C2/`
      const moved = await send('PATCH', `${at}100`, [replace('/relationValue', 300)])
      expect([moved.status, moved.json.relationValue, moved.json.percentage]).toEqual([200, '300', 50])
      expect((await read(`${at}100`)).status).toBe(404)
      const now = await read(`${at}300`)
      expect([now.json, now.headers.etag]).toEqual([moved.json, moved.headers.etag])
      expect((await read(value)).json.relatedValues).toMatchObject([
        { relatedValue: '300', unitValue: 3, relationId: 'REL1' },
        { relatedValue: '200', unitValue: 4 },
      ])
      const entries = (await journalOf('CC200')).slice(-2).map((entry) => [entry.operation, entry.record_key])
      expect(entries).toEqual([
        ['delete', '["C1","CC200","C2","100"]'],
        ['create', '["C1","CC200","C2","300"]'],
      ])
    })

    it('refuses to move a relation to a value that is connected already (rules 2 and 7, decision 3)', async () => {
      const at = await connect('C1/CC300/C2/100')
      await connect('C1/CC300/C2/200')
      const before = await world().dump()
      const refusal = await send('PATCH', at, [replace('/percentage', 5), replace('/relationValue', '200')])
      expect([refusal.status, refusal.json]).toEqual([422, connected('COSTC : CC300', 'DEPT : 200')])
      expect(await world().changesSince(before)).toEqual([])
    })

    it('holds a single-valued relation to one value at a time (decision 3)', async () => {
      const first = await connect('C0/SICK/C1/CC100', { dateTo: '2026-06-30' })
      const second = await connect('C0/SICK/C1/CC200', { dateFrom: '2026-07-01' })
      const before = await world().dump()
      const longer = await send('PATCH', first, [replace('/dateTo', '2026-07-01')])
      expect([longer.status, longer.json]).toEqual([422, connected('ABSREASON : SICK', 'COSTC : CC200')])
      const both = await send('PATCH', first, [replace('/relationValue', 'CC300'), replace('/dateTo', '2027-01-01')])
      expect([both.status, both.json]).toEqual([422, connected('ABSREASON : SICK', 'COSTC : CC200')])
      const onto = await send('PATCH', second, [replace('/relationValue', 'CC100')])
      expect([onto.status, onto.json]).toEqual([422, connected('ABSREASON : SICK', 'COSTC : CC100')])
      expect(await world().changesSince(before)).toEqual([])

      expect((await send('PATCH', second, [replace('/relationValue', 'CC300')])).status).toBe(200)
      expect((await send('PATCH', first, [replace('/dateTo', '2026-05-31')])).status).toBe(200)
    })

    it('leaves a relation alone whose value was closed since (decisions, closed values)', async () => {
      const at = await connect('C0/HOL/C1/CC300')
      await world().send({ as: 'integration', method: 'DELETE', url: '/v1/attribute-values/C1/CC300/0' })
      expect((await send('PATCH', at, [replace('/percentage', 5)])).json).toMatchObject({ percentage: 5 })
      const again = await send('PATCH', at, [replace('/relationValue', 'CC100'), replace('/relationValue', 'CC300')])
      expect(again.status).toBe(200)
    })

    it('refuses a new value of a related attribute without manual maintenance, and changes the rest', async () => {
      const added = [{ op: 'add', path: '/relatedValues/-', value: { relationId: 'REL5', relatedValue: 'AUTO' } }]
      expect((await send('PATCH', '/v1/attribute-values/C6/OSLO/0', added)).status).toBe(200)
      const at = `${collection}/C6/OSLO/SY/AUTO`
      expect((await send('PATCH', at, [replace('/percentage', 9)])).json).toMatchObject({ percentage: 9 })
      const refusal = await send('PATCH', at, [replace('/relationValue', 'OTHER')])
      expect(refusal.json.notificationMessages).toEqual({
        relatedAttributeId: [{ code: 3010, message: 'Attribute SYSREASON does not allow manual maintenance' }],
        relationValue: [{ code: 3010, message: 'OTHER is not a legal SYSREASON' }],
      })
    })

    it('changes and deletes a relation of an attribute without manual maintenance, but moves it nowhere', async () => {
      const validity = `'1900-01-01T00:00:00.000Z', '2099-12-31T00:00:00.000Z'`
      const row = `'EN', 'SY', 'AUTO', 'C6', 'OSLO', 'REL6', 0, 0, ${validity}, '2026-01-01T00:00:00.000Z', 'import', 1, 1`
      await world().query(`insert into attribute_relation values (${row})`)
      const at = `${collection}/SY/AUTO/C6/OSLO`
      expect((await send('PATCH', at, [replace('/percentage', 9)])).json).toMatchObject({ percentage: 9 })
      const refusal = await send('PATCH', at, [replace('/relationValue', 'BERGEN')])
      expect([refusal.status, refusal.json.notificationMessages]).toEqual([
        422,
        { attributeId: [{ code: 3010, message: 'Attribute SYSREASON does not allow manual maintenance' }] },
      ])
      expect((await world().send({ as: 'integration', method: 'DELETE', url: at })).status).toBe(200)
    })

    it('is one record with the related value: a patch of either shows in both (decision 2)', async () => {
      const value = '/v1/attribute-values/C0/TRAIN/0'
      const at = await connect('C0/TRAIN/C1/CC100', { percentage: 10 })
      const valueTag = (await read(value)).headers.etag
      const relationTag = (await read(at)).headers.etag
      await send('PATCH', at, [replace('/percentage', 20), replace('/dateTo', '2026-12-31')])
      const shown = await read(value)
      expect(shown.json.relatedValues).toMatchObject([{ percentage: 20, dateTo: '2026-12-31T00:00:00.000' }])
      expect(shown.headers.etag).not.toBe(valueTag)
      await send('PATCH', value, [replace('/relatedValues/0/percentage', 30)])
      const again = await read(at)
      expect(again.json).toMatchObject({ percentage: 30, dateTo: '2026-12-31T00:00:00.000Z' })
      expect(again.headers.etag).not.toBe(relationTag)
      await send('PATCH', value, [replace('/relatedValues/0/relatedValue', 'CC200')])
      expect((await read(at)).status).toBe(404)
      expect((await read(`${collection}/C0/TRAIN/C1/CC200`)).json).toMatchObject({ percentage: 30 })
    })

    it('changes a relation whose entity tag still holds, and refuses with who, what and when it no longer does', async () => {
      const tag = String((await read(url)).headers.etag)
      const first = await send('PATCH', url, [replace('/percentage', 31)], { 'if-match': tag })
      expect(first.status).toBe(200)
      expect(first.headers.etag).not.toBe(tag)
      const before = await world().dump()
      const second = await send('PATCH', url, [replace('/percentage', 32)], { 'if-match': tag })
      expect([second.status, second.json.code]).toEqual([409, 3090])
      expect(second.json.message).toMatch(
        /^The data was changed or deleted by another user: svc-integration changed percentage at \d{4}-/,
      )
      expect(await world().changesSince(before)).toEqual([])
      expect((await read(url)).headers.etag).toBe(first.headers.etag)
    })

    it('refuses an entity tag that was never issued', async () => {
      const refusal = await send('PATCH', url, [replace('/percentage', 1)], { 'if-match': '"999999999"' })
      expect([refusal.status, refusal.json]).toEqual([
        409,
        { code: 3090, message: 'The data was changed or deleted by another user.' },
      ])
    })

    it('writes one journal entry with both states, and none when nothing has changed', async () => {
      await send('PATCH', url, [replace('/percentage', 51)])
      const entries = await journalOf('CC100')
      const last = entries.at(-1)
      expect(last).toMatchObject({ operation: 'update', record_key: '["C1","CC100","C2","100"]' })
      expect([last?.before, last?.after].map((text) => JSON.parse(String(text)).percentage)).toEqual([31, 51])
      const before = await world().dump()
      expect((await send('PATCH', url, [replace('/percentage', '51.0')])).status).toBe(200)
      expect(await journalOf('CC100')).toHaveLength(entries.length)
      const counted = (row: string) => !row.startsWith('journal_counter')
      expect((await world().changesSince(before)).filter(counted)).toEqual([])
    })

    it('loses none of many changes that come at once', async () => {
      const operations = [replace('/percentage', 0), replace('/dateTo', '2030-01-01')]
      const bodies = Array.from({ length: 16 }, (_, index) => [operations[index % 2]])
      const answers = await Promise.all(bodies.map((body) => send('PATCH', url, body)))
      expect(answers.map((answer) => answer.status)).toEqual(bodies.map(() => 200))
      expect((await read(url)).json).toMatchObject({ percentage: 0, dateTo: '2030-01-01T00:00:00.000Z' })
    })

    it('lets one of many moves to the same value win (decision 3)', async () => {
      const places = Array.from({ length: 8 }, (_, index) => `P${index}`)
      for (const attributeValue of ['TARGET', ...places]) {
        await send('POST', '/v1/attribute-values', { attributeId: 'C6', attributeValue })
      }
      const paths = await Promise.all(places.map((place) => connect(`C6/BERGEN/C6/${place}`)))
      const answers = await Promise.all(paths.map((at) => send('PATCH', at, [replace('/relationValue', 'TARGET')])))
      expect(answers.map((answer) => answer.status).sort()).toEqual([200, ...Array.from({ length: 7 }, () => 422)])
      const rows = await world().query(`select * from attribute_relation where attribute_value = 'BERGEN'`)
      expect(rows).toHaveLength(places.length)
    })
  },
)
