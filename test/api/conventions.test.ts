// Rules of every endpoint: decisions 0 and 1, and the limits of server and bodies.
import { connect } from 'node:net'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { injectInto } from '../support/inject.ts'
import { CLIENT_SECRET, onEachStore, startWorld } from '../support/world.ts'

const values = '/v1/attribute-values'

onEachStore('Conventions', (world) => {
  const get = (url: string, headers: Record<string, string> = {}) => world().send({ as: 'integration', url, headers })
  const post = (body: string, headers: Record<string, string> = {}) =>
    world().send({ as: 'integration', method: 'POST', url: values, body, headers })

  it('answers an unknown address with 404, code 1030', async () => {
    const answer = await get('/v1/nowhere?x=1')
    expect([answer.status, answer.json]).toEqual([
      404,
      { code: 1030, message: "No resource matches the URI '/v1/nowhere'." },
    ])
  })

  it('answers a wrong method with 405 and the right ones in Allow', async () => {
    const answer = await world().send({ as: 'integration', method: 'PUT', url: `${values}/C1/CC100/0` })
    expect([answer.status, answer.json.code, answer.headers.allow]).toEqual([405, 1030, 'GET, HEAD, PATCH, DELETE'])
    const posted = await world().send({ as: 'integration', method: 'POST', url: `${values}/C1`, body: {} })
    expect([posted.status, posted.headers.allow]).toEqual([405, 'GET, HEAD'])
  })

  it('keeps the connection of a client whose body it refuses, who may still be sending', async () => {
    const refused = [
      await post('{'),
      await post('{}', { 'content-type': 'text/plain' }),
      await post(`"${'x'.repeat(3 * 1024 * 1024)}"`),
    ]
    expect(refused.map(({ status }) => status)).toEqual([400, 415, 413])
    expect(refused.filter(({ headers }) => headers.connection === 'close')).toEqual([])
  })

  it("carries a request id: the caller's when it is sane, else a new one", async () => {
    expect((await get('/v1/nowhere', { 'x-request-id': 'abc-1.2:3' })).headers['x-request-id']).toBe('abc-1.2:3')
    const id = (await get('/v1/nowhere', { 'x-request-id': 'a b"<>' })).headers['x-request-id']
    expect(id).toMatch(/^[\da-f-]{36}$/)
    expect((await world().send({ url: '/v1/nowhere' })).headers['x-request-id']).toMatch(/^[\da-f-]{36}$/)
  })

  it('sends the security headers of an API and discloses no implementation details', async () => {
    const { headers } = await get(`${values}/C1/CC100/0`)
    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'same-site',
    })
    expect(headers.server ?? headers['x-powered-by']).toBeUndefined()
  })

  it('compresses long answers for clients that ask for it, and only those', async () => {
    const answer = await injectInto(world().application.server, {
      url: `${values}/C1?$filter=attributeValue in ('CC100','CC200','CC300')&$select=*`,
      headers: { authorization: `Bearer ${await world().token('integration')}`, 'accept-encoding': 'gzip' },
    })
    const plain = await get(`${values}/C1?$filter=attributeValue in ('CC100','CC200','CC300')&$select=*`)
    if (plain.text.length >= 1024) {
      expect(answer.headers['content-encoding']).toBe('gzip')
      expect(gunzipSync(answer.rawPayload).toString()).toBe(plain.text)
    } else expect(answer.headers['content-encoding']).toBeUndefined()
    expect(
      (await get(`${values}/C1/CC100/0`, { 'accept-encoding': 'gzip' })).headers['content-encoding'],
    ).toBeUndefined()
    const long = await injectInto(world().application.server, {
      method: 'POST',
      url: values,
      headers: {
        authorization: `Bearer ${await world().token('integration')}`,
        'accept-encoding': 'gzip, deflate',
        'content-type': 'application/json',
      },
      payload: JSON.stringify({ attributeId: 'C6', attributeValue: 'LONG', description: 'x'.repeat(3_000) }),
    })
    expect(long.headers['content-encoding']).toBe('gzip')
    expect(JSON.parse(gunzipSync(long.rawPayload).toString()).description).toHaveLength(3_000)
  })

  it.each([
    ['gzip;q=0.5, identity;q=1', undefined],
    ['identity, gzip;q=0.1', undefined],
    ['*;q=0.5, identity', undefined],
    ['gzip;q=0, *', 'deflate'],
    ['gzip;q=0', undefined],
    ['*;q=0', undefined],
    ['gzip;q=x', undefined],
    ['br', undefined],
    ['br, gzip;q=0.5', 'gzip'],
    ['deflate, gzip;q=0.5', 'deflate'],
    ['deflate, X-GZip', 'gzip'],
    ['identity;q=0.5, gzip;q=0.5', 'gzip'],
    ['*', 'gzip'],
  ])('answers %j by the weights (RFC 9110, 12.5.3)', async (accepted, coding) => {
    const answer = await injectInto(world().application.server, {
      url: '/v1/objects',
      headers: { authorization: `Bearer ${await world().token('integration')}`, 'accept-encoding': accepted },
    })
    expect(answer.headers['content-encoding']).toBe(coding)
  })

  it.each([
    ['{"attributeId":"C0"', 'Malformed JSON at position 19'],
    ['{"a":1}}', 'Malformed JSON at position 7'],
    ['', 'JSON'],
    ['{"attributeId":"C0","attributeId":"C1"}', 'Malformed JSON at position 20'],
    ['{"attributeId":"C0","AttributeId":"C1"}', 'attributeId'],
    ['{"__proto__":{"a":1}}', 'Malformed JSON at position 1'],
    ['{"attributeId":"C0","description":"a\\u0000b"}', 'Malformed JSON'],
    ['{"attributeId":"C0","description":"\\ud800"}', 'Malformed JSON'],
    ['{"attributeId":"C0","customValue":1e400}', 'Malformed JSON'],
    ['{"attributeId":"C0","customValue":NaN}', 'Malformed JSON'],
    ['{"attributeId":"C0","customValue":01}', 'Malformed JSON'],
    ["{'attributeId':'C0'}", 'Malformed JSON at position 1'],
    [`{"a":${'['.repeat(10_000)}${']'.repeat(10_000)}}`, 'nesting is deeper than 32'],
    [`{${Array.from({ length: 50_001 }, (_, index) => `"k${index}":1`).join()}}`, '50000'],
    [JSON.stringify({ attributeId: 'C1', attributeValue: 'MANY', relatedValues: Array(201).fill({}) }), '200'],
  ])('refuses the body %.60s with 400 and the reason', async (body, reason) => {
    const before = await world().dump()
    const answer = await post(body)
    expect([answer.status, answer.json.code]).toEqual([400, 1010])
    expect(answer.json.message).toContain(reason)
    expect(await world().changesSince(before)).toEqual([])
    expect(Object.keys(Object.prototype)).toEqual([])
  })

  it('refuses bytes that are no UTF-8', async () => {
    const answer = await injectInto(world().application.server, {
      method: 'POST',
      url: values,
      headers: { authorization: `Bearer ${await world().token('integration')}`, 'content-type': 'application/json' },
      payload: Buffer.from([0x22, 0xff, 0x22]),
    })
    expect([answer.statusCode, answer.json().message]).toEqual([
      400,
      'Malformed JSON at position 1: the text is not valid UTF-8',
    ])
  })

  it('takes huge numbers that a double can hold and refuses what no period can be', async () => {
    const created = await post('{"attributeId":"C0","attributeValue":"HUGE","customValue":1e300}')
    expect([created.status, created.json.customValue]).toEqual([201, 1e300])
    expect((await post('{"attributeId":"C0","attributeValue":"HUGE2","periodFrom":9007199254740993}')).status).toBe(400)
  })

  it('refuses a body over the limit with 413, naming it', async () => {
    const answer = await post(JSON.stringify({ attributeId: 'C0', attributeValue: 'X'.repeat(1_100_000) }))
    expect([answer.status, answer.json.code]).toEqual([413, 1010])
    expect(answer.json.message).toContain('1048576')
  })

  it.each([
    [{ 'content-type': 'text/plain' }],
    [{ 'content-type': 'application/x-www-form-urlencoded' }],
    [{ 'content-type': 'application/json; charset=utf-16' }],
    [{ 'content-type': 'application/json-patch+json' }],
    [{ 'content-encoding': 'gzip' }],
    [{ 'content-encoding': 'br' }],
  ])('refuses the media type or encoding %j with 415', async (headers) => {
    const answer = await post('{"attributeId":"C0","attributeValue":"MEDIA"}', headers as Record<string, string>)
    expect([answer.status, answer.json.code]).toEqual([415, 1010])
  })

  it('names the one coding of a body that is read, in the refusal of another', async () => {
    const { headers } = await post('{}', { 'content-encoding': 'gzip' })
    expect(headers['accept-encoding']).toBe('identity')
  })

  describe('without a media type', () => {
    const send = async (method: string, url: string, payload: string, headers = {}) => {
      const authorization = `Bearer ${await world().token('integration')}`
      return injectInto(world().application.server, { method, url, payload, headers: { authorization, ...headers } })
    }

    it('takes a body for what the endpoint reads', async () => {
      const created = await send('POST', values, '{"attributeId":"C6","attributeValue":"UNTYPED"}')
      const patched = await send('PATCH', `${values}/C6/UNTYPED/0`, '[{"op":"remove","path":"/description"}]')
      expect([created.statusCode, patched.statusCode, (await send('POST', values, '{')).statusCode]).toEqual([
        201, 200, 400,
      ])
      const authorization = `Basic ${Buffer.from(`integration:${CLIENT_SECRET}`).toString('base64')}`
      const token = await send('POST', '/oauth/token', 'grant_type=client_credentials', { authorization })
      expect(token.statusCode).toBe(200)
    })

    it('takes none from a page of another site, which may send it without asking', async () => {
      const body = '{"attributeId":"C6","attributeValue":"FOREIGN"}'
      const { statusCode } = await send('POST', values, body, { origin: 'https://elsewhere.example.com' })
      expect([statusCode, (await get(`${values}/C6/FOREIGN/0`)).status]).toEqual([415, 404])
    })
  })

  it('closes a record whatever media type a DELETE claims to have, and whatever body', async () => {
    await post('{"attributeId":"C6","attributeValue":"GONE"}')
    for (const type of ['application/json', 'application/json-patch+json', 'text/plain', 'x'])
      for (const body of ['', '{', 'x']) {
        const sent = { as: 'integration', method: 'DELETE', url: `${values}/C6/GONE/0`, body } as const
        const closed = await world().send({ ...sent, headers: { 'content-type': type } })
        expect([closed.status, closed.text]).toEqual([200, ''])
      }
  })

  it('answers every request with its id, compressed or without a body too', async () => {
    const authorization = `Bearer ${await world().token('integration')}`
    const headers = { authorization, 'accept-encoding': 'gzip', 'x-request-id': 'mine-1' }
    const listed = await injectInto(world().application.server, { url: `${values}/C0`, headers })
    const counted = await injectInto(world().application.server, { method: 'HEAD', url: `${values}/C0`, headers })
    expect([listed.headers['x-request-id'], counted.headers['x-request-id']]).toEqual(['mine-1', 'mine-1'])
  })

  it('never unpacks a compressed body', async () => {
    const answer = await injectInto(world().application.server, {
      method: 'POST',
      url: values,
      headers: {
        authorization: `Bearer ${await world().token('integration')}`,
        'content-type': 'application/json',
        'content-encoding': 'gzip',
      },
      payload: gzipSync(Buffer.alloc(64 * 1024 * 1024)),
    })
    expect(answer.statusCode).toBe(415)
  })

  it('refuses what does not decode, in path and query', async () => {
    for (const url of [`${values}/%zz`, `${values}/C1/%ff/0`, `${values}/C1?$filter=%zz`, `${values}/C1?%ff=1`]) {
      const answer = await get(url)
      expect([url, answer.status, answer.json.code]).toEqual([url, 400, 1010])
    }
  })

  it('refuses path values and addresses that are too long with 414', async () => {
    const tooLong = await get(`${values}/${'x'.repeat(513)}`)
    expect([tooLong.status, tooLong.json.code]).toEqual([414, 1010])
    const address = await get(`${values}/C1?$filter=${'x'.repeat(16_400)}`)
    expect([address.status, address.json.code]).toEqual([414, 1010])
  })

  it('refuses NUL and half a surrogate pair in path and query', async () => {
    expect((await get(`${values}/C1/a%00b/0`)).status).toBe(400)
    expect((await get(`${values}/C1/%ed%a0%80/0`)).status).toBe(400)
    expect((await get(`${values}/C1?$filter=attributeValue eq 'a%00b'`)).status).toBe(400)
  })

  it('refuses too many headers with 431', async () => {
    const headers = Object.fromEntries(Array.from({ length: 120 }, (_, index) => [`x-${index}`, '1']))
    const answer = await get(`${values}/C1`, headers)
    expect([answer.status, answer.json.code]).toEqual([431, 1010])
  })
})

onEachStore(
  'The health of a new service',
  (world, kind) => {
    it('is answered without a token', async () => {
      expect((await world().send({ url: '/health/live' })).json).toEqual({ status: 'live' })
      // PostgreSQL checks its own files.
      const checks = kind === 'sqlite' ? { checks: { database: 'sound' } } : {}
      expect((await world().send({ url: '/health/ready' })).json).toEqual({ status: 'ready', ...checks })
    })
  },
  (kind) => startWorld(kind, undefined, '', { isNew: true }),
)

describe('Under a base path', () => {
  let world: Awaited<ReturnType<typeof startWorld>> | undefined
  beforeAll(async () => {
    world = await startWorld('sqlite', 'test/fixtures/company.yaml', '/web-api')
  })
  afterAll(async () => world?.stop())

  it('answers there alone (decision 7)', async () => {
    const at = async (url: string) => (await world?.send({ as: 'integration', url }))?.status
    expect(await at('/web-api/v1/attribute-values/C1/CC100/0')).toBe(200)
    expect(await at('/v1/attribute-values/C1/CC100/0')).toBe(404)
    expect(await at('/web-api/health/live')).toBe(200)
    expect(await at('/health/live')).toBe(404)
  })

  it('includes it in the address of a created record', async () => {
    const body = { attributeId: 'C6', attributeValue: 'Based', companyId: 'EN' }
    const url = '/web-api/v1/attribute-values'
    const created = await world?.send({ as: 'integration', method: 'POST', url, body })
    expect([created?.status, created?.headers.location]).toEqual([201, '/web-api/v1/attribute-values/C6/Based/0'])
    const found = await world?.send({ as: 'integration', url: String(created?.headers.location) })
    expect(found?.json).toEqual(created?.json)
  })
})

describe('On a bare socket', () => {
  let world: Awaited<ReturnType<typeof startWorld>> | undefined
  let port = 0
  beforeAll(async () => {
    world = await startWorld('sqlite')
    await world.application.server.listen({ host: '127.0.0.1', port: 0 })
    port = (world.application.server.server.address() as { port: number }).port
  })
  afterAll(async () => world?.stop())

  const talk = (text: string) =>
    new Promise<string>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => socket.write(text))
      let answer = ''
      socket.on('data', (data) => {
        answer += data
      })
      socket.on('close', () => resolve(answer))
      socket.on('error', () => resolve(answer))
    })

  it.each([
    ['GET / HTTP/9.9\r\n\r\n', 400],
    ['nonsense\r\n\r\n', 400],
    [`GET /${'x'.repeat(40_000)} HTTP/1.1\r\nhost: x\r\n\r\n`, 431],
    [`GET / HTTP/1.1\r\nhost: x\r\nx-big: ${'x'.repeat(40_000)}\r\n\r\n`, 431],
    ['POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n', 400],
  ])('answers %.30j in the shape of the contract and closes', async (text, status) => {
    const answer = await talk(text)
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    const body = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4))
    expect(body).toEqual({ code: 1010, message: expect.any(String) })
  })
})
