// HEAD wherever GET is (RFC 9110, 9.1), and `Accept` with wildcards (decision 0): one table of addresses for both, below
// a base path.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sendBatch } from '../support/batch.ts'
import { type Answer, type Sent, startWorld, type World } from '../support/world.ts'

const BASE = '/erp'

/** One of each kind of address. */
const OPEN = [
  '/health/live',
  '/health/ready',
  '/openapi.json',
  '/metrics',
  '/.well-known/jwks.json',
  '/.well-known/oauth-authorization-server',
  '/.well-known/oauth-protected-resource/mcp',
  '/oauth/authorize',
  '/docs',
  '/docs/api',
  '/robots.txt',
  '/favicon.ico',
  '/console/',
  '/console/api/sign-in',
  '/console/api/session',
  '/console/api/administration/health',
]
const OF_CALLERS = [
  '/v1/access',
  '/v1/suppliers/50000',
  '/v1/suppliers/50000/history',
  '/v1/suppliers/unknown',
  '/v1/exchange-rates/USD/2026-01-31',
  '/v1/attribute-values/RE/N/0',
  '/v1/attribute-values/RE/N/0/history',
  '/v1/attribute-relations/A6/50000/RE/N',
  '/v1/documents',
  '/v1/subscriptions',
  '/v1/changes?since=0',
  '/odata/v4/EN',
  '/odata/v4/EN/$metadata',
  '/odata/v4/EN/suppliers',
  "/odata/v4/EN/suppliers('50000')",
  '/odata/v4/EN/suppliers/$count',
]
/** HEAD counts here. */
const COUNTED = ['/v1/objects', '/v1/objects/suppliers', '/v1/objects/companies', '/v1/attribute-values/RE']

/** What differs between any two answers, and what only an answer with a body can know. */
const OWN = ['x-request-id', 'date', 'content-security-policy', 'ratelimit-remaining', 'transfer-encoding']

describe('HEAD and Accept', () => {
  let world: World & { stop(): Promise<void> }
  beforeAll(async () => {
    world = await startWorld('sqlite', 'test/fixtures/own-records.yaml', BASE)
    const supplier = {
      supplierName: 'Nordic Paper',
      countryCode: 'NO',
      contactPoints: [{ contactPointType: '1' }],
      relatedValues: [{ relationId: 'REGION', relatedValue: 'N' }],
    }
    const rate = { currencyCode: 'USD', rateDate: '2026-01-31', rate: 10 }
    for (const [name, body] of Object.entries({ suppliers: supplier, 'exchange-rates': rate })) {
      const made = await send({ method: 'POST', url: `/v1/${name}`, body })
      expect([made.status, made.text]).toEqual([201, expect.anything()])
    }
  })
  afterAll(() => world.stop())

  const send = ({ url, ...sent }: Sent) => world.send({ as: 'integration', ...sent, url: BASE + url })
  const headersOf = ({ headers }: Answer) =>
    Object.fromEntries(Object.entries(headers).filter(([name]) => !OWN.includes(name)))

  it.each([...OPEN, ...OF_CALLERS])(
    'answers HEAD of %s with the status and headers of GET, and no body',
    async (url) => {
      const as = OPEN.includes(url) ? { as: undefined as never } : {}
      const read = await send({ ...as, url })
      const head = await send({ ...as, url, method: 'HEAD' })
      const { 'content-length': length, ...headers } = headersOf(head)
      const { 'content-length': _length, ...expected } = headersOf(read)
      expect([head.status, head.text, headers]).toEqual([read.status, '', expected])
      // The metrics have counted the first request.
      if (length !== undefined && url !== '/metrics') expect(length).toBe(String(read.bytes.length))
      expect(String(read.status)).toMatch(/^[234]/)
      expect(read.status).not.toBe(405)
    },
  )

  it('answers HEAD with 304 to the tag of a record, and compresses what GET compresses', async () => {
    const url = '/v1/suppliers/50000'
    const { headers } = await send({ url, method: 'HEAD' })
    const again = await send({ url, method: 'HEAD', headers: { 'if-none-match': String(headers.etag) } })
    expect([again.status, again.headers.etag]).toEqual([304, headers.etag])
    const zipped = { url: '/openapi.json', headers: { 'accept-encoding': 'gzip' } }
    expect((await send({ ...zipped, method: 'HEAD' })).headers['content-encoding']).toBe('gzip')
  })

  it('tells no length of a count, be it made or repeated', async () => {
    const lengths: unknown[] = []
    for (let turn = 0; turn < 4; turn++) {
      const { status, headers } = await send({
        url: "/v1/objects/suppliers?$filter=countryCode%20eq%20'NO'",
        method: 'HEAD',
      })
      lengths.push([status, headers['x-erp-total-count'], headers['content-length']])
    }
    expect(lengths).toEqual(Array(4).fill([200, '1', undefined]))
  })

  it('ends HEAD of a stream, which has no end', async () => {
    const stream = { url: '/v1/changes?since=0', headers: { accept: 'text/event-stream' } }
    for (let turn = 0; turn < 3; turn++) {
      const { status, headers, text } = await send({ ...stream, method: 'HEAD' })
      expect([status, headers['content-type'], text]).toEqual([200, 'text/event-stream; charset=utf-8', ''])
    }
  })

  it('answers HEAD in a batch', async () => {
    const urls = ['/v1/suppliers/50000', '/v1/objects/suppliers', '/v1/suppliers/unknown']
    const sent = { url: `${BASE}/v1/batch` }
    const { json } = await sendBatch(
      world,
      urls.map((url) => ({ method: 'HEAD', url })),
      { ...sent, headers: { prefer: 'continue-on-error' } },
    )
    expect(json.responses.map(({ status, body }: { status: number; body?: unknown }) => [status, body])).toEqual([
      [200, undefined],
      [200, undefined],
      [404, undefined],
    ])
  })

  it('takes HEAD at every path that takes GET', async () => {
    const { json } = await send({ url: '/openapi.json' })
    const paths = Object.entries(json.paths as Record<string, { get?: object }>).filter(([, { get }]) => get)
    const refused: string[] = []
    for (const [path] of paths) {
      const url = path.replace(/^\/erp/, '').replace(/\{.*?\}/g, '1')
      const { status, headers } = await send({ url, method: 'HEAD' })
      if (status === 405) refused.push(`${path}: ${headers.allow}`)
    }
    expect([paths.length > 30, refused]).toEqual([true, []])
    const posted = await send({ url: '/v1/suppliers/50000', method: 'PUT' })
    expect([posted.status, posted.headers.allow]).toEqual([405, 'GET, HEAD, PATCH, DELETE'])
  })

  it.each(COUNTED)('tells no length of %s that is not that of GET (RFC 9110, 8.6)', async (url) => {
    const [read, head] = [await send({ url }), await send({ url, method: 'HEAD' })]
    expect([head.status, head.text, head.headers['x-erp-total-count']]).toEqual([200, '', expect.any(String)])
    expect([undefined, String(read.bytes.length)]).toContain(head.headers['content-length'])
  })

  it.each(['offset=0', 'skip=0', '$offset=0', '$skip=3', 'limit=5', '$top=1'])(
    'refuses HEAD of what is counted with %s (decision 6, HEAD)',
    async (option) => {
      for (const url of COUNTED.slice(1)) {
        const { status } = await send({ url: `${url}?${option}`, method: 'HEAD' })
        expect([url, status]).toEqual([url, 400])
      }
    },
  )

  it.each([
    '*/*',
    '*/*;q=0.1',
    'text/x-unknown, */*;q=0.01',
    'application/*',
    'application/*;q=0.5, text/*',
    '*/*, application/x;q=0',
  ])('answers whoever accepts %s as whoever says nothing', async (accept) => {
    for (const url of [...OPEN, ...OF_CALLERS, ...COUNTED]) {
      const as = OPEN.includes(url) ? { as: undefined as never } : {}
      const [plain, wild] = [await send({ ...as, url }), await send({ ...as, url, headers: { accept } })]
      expect([url, wild.status, wild.headers['content-type']]).toEqual([
        url,
        plain.status,
        plain.headers['content-type'],
      ])
    }
  })
})
