// GET of one attribute relation: specification, attribute relations, rules 5 and 9; decisions 0 and 3; entity tags.
import { beforeAll, expect, it } from 'vitest'
import { insertRows } from '../support/object-records.ts'
import { hasBlank, storedPlace } from '../support/places.ts'
import { runScenarios, type Scenario } from '../support/scenario.ts'
import { onEachStore } from '../support/world.ts'

const collection = '/v1/attribute-relations'
const url = `${collection}/C1/CC100/C2/100`

const whole = {
  companyId: 'EN',
  attributeId: 'C1',
  attributeValue: 'CC100',
  relatedAttributeId: 'C2',
  relationValue: '100',
  attributeName: 'COSTC',
  attributeValueFrom: 0,
  attributeValueTo: 0,
  relatedAttributeName: 'DEPT',
  dateFrom: '2026-01-01T00:00:00.000Z',
  dateTo: '2099-12-31T00:00:00.000Z',
  percentage: 60.5,
}

/** The rejection by rule 5: every part of the key with the requested value. */
const notFound = (attribute: string, value: string, related: string, relationValue: string) => ({
  code: 1040,
  message: `The entity of the following parameters [Company: EN, Attribute ID: ${attribute}, Attribute value: ${value}, Related attribute ID: ${related}, Relation value: ${relationValue}] was not found.`,
})
const notAuthorised = { code: 2030, message: 'User is not authorised.' }

const reading: Scenario[] = [
  { name: 'answers the relation whole, with both names (rule 5)', url, status: 200, json: whole },
  { name: 'serves a caller who may only read', as: 'reader', url, status: 200, json: whole },
  { name: 'takes a trailing slash (decision 0)', url: `${url}/`, status: 200, json: whole },
  {
    name: 'takes the company in any letter case, behind unknown parameters (habits)',
    url: `${url}?&x=1&CompanyID=en`,
    status: 200,
    json: whole,
  },
  { name: 'takes an odd Accept header (decision 0)', url, headers: { accept: 'text/html' }, status: 200, json: whole },
  {
    name: 'refuses an unknown attribute (rule 5)',
    url: `${collection}/ZZ/CC100/C2/100`,
    status: 404,
    json: notFound('ZZ', 'CC100', 'C2', '100'),
  },
  {
    name: 'refuses an unknown attribute value (rule 5)',
    url: `${collection}/C1/NOPE/C2/100`,
    status: 404,
    json: notFound('C1', 'NOPE', 'C2', '100'),
  },
  {
    name: 'refuses an unknown related attribute (rule 5)',
    url: `${collection}/C1/CC100/ZZ/100`,
    status: 404,
    json: notFound('C1', 'CC100', 'ZZ', '100'),
  },
  {
    name: 'refuses an unknown relation value (rule 5)',
    url: `${collection}/C1/CC100/C2/200`,
    status: 404,
    json: notFound('C1', 'CC100', 'C2', '200'),
  },
  {
    name: 'refuses a value in another letter case than its own (rule 5)',
    url: `${collection}/C1/cc100/C2/100`,
    status: 404,
    json: notFound('C1', 'cc100', 'C2', '100'),
  },
  ...['/C1', '/C1/CC100', '/C1/CC100/C2', '/C1/CC100/C2/', '/C1//C2/100', '/C1/CC100/C2/100/x'].map(
    (path): Scenario => ({
      name: `refuses the path '${path}' as an unknown address`,
      url: collection + path,
      status: 404,
      json: { code: 1030, message: `No resource matches the URI '${collection}${path}'.` },
    }),
  ),
  {
    name: 'refuses an unknown company with 403 (rule 9)',
    url: `${url}?companyId=XX`,
    status: 403,
    json: notAuthorised,
  },
  {
    name: 'refuses the company of somebody else exactly as one that does not exist (decision 0)',
    url: `${url}?companyId=SV`,
    status: 403,
    json: notAuthorised,
  },
  { name: 'refuses a caller without the permission (rule 9)', as: 'nobody', url, status: 403, json: notAuthorised },
  {
    name: 'finds nothing of one company in another',
    as: 'both',
    url: `${url}?companyId=SV`,
    status: 404,
    code: 1040,
  },
  {
    name: 'refuses the company given twice (decision 0)',
    url: `${url}?companyId=EN&CompanyId=EN`,
    status: 400,
    code: 1020,
  },
  { name: 'refuses a token that is missing', as: undefined, url, status: 401 },
  {
    name: 'refuses another method',
    method: 'PUT',
    url,
    body: {},
    status: 405,
    answerHeaders: { allow: 'GET, HEAD, PATCH, DELETE' },
  },
  {
    name: 'answers the collection, which can only be posted to, with 405',
    url: '/v1/attribute-relations',
    status: 405,
    code: 1030,
    answerHeaders: { allow: 'POST' },
  },
]

onEachStore(
  'GET /v1/attribute-relations/{attributeId}/{attributeValue}/{relatedAttributeId}/{relationValue}',
  (world) => {
    const send = (method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown) =>
      world().send({ as: 'integration', method, url: path, ...(body === undefined ? {} : { body }) })
    const createPlace = (attributeValue: string) =>
      hasBlank(attributeValue)
        ? insertRows(world(), 'attribute_value', [storedPlace(attributeValue)])
        : send('POST', '/v1/attribute-values', { attributeId: 'C6', attributeValue })

    beforeAll(async () => {
      // Created as a related value: it is the same data (decision 2).
      const relatedValue = {
        unitValue: 3,
        relationId: 'REL1',
        relatedValue: '100',
        percentage: 60.5,
        dateFrom: '2026-01-01',
      }
      const added = [{ op: 'add', path: '/relatedValues/-', value: relatedValue }]
      expect((await send('PATCH', '/v1/attribute-values/C1/CC100/0', added)).status).toBe(200)
    })

    runScenarios(world, reading)

    it('answers compact JSON in the documented order', async () => {
      expect((await world().send({ as: 'integration', url })).text).toBe(JSON.stringify(whole))
    })

    it('answers an entity tag, and 304 without a body to a client with that tag', async () => {
      const read = await world().send({ as: 'integration', url })
      const etag = String(read.headers.etag)
      expect(etag).toMatch(/^"\d+"$/)
      for (const known of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
        const again = await world().send({ as: 'integration', url, headers: { 'if-none-match': known } })
        expect([again.status, again.text, again.headers.etag]).toEqual([304, '', etag])
      }
      expect((await world().send({ as: 'integration', url, headers: { 'if-none-match': '"0"' } })).status).toBe(200)
    })

    it.each([
      ['0', '0'],
      ['1001', '1001'],
      ['007', '7'],
      ['-12', '-12'],
      ['-0', '0'],
      ['9007199254740993', '9007199254740993'],
      ['9223372036854775807', '9223372036854775807'],
      ['9223372036854775808', '0'],
      ['-9223372036854775808', '-9223372036854775808'],
      ['-9223372036854775809', '0'],
      ['00000000000000000042', '42'],
      ['99999999999999999999', '0'],
      ['+1', '0'],
      ['1.0', '0'],
      ['1e3', '0'],
      ['1-2', '0'],
      ['--1', '0'],
      ['-', '0'],
      ['1 2', '0'],
      ['\u0661\u0662', '0'],
      ['0x10', '0'],
    ])('answers the value %j as the integer %s, as the collection does (decision 3)', async (value, integer) => {
      await createPlace(value)
      const body = { attributeId: 'C6', attributeValue: value, relatedAttributeId: 'C6', relationValue: 'OSLO' }
      const created = await send('POST', collection, body)
      // A double cannot hold them all: compared as text.
      const members = `"attributeValueFrom":${integer},"attributeValueTo":${integer}`
      expect([created.status, created.text]).toEqual([
        201,
        expect.stringContaining(`${members},"relatedAttributeName"`),
      ])
      const filter = encodeURIComponent(`attributeValue eq '${value}' and relationValue eq 'OSLO'`)
      const select = 'select=attributeValueFrom,attributeValueTo'
      const listed = await world().send({
        as: 'integration',
        url: `/v1/objects/attribute-relations?${select}&filter=${filter}`,
      })
      expect(listed.text).toBe(`[{${members}}]`)
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
      '~tilde',
      'back\\slash',
      '"quoted"',
      ':x',
      '*',
      '\ud83d\ude00'.repeat(255),
    ])('serves the legal value %j on both sides of every endpoint', async (value) => {
      await createPlace(value)
      const body = { attributeId: 'C6', attributeValue: value, relatedAttributeId: 'C6', relationValue: value }
      const created = await send('POST', collection, body)
      expect([created.status, created.json]).toMatchObject([201, body])
      const at = `${collection}/C6/${encodeURIComponent(value)}/C6/${encodeURIComponent(value)}`
      expect(created.headers.location).toBe(at)
      expect((await world().send({ as: 'integration', url: at })).json).toEqual(created.json)
      const patched = await send('PATCH', at, [{ op: 'replace', path: '/percentage', value: 7 }])
      expect(patched.json).toEqual({ ...created.json, percentage: 7 })
      expect((await send('DELETE', at)).status).toBe(200)
      expect((await world().send({ as: 'integration', url: at })).status).toBe(404)
    })
  },
)
