// Pages of other origins (CORS): off unless origins are named; then every answer can be read, refusals too.
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serveHere, temporaryFolder } from '../support/process.ts'
import { CLIENT_SECRET, type Sent, startWorld, type World } from '../support/world.ts'

const ORIGIN = 'https://app.example.com'
const OTHERS = ['https://app.example.com.evil.example', 'http://app.example.com', 'https://example.com', 'null']
const BASE = '/erp'
const VALUE = '/v1/attribute-values/C1/CC100/0'
const PREFLIGHT = {
  'access-control-request-method': 'PATCH',
  'access-control-request-headers': 'authorization,if-match',
}

type Operation = { readonly responses?: Readonly<Record<string, { readonly headers?: object }>> }

const namesIn = (text: unknown) => String(text).toLowerCase().split(/,\s*/)

describe('With allowed origins', () => {
  let world: World & { stop(): Promise<void> }
  let address = ''
  beforeAll(async () => {
    world = await startWorld('sqlite', 'test/fixtures/company.yaml', BASE, {
      allowedOrigins: [ORIGIN, 'http://localhost:5173'],
      rateLimits: { requestsPerMinute: 40 },
    })
    const { server } = world.application
    await server.listen({ host: '127.0.0.1', port: 0 })
    address = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`
  })
  afterAll(() => world.stop())

  const send = ({ url, headers, ...sent }: Sent, origin = ORIGIN) =>
    world.send({ ...sent, url: BASE + url, headers: { origin, ...headers } })

  it('answers the preflight of any address without credentials, and lets no cookie be sent', async () => {
    for (const url of [VALUE, '/v1/customers', '/v1/nowhere', '/oauth/token', '/odata/v4/EN/customers']) {
      const answer = await send({ method: 'OPTIONS', url, headers: PREFLIGHT })
      expect([answer.status, answer.text]).toEqual([204, ''])
      expect(answer.headers).toMatchObject({
        'access-control-allow-origin': ORIGIN,
        'access-control-allow-headers': 'authorization,if-match',
        'access-control-max-age': expect.stringMatching(/^\d+$/),
      })
      expect(namesIn(answer.headers['access-control-allow-methods'])).toEqual([
        'get',
        'head',
        'post',
        'patch',
        'delete',
      ])
      expect(namesIn(answer.headers.vary)).toContain('origin')
      expect(answer.headers['access-control-allow-credentials']).toBeUndefined()
    }
    const second = await send({ method: 'OPTIONS', url: VALUE, headers: PREFLIGHT }, 'http://localhost:5173')
    expect(second.headers['access-control-allow-origin']).toBe('http://localhost:5173')
  })

  const body = { attributeId: 'C1', attributeValue: 'CC100' }
  it.each<[number, Sent]>([
    [200, { as: 'integration', url: VALUE }],
    [200, { as: 'integration', url: '/v1/attribute-values/C1?$select=attributeValue' }],
    [200, { as: 'integration', method: 'HEAD', url: '/v1/attribute-values/C1' }],
    [200, { url: '/health/live' }],
    [200, { url: '/openapi.json' }],
    [
      200,
      {
        method: 'POST',
        url: '/oauth/token',
        body: `grant_type=client_credentials&client_id=integration&client_secret=${encodeURIComponent(CLIENT_SECRET)}`,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      },
    ],
    [400, { as: 'integration', url: '/v1/attribute-values/%zz' }],
    [401, { url: VALUE }],
    [401, { url: '/v1/nowhere' }],
    [404, { as: 'integration', url: '/v1/nowhere' }],
    [405, { as: 'integration', method: 'PUT', url: VALUE }],
    [409, { as: 'integration', method: 'POST', url: '/v1/attribute-values', body }],
    [
      415,
      {
        as: 'integration',
        method: 'POST',
        url: '/v1/attribute-values',
        body: 'x',
        headers: { 'content-type': 'text/plain' },
      },
    ],
  ])('lets the page read an answer with %i to %j', async (status, sent) => {
    const answer = await send(sent)
    expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([status, ORIGIN])
    expect(answer.headers['cross-origin-resource-policy']).toBe('cross-origin')
    expect(namesIn(answer.headers.vary)).toContain('origin')
    expect(namesIn(answer.headers['access-control-expose-headers'])).toEqual(
      expect.arrayContaining([
        'etag',
        'location',
        'link',
        'retry-after',
        'ratelimit-limit',
        'ratelimit-remaining',
        'ratelimit-reset',
        'x-erp-total-count',
        'x-erp-truncated',
        'x-erp-change-number',
        'x-request-id',
      ]),
    )
  })

  it('exposes every header that the description has', async () => {
    const { json } = await world.send({ url: `${BASE}/openapi.json` })
    const operations = Object.values(json.paths as Record<string, Record<string, Operation>>).flatMap(Object.values)
    const answers = operations.flatMap(({ responses }: Operation) => Object.values(responses ?? {}))
    const described = new Set(
      answers.flatMap(({ headers = {} }) => Object.keys(headers).map((name) => name.toLowerCase())),
    )
    const { headers } = await send({ url: '/health/live' })
    // Pages always see these, or they are the browser's own (Fetch Standard, 2.2.2).
    const known = ['content-length', 'content-type', 'cache-control', 'vary']
    const exposed = namesIn(headers['access-control-expose-headers'])
    expect(described.size).toBeGreaterThan(8)
    expect([...described].filter((name) => !exposed.includes(name) && !known.includes(name))).toEqual([])
  })

  it('says so of a repeated answer too, which comes from the cache, and of one that a browser has', async () => {
    const authorization = `Bearer ${await world.token('integration')}`
    const ask = (origin: string, others = {}) =>
      fetch(`${address}${BASE}/v1/attribute-values/C2?$select=attributeValue`, {
        headers: { authorization, origin, ...others },
      })
    for (let turn = 0; turn < 4; turn++) {
      const own = await ask(ORIGIN)
      expect([own.status, own.headers.get('access-control-allow-origin')]).toEqual([200, ORIGIN])
      expect(namesIn(own.headers.get('vary'))).toEqual(expect.arrayContaining(['authorization', 'origin']))
      const foreign = await ask('https://evil.example')
      expect([foreign.status, foreign.headers.get('access-control-allow-origin')]).toEqual([200, null])
      expect(await foreign.text()).toBe(await own.text())
      const unchanged = await ask(ORIGIN, { 'if-none-match': String(own.headers.get('etag')) })
      expect([unchanged.status, unchanged.headers.get('access-control-allow-origin')]).toEqual([304, ORIGIN])
    }
  })

  it.each(OTHERS)('tells a page of %s nothing', async (origin) => {
    const asked = await send({ method: 'OPTIONS', url: VALUE, headers: PREFLIGHT }, origin)
    expect(asked.status).toBe(401)
    for (const answer of [
      asked,
      await send({ as: 'sv', url: '/v1/access' }, origin),
      await send({ url: VALUE }, origin),
    ]) {
      expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control-'))).toEqual([])
      expect(answer.headers['cross-origin-resource-policy']).toBe('same-site')
      expect(namesIn(answer.headers.vary)).toContain('origin')
    }
  })

  it('lets the page read that it has sent too much', async () => {
    for (let turn = 0; turn < 60; turn++) {
      const answer = await send({ as: 'integration', url: VALUE })
      if (answer.status !== 429) continue
      expect(answer.headers).toMatchObject({ 'access-control-allow-origin': ORIGIN, 'retry-after': expect.any(String) })
      return
    }
    throw new Error('no request was refused')
  })
})

it('keeps all origins of flags that are given more than once', async () => {
  const folder = temporaryFolder()
  const origins = [ORIGIN, 'http://localhost:5173', 'https://other.example']
  const given = ['--allow-origin', `${origins[0]},${origins[1]}`, '--allow-origin', String(origins[2])]
  const service = await serveHere(['--data', folder.path, ...given])
  try {
    for (const origin of origins) {
      const { headers } = await fetch(`${service.address}/health/live`, { headers: { origin } })
      expect(headers.get('access-control-allow-origin')).toBe(origin)
    }
  } finally {
    await service.stop()
    folder.remove()
  }
})

describe('Without allowed origins', () => {
  let world: World & { stop(): Promise<void> }
  beforeAll(async () => {
    world = await startWorld('sqlite')
  })
  afterAll(() => world.stop())

  it('answers no page of another origin', async () => {
    const headers = { origin: ORIGIN }
    const preflight = await world.send({ method: 'OPTIONS', url: VALUE, headers: { ...headers, ...PREFLIGHT } })
    expect(preflight.status).toBe(401)
    for (const answer of [preflight, await world.send({ as: 'integration', url: VALUE, headers })]) {
      expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control-'))).toEqual([])
    }
  })
})
