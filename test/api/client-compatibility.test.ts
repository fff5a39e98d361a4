// Behaviour of deployed clients that the specification does not cover: each habit is a row, sent over HTTP.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CLIENT_SECRET, STORE_KINDS, startWorld } from '../support/world.ts'

interface Habit {
  readonly habit: string
  readonly method?: string
  readonly path: string
  readonly body?: string
  readonly headers?: Record<string, string>
  readonly status: number
  /** The text that the client expects in the answer. */
  readonly text?: string
}

const C0 = '/v1/attribute-values/C0'
const basic = (scheme: string) => `${scheme} ${Buffer.from(`integration:${CLIENT_SECRET}`).toString('base64')}`
const all = '[{"attributeValue":"HOL"},{"attributeValue":"SICK"},{"attributeValue":"TRAIN"}]'
const sick = '[{"attributeValue":"SICK"}]'

const HABITS: readonly Habit[] = [
  // Query strings
  {
    habit: 'parameter names in any letter case',
    path: `${C0}?SELECT=attributeValue&COMPANYID=EN`,
    status: 200,
    text: all,
  },
  { habit: 'companyId left out', path: `${C0}?select=attributeValue`, status: 200, text: all },
  {
    habit: 'companyId in the wrong letter case, and last',
    path: `${C0}?select=attributeValue&companyid=eN`,
    status: 200,
    text: all,
  },
  {
    habit: 'unknown parameters on every call',
    path: `${C0}?select=attributeValue&doctype=X&withFileContent=False`,
    status: 200,
    text: all,
  },
  { habit: 'an empty first parameter', path: `${C0}?&select=attributeValue`, status: 200, text: all },
  {
    habit: 'blanks after the commas of select',
    path: `${C0}?select=attributeValue,%20%20description&limit=1`,
    status: 200,
    text: '"description":"Holiday"',
  },
  {
    habit: 'two blanks between tokens of a filter',
    path: `${C0}?select=attributeValue&filter=attributeValue%20%20eq%20%20%27SICK%27`,
    status: 200,
    text: sick,
  },
  {
    habit: 'quotes, brackets and commas raw',
    path: `${C0}?select=attributeValue&filter=(attributeValue+in+('SICK','X'))`,
    status: 200,
    text: sick,
  },
  {
    habit: 'quotes, brackets and commas encoded',
    path: `${C0}?select=attributeValue&filter=%28attributeValue%20in%20%28%27SICK%27%2C%27X%27%29%29`,
    status: 200,
    text: sick,
  },
  {
    habit: 'plus for a blank',
    path: `${C0}?select=attributeValue&filter=attributeValue+eq+'SICK'`,
    status: 200,
    text: sick,
  },
  { habit: 'a star for everything', path: `${C0}?select=*&limit=1`, status: 200, text: '"periodTo":209912' },
  {
    habit: 'a string compared with a bare number',
    path: `/v1/attribute-values/C2?select=attributeValue&filter=attributeValue%20eq%20100`,
    status: 200,
    text: '[{"attributeValue":"100"}]',
  },
  {
    habit: "OData 2's substringof",
    path: `${C0}?select=attributeValue&filter=substringof('ickn',description)`,
    status: 200,
    text: sick,
  },
  {
    habit: 'options with a dollar sign',
    path: `${C0}?$select=attributeValue&$orderby=attributeValue%20DESC&$top=1&$skip=1`,
    status: 200,
    text: sick,
  },
  // Paging and reading
  { habit: 'no limit is the whole set', path: `${C0}?select=attributeValue`, status: 200, text: all },
  { habit: 'an empty page ends the walk', path: `${C0}?offset=3&limit=3`, status: 200, text: '[]' },
  { habit: 'an empty set is compared as text', path: '/v1/attribute-values/C8', status: 200, text: '[]' },
  {
    habit: 'numbers and strings are never null',
    path: '/v1/attribute-values/C1/CC100/0',
    status: 200,
    text: '"customValue":0',
  },
  {
    habit: 'the code of a finding is compared as text',
    method: 'POST',
    path: '/v1/attribute-values',
    body: '{"attributeId":"C0","attributeValue":"not legal"}',
    status: 422,
    text: '"code":3010',
  },
  // Writing
  {
    habit: 'PascalCase bodies with nulls and unknown members, behind a slash',
    method: 'POST',
    path: '/v1/attribute-values/',
    body: '{"AttributeId":"C0","AttributeValue":"HABIT","Description":"Habit","Owner":null,"ContactPoints":null,"Foo":{"Bar":[1]}}',
    status: 201,
    text: '"attributeValue":"HABIT"',
  },
  {
    habit: 'a POST sent again ends in the already-exists error',
    method: 'POST',
    path: '/v1/attribute-values',
    body: '{"attributeId":"C0","attributeValue":"HABIT","description":"Habit"}',
    status: 409,
    text: 'HABIT: already exists. Please enter a unique value',
  },
  {
    habit: 'PATCH with unknown parameters, members in the order path, op, value',
    method: 'PATCH',
    path: `${C0}/HABIT/0?foo=1`,
    body: '[{"path":"/description","op":"replace","value":"a"}]',
    status: 200,
    text: '"description":"a"',
  },
  {
    habit: 'Replace capitalised, paths in mixed case without the slash',
    method: 'PATCH',
    path: `${C0}/HABIT/0`,
    body: '[{"op":"Replace","path":"Description","value":"b"},{"op":"REPLACE","path":"/customVALUE","value":"1.5"}]',
    status: 200,
    text: '"customValue":1.5',
  },
  {
    habit: 'whole arrays as values',
    method: 'PATCH',
    path: `${C0}/HABIT/0`,
    body: '[{"op":"replace","path":"/relatedValues","value":[{"RelationId":"REL2","RelatedValue":"CC100"}]}]',
    status: 200,
    text: '"relatedValue":"CC100"',
  },
  {
    habit: 'content type application/json-patch+json',
    method: 'PATCH',
    path: `${C0}/HABIT/0`,
    body: '[{"op":"replace","path":"/description","value":"c"}]',
    headers: { 'content-type': 'application/json-patch+json' },
    status: 200,
  },
  {
    habit: 'content type with a charset',
    method: 'PATCH',
    path: `${C0}/HABIT/0`,
    body: '[{"op":"replace","path":"/description","value":"d"}]',
    headers: { 'content-type': 'application/json; charset=utf-8' },
    status: 200,
  },
  { habit: 'success of DELETE is exactly 200', method: 'DELETE', path: `${C0}/HABIT/0`, status: 200, text: '' },
  // Transport
  { habit: 'Basic authentication', path: `${C0}?limit=1`, headers: { authorization: basic('Basic') }, status: 200 },
  {
    habit: 'the scheme in any letter case',
    path: `${C0}?limit=1`,
    headers: { authorization: basic('BASIC') },
    status: 200,
  },
  {
    habit: 'an odd Accept header on a GET',
    path: `${C0}?limit=1`,
    headers: { accept: 'application/pdf' },
    status: 200,
  },
  {
    habit: 'deflate',
    path: `${C0}?select=*`,
    headers: { 'accept-encoding': 'deflate' },
    status: 200,
    text: 'attributeValue',
  },
  {
    habit: 'gzip',
    path: `${C0}?select=*`,
    headers: { 'accept-encoding': 'gzip' },
    status: 200,
    text: 'attributeValue',
  },
  // Connection tests
  { habit: '404 with 1030 in the body is a working connection', path: '/v1/', status: 404, text: '1030' },
  {
    habit: '401 is bad credentials',
    path: '/v1/',
    headers: { authorization: 'Basic eDp5' },
    status: 401,
    text: 'Invalid JWT.',
  },
]

describe.each(STORE_KINDS)('Habits of deployed clients on %s', (kind) => {
  let world: Awaited<ReturnType<typeof startWorld>> | undefined
  let origin = ''
  beforeAll(async () => {
    world = await startWorld(kind, 'test/fixtures/company.yaml', '/web-api')
    origin = await world.application.server.listen({ host: '127.0.0.1', port: 0 })
  })
  afterAll(async () => world?.stop())

  it.each(HABITS)('$habit', async ({ method = 'GET', path, body, headers, status, text }) => {
    const token = await world?.token('integration')
    const answer = await fetch(`${origin}/web-api${path}`, {
      method,
      ...(body === undefined ? {} : { body }),
      headers: {
        authorization: `bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
    })
    const found = await answer.text()
    expect([answer.status, found]).toEqual([status, expect.stringContaining(text ?? '')])
    if (text === '[]' || text === '' || text?.startsWith('[{')) expect(found).toBe(text)
    expect(found).not.toContain(':null')
  })
})
