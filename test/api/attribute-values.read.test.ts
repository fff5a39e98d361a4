// GET and DELETE of one attribute value: specification, attribute values, rules 4, 8 and 9; decision 2; entity tags.
import { expect, it } from 'vitest'
import { insertRows } from '../support/object-records.ts'
import { hasBlank, storedPlace } from '../support/places.ts'
import { runScenarios, type Scenario } from '../support/scenario.ts'
import { onEachStore } from '../support/world.ts'

const whole = {
  attributeId: 'C1',
  attributeName: 'COSTC',
  attributeValue: 'CC100',
  companyId: 'EN',
  contactPoints: [],
  customValue: 0,
  description: 'Head office',
  owner: '',
  ownerAttributeId: 'C2',
  ownerAttributeName: 'DEPT',
  periodFrom: 0,
  periodTo: 209912,
  relatedValues: [],
  status: 'N',
}

const notFound = (value: string, period: string) => ({
  code: 1040,
  message: `The entity of the following parameters [Company: EN, Attribute ID: C1, Attribute value: ${value}, Period from: ${period}] was not found.`,
})

const reading: Scenario[] = [
  {
    name: 'answers the whole value, empty arrays when there are none',
    url: '/v1/attribute-values/C1/CC100/0',
    status: 200,
    json: whole,
  },
  {
    name: 'serves a caller who may only read',
    as: 'reader',
    url: '/v1/attribute-values/C1/CC100/0',
    status: 200,
    json: whole,
  },
  { name: 'takes a trailing slash (decision 0)', url: '/v1/attribute-values/C1/CC100/0/', status: 200, json: whole },
  {
    name: 'takes the company in any letter case, behind unknown parameters (habits)',
    url: '/v1/attribute-values/C1/CC100/0?&x=1&CompanyID=en',
    status: 200,
    json: whole,
  },
  {
    name: 'refuses an unknown attribute (rule 4)',
    url: '/v1/attribute-values/ZZ/CC100/0',
    status: 404,
    json: { code: 1040, message: 'ZZ is not a valid attribute' },
  },
  {
    name: 'refuses an unknown value (rule 4)',
    url: '/v1/attribute-values/C1/NOPE/0',
    status: 404,
    json: notFound('NOPE', '0'),
  },
  {
    name: 'refuses an unknown period (rule 4)',
    url: '/v1/attribute-values/C1/CC100/202601',
    status: 404,
    json: notFound('CC100', '202601'),
  },
  {
    name: 'refuses a period that is none (rule 4)',
    url: '/v1/attribute-values/C1/CC100/soon',
    status: 404,
    json: notFound('CC100', 'soon'),
  },
  {
    name: 'refuses a period in another spelling than its own (rule 4)',
    url: '/v1/attribute-values/C1/CC100/00',
    status: 404,
    json: notFound('CC100', '00'),
  },
  {
    name: 'refuses a path without the period as an unknown address (decision 2)',
    url: '/v1/attribute-values/C1/CC100',
    status: 404,
    code: 1030,
  },
  {
    name: 'refuses a path without the attribute as an unknown address (decision 2)',
    url: '/v1/attribute-values',
    status: 404,
    code: 1030,
  },
  {
    name: 'refuses an unknown company with 403 (rule 9)',
    url: '/v1/attribute-values/C1/CC100/0?companyId=XX',
    status: 403,
    json: { code: 2030, message: 'User is not authorised.' },
  },
  {
    name: 'refuses the company of somebody else exactly as one that does not exist (decision 0)',
    url: '/v1/attribute-values/C1/CC100/0?companyId=SV',
    status: 403,
    json: { code: 2030, message: 'User is not authorised.' },
  },
  {
    name: 'refuses a caller without the permission (rule 9)',
    as: 'nobody',
    url: '/v1/attribute-values/C1/CC100/0',
    status: 403,
    json: { code: 2030, message: 'User is not authorised.' },
  },
  {
    name: 'acts in the company that is asked for',
    as: 'both',
    url: '/v1/attribute-values/C1/CC100/0?companyId=SV',
    status: 200,
    includes: { companyId: 'SV', description: 'canary-of-SV' },
  },
  {
    name: 'acts in the default company of the caller when none is asked for',
    as: 'sv',
    url: '/v1/attribute-values/C1/CC100/0',
    status: 200,
    includes: { companyId: 'SV' },
  },
  {
    name: 'refuses the company given twice (decision 0)',
    url: '/v1/attribute-values/C1/CC100/0?companyId=EN&CompanyId=EN',
    status: 400,
    code: 1020,
  },
]

const closing: Scenario[] = [
  {
    name: 'refuses to close a value of an attribute without manual maintenance with 400 (rule 8)',
    method: 'DELETE',
    url: '/v1/attribute-values/SY/AUTO/0',
    status: 400,
    json: { code: 3010, message: 'Attribute SYSREASON does not allow manual maintenance' },
  },
  {
    name: 'refuses to close an unknown value (rule 8)',
    method: 'DELETE',
    url: '/v1/attribute-values/C1/NOPE/0',
    status: 404,
    json: notFound('NOPE', '0'),
  },
  {
    name: 'refuses to close a value of an unknown attribute (decision 2)',
    method: 'DELETE',
    url: '/v1/attribute-values/ZZ/NOPE/0',
    status: 404,
    json: { code: 1040, message: 'ZZ is not a valid attribute' },
  },
  {
    name: 'refuses a path without the period (rule 8)',
    method: 'DELETE',
    url: '/v1/attribute-values/C1/CC100',
    status: 404,
    code: 1030,
  },
  {
    name: 'refuses a path without value and period (rule 8, decision 2)',
    method: 'DELETE',
    url: '/v1/attribute-values/C1',
    status: 404,
    code: 1030,
  },
  {
    name: 'refuses a caller who may only read (rule 9)',
    as: 'reader',
    method: 'DELETE',
    url: '/v1/attribute-values/C1/CC100/0',
    status: 403,
    json: { code: 2030, message: 'User is not authorised.' },
  },
  {
    name: 'refuses an unknown company with 403 (rule 9)',
    method: 'DELETE',
    url: '/v1/attribute-values/C1/CC100/0?companyId=XX',
    status: 403,
    code: 2030,
  },
  {
    name: 'refuses to close what has changed since the entity tag was answered',
    method: 'DELETE',
    url: '/v1/attribute-values/C1/CC100/0',
    headers: { 'if-match': '"0"' },
    status: 409,
    code: 3090,
  },
]

onEachStore('GET and DELETE /v1/attribute-values/{attributeId}/{attributeValue}/{periodFrom}', (world) => {
  runScenarios(world, reading)
  runScenarios(world, closing)

  it('closes a value: 200 without content, readable with status C, and closing again is 200 (rule 8, decision 2)', async () => {
    const url = '/v1/attribute-values/C0/HOL/0'
    const closed = await world().send({ as: 'integration', method: 'DELETE', url })
    expect([closed.status, closed.text]).toEqual([200, ''])
    expect((await world().send({ as: 'integration', url })).json).toMatchObject({ status: 'C', description: 'Holiday' })
    expect((await world().send({ as: 'integration', method: 'DELETE', url })).status).toBe(200)
    const entries = await world().query("select * from audit_entry where operation = 'delete'")
    expect(entries.map((entry) => entry.record_key)).toEqual(['["C0","HOL",0]'])
  })

  it('keeps a closed value from being referred to any more', async () => {
    await world().send({ as: 'integration', method: 'DELETE', url: '/v1/attribute-values/C2/300/0' })
    const refused = await world().send({
      as: 'integration',
      method: 'POST',
      url: '/v1/attribute-values',
      body: { attributeId: 'C1', attributeValue: 'OWNED', owner: '300' },
    })
    expect(refused.status).toBe(422)
  })

  it.each([
    'a/b',
    'a//b',
    'a b',
    '50%',
    'a%2Fb',
    '\u00c6\u00d8\u00c5',
    '\u6771\u4eac',
    "o'hara",
    '100% + 1',
    '?x=1&y',
    '#1',
    ';a',
    '\ud83d\ude00',
    'a.b',
    '+1',
    '~tilde',
    'back\\slash',
  ])('serves the legal value %j on every endpoint of one record', async (value) => {
    if (hasBlank(value)) await insertRows(world(), 'attribute_value', [storedPlace(value)])
    else {
      const body = { attributeId: 'C6', attributeValue: value }
      const created = await world().send({ as: 'integration', method: 'POST', url: '/v1/attribute-values', body })
      expect(created.status).toBe(201)
    }
    const url = `/v1/attribute-values/C6/${encodeURIComponent(value)}/0`
    const read = await world().send({ as: 'integration', url })
    expect(read.json).toMatchObject({ attributeValue: value })
    const patched = await world().send({
      as: 'integration',
      method: 'PATCH',
      url,
      body: [{ op: 'replace', path: '/description', value }],
    })
    expect(patched.json).toMatchObject({ attributeValue: value, description: value })
    const quoted = encodeURIComponent(`attributeValue eq '${value.replaceAll("'", "''")}'`)
    const listed = await world().send({ as: 'integration', url: `/v1/attribute-values/C6?$filter=${quoted}` })
    expect(listed.json).toMatchObject([{ attributeValue: value }])
    expect((await world().send({ as: 'integration', method: 'DELETE', url })).status).toBe(200)
  })

  it('serves a value with slashes that were not encoded', async () => {
    await world().send({
      as: 'integration',
      method: 'POST',
      url: '/v1/attribute-values',
      body: { attributeId: 'C6', attributeValue: 'x/y/z' },
    })
    const read = await world().send({ as: 'integration', url: '/v1/attribute-values/C6/x/y/z/0' })
    expect(read.json).toMatchObject({ attributeValue: 'x/y/z' })
  })

  it('answers an entity tag, and 304 without a body to a client with that tag', async () => {
    const url = '/v1/attribute-values/C1/CC200/0'
    const read = await world().send({ as: 'integration', url })
    const etag = String(read.headers.etag)
    expect(etag).toMatch(/^"\d+"$/)
    for (const known of [etag, `W/${etag}`, `${etag.slice(0, -1)}-gzip"`, `"x", ${etag}`, '*']) {
      const again = await world().send({ as: 'integration', url, headers: { 'if-none-match': known } })
      expect([again.status, again.text, again.headers.etag]).toEqual([304, '', etag])
    }
    expect((await world().send({ as: 'integration', url, headers: { 'if-none-match': '"0"' } })).status).toBe(200)
  })
})
