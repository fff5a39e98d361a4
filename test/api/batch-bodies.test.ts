// Bodies of a batch that are wrong: every mistake with its position, and nothing is done.
import { describe, expect, it } from 'vitest'
import { type Asked, BATCH, CONTINUE, creating, sendBatch, statusesOf, urlOf, VALUES } from '../support/batch.ts'
import { FEWER_KINDS, onEachStore, startWorld } from '../support/world.ts'

const ID = 'expected 1 to 128 letters, digits and - . _ ~.'
const PATH = 'expected a path, percent-encoded, without host and fragment.'
const good = { id: 'last', method: 'POST', url: VALUES, body: { attributeId: 'C1', attributeValue: 'NEVER' } }
const read = (rest: object) => ({ id: '1', method: 'GET', url: urlOf('CC100'), ...rest })

const MISTAKES: readonly [name: string, requests: unknown, message: string][] = [
  ['no list', {}, "A batch is an object with the list 'requests'."],
  [
    'no operation',
    ['x', null],
    "requests[0]: expected an object with id, method and url. requests[1]: expected an object with id, method and url. requests[1].id: '' stands twice.",
  ],
  ['no id', [read({ id: undefined })], `requests[0].id: ${ID}`],
  ['a number as id', [read({ id: 1 })], `requests[0].id: ${ID}`],
  ['an id that no program can print', [read({ id: { toString: [] } })], `requests[0].id: ${ID}`],
  ['a url that no program can print', [read({ url: { toString: [] } })], `requests[0].url: ${PATH}`],
  [
    'a group that no program can print',
    [read({ atomicityGroup: { toString: [] } })],
    `requests[0].atomicityGroup: ${ID}`,
  ],
  ['an id of other signs', [read({ id: 'a/b' })], `requests[0].id: ${ID}`],
  ['a long id', [read({ id: 'x'.repeat(129) })], `requests[0].id: ${ID}`],
  ['an id twice', [read({}), read({})], "requests[1].id: '1' stands twice."],
  [
    'no method',
    [read({ method: undefined })],
    'requests[0].method: expected one of GET, HEAD, POST, PATCH, DELETE, PUT.',
  ],
  [
    'another method',
    [read({ method: 'TRACE' })],
    'requests[0].method: expected one of GET, HEAD, POST, PATCH, DELETE, PUT.',
  ],
  ['no url', [read({ url: undefined })], `requests[0].url: ${PATH}`],
  ['an empty url', [read({ url: '' })], `requests[0].url: ${PATH}`],
  ['a host', [read({ url: 'http://localhost/v1/access' })], `requests[0].url: ${PATH}`],
  ['a fragment', [read({ url: '/v1/access#x' })], `requests[0].url: ${PATH}`],
  ['a url with a line break', [read({ url: '/v1/access\r\nHost: x' })], `requests[0].url: ${PATH}`],
  ['a url that is not encoded', [read({ url: '/v1/\u00e6' })], `requests[0].url: ${PATH}`],
  ['a body of a read', [read({ body: {} })], 'requests[0].body: expected none with GET.'],
  [
    'a misspelt member',
    [{ ...good, id: 'first', atomicitygroup: 'g' }],
    'requests[0].atomicitygroup: expected id, method, url, headers, body, dependsOn, atomicityGroup.',
  ],
  [
    'a condition',
    [read({ if: 'true' })],
    'requests[0].if: expected id, method, url, headers, body, dependsOn, atomicityGroup.',
  ],
  [
    'headers that are a list',
    [read({ headers: [] })],
    'requests[0].headers: expected an object with at most 50 headers.',
  ],
  [
    'a caller of its own',
    [read({ headers: { Authorization: 'Basic eDp5' } })],
    'requests[0].headers.Authorization: an operation cannot have this header.',
  ],
  [
    'a range',
    [read({ headers: { range: 'bytes=0-1' } })],
    'requests[0].headers.range: an operation cannot have this header.',
  ],
  [
    'a header twice',
    [read({ headers: { accept: '*/*', Accept: '*/*' } })],
    'requests[0].headers.Accept: the header is given twice.',
  ],
  [
    'a header with a line break',
    [read({ headers: { accept: 'a\r\nb' } })],
    'requests[0].headers.accept: expected a text of at most 8192 characters.',
  ],
  [
    'a header that is a number',
    [read({ headers: { accept: 1 } })],
    'requests[0].headers.accept: expected a text of at most 8192 characters.',
  ],
  ['a header without a name', [read({ headers: { '': 'x' } })], 'requests[0].headers.: expected the name of a header.'],
  [
    'a dependency that is no list',
    [read({ dependsOn: '1' })],
    'requests[0].dependsOn: expected a list of ids of operations and groups.',
  ],
  [
    'a dependency on itself',
    [read({ dependsOn: ['1'] })],
    "requests[0].dependsOn: '1' is no operation and no group before it.",
  ],
  [
    'a dependency on a later one',
    [read({ dependsOn: ['2'] }), read({ id: '2' })],
    "requests[0].dependsOn: '2' is no operation and no group before it.",
  ],
  [
    'a dependency on its own group',
    [read({ id: 'a', atomicityGroup: 'g' }), read({ atomicityGroup: 'g', dependsOn: ['g'] })],
    "requests[1].dependsOn: 'g' is no operation and no group before it.",
  ],
  [
    'a group that is interrupted',
    [read({ id: 'a', atomicityGroup: 'g' }), read({}), read({ id: 'b', atomicityGroup: 'g' })],
    'requests[2].atomicityGroup: expected the operations of a group one behind the other.',
  ],
  [
    'a group with the name of an operation',
    [read({ id: 'g', atomicityGroup: 'g' })],
    "requests[0].id: 'g' is the name of a group too.",
  ],
  ['a group of other signs', [read({ atomicityGroup: '' })], `requests[0].atomicityGroup: ${ID}`],
  [
    'a reference without a dependency',
    [read({}), read({ id: '2', url: '$1' })],
    "requests[1].url: '$1' is no operation that it depends on.",
  ],
  [
    'a reference to nothing',
    [read({ url: '$0/history' })],
    "requests[0].url: '$0' is no operation that it depends on.",
  ],
]

onEachStore(
  'A batch that is wrong',
  (world) => {
    const send = (body: unknown) => world().send({ as: 'integration', method: 'POST', url: BATCH, body })

    it.each(MISTAKES)('is refused for %s, and nothing is done', async (_name, requests, message) => {
      const before = await world().dump()
      const { status, json } = await send({
        requests: Array.isArray(requests) ? [...requests, good] : requests,
      })
      expect([status, json]).toEqual([400, { code: 1010, message }])
      expect(await world().changesSince(before)).toEqual([])
    })

    it('is told ten mistakes, and how many more there are', async () => {
      const { json } = await send({
        requests: Array.from({ length: 40 }, (_, at) => ({ id: String(at), method: 'GET' })),
      })
      expect(json.message.match(/requests\[\d+\]\.url/g)).toHaveLength(10)
      expect(json.message).toMatch(/There are 30 more\.$/)
    })

    it.each([
      ['1,001 operations', { requests: Array.from({ length: 1_001 }, (_, at) => read({ id: String(at) })) }, 400],
      ['a list', [], 400],
      ['a text', '"x"', 400],
      ['nothing', '', 400],
      ['36 levels', `{"requests":[{"body":${'['.repeat(34)}${']'.repeat(34)}}]}`, 400],
      ['200,001 items', `{"requests":[{"body":[${'0,'.repeat(200_000)}0]}]}`, 400],
      ['a name twice', '{"requests":[],"requests":[]}', 400],
      ['more than 4 MiB', JSON.stringify({ requests: [read({ url: `/${'x'.repeat(4 * 1024 * 1024)}` })] }), 413],
    ])('is refused for %s', async (_name, body, status) => {
      expect((await send(body)).status).toBe(status)
    })

    it('is refused in another form', async () => {
      const headers = { 'content-type': 'multipart/mixed; boundary=x' }
      const sent = { as: 'integration', method: 'POST', url: BATCH, body: '--x--', headers } as const
      expect((await world().send(sent)).status).toBe(415)
    })

    it('has annotations and null, which count as absent', async () => {
      const operation = { ...read({}), '@odata.type': '#x', 'x@y.z': 1, body: null, headers: null }
      const { status, json } = await send({ '@context': 'x', requests: [operation] })
      expect([status, statusesOf(json.responses)]).toEqual([200, [200]])
    })

    describe('holds operations that cannot be', () => {
      it('a batch, the feed, a description', async () => {
        const asked: Asked[] = [
          { method: 'POST', url: BATCH, body: { requests: [] } },
          { url: '/v1/changes?since=now&wait=60' },
          { url: '/openapi.json' },
          { url: '../metrics' },
          { url: '//localhost/v1/access' },
        ]
        const { json } = await sendBatch(world(), asked, CONTINUE)
        expect(statusesOf(json.responses)).toEqual([404, 404, 404, 404, 404])
      })

      it('values that grow by references', async () => {
        const first = creating('GROW', {
          body: { attributeId: 'C6', attributeValue: 'GROW', description: 'x'.repeat(200) },
        })
        const body = Array.from({ length: 6_000 }, () => '$1/description')
        const { json } = await sendBatch(
          world(),
          [first, { method: 'POST', url: VALUES, dependsOn: ['1'], body }],
          CONTINUE,
        )
        expect(statusesOf(json.responses)).toEqual([201, 413])
      })
    })
  },
  startWorld,
  FEWER_KINDS,
)
