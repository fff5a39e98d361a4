// The first address: browsers are led to the console; programs get the contract's answer at the same address.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startWorld, type World } from '../support/world.ts'

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8'

describe.each(['', '/web-api'])('Below the base path %j', (base) => {
  let world: World & { stop(): Promise<void> }
  beforeAll(async () => {
    world = await startWorld('sqlite', 'test/fixtures/company.yaml', base)
  })
  afterAll(() => world.stop())

  const asBrowser = (url: string, method: 'GET' | 'HEAD' = 'GET') =>
    world.send({ url, method, headers: { accept: BROWSER } })

  it.each(['/', '/index.html'])(
    'leads a browser from %s to the console, which says nothing of any company',
    async (path) => {
      const { status, headers } = await asBrowser(base + path)
      expect([status, headers.location]).toEqual([302, `${base}/console/`])
      const page = await asBrowser(`${base}/console/`)
      expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
      expect(page.text).toContain('<title>Tabularium</title>')
      expect(page.text).not.toMatch(/\b(EN|SV)\b|Example/)
      expect(page.headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' })
    },
  )

  it('answers HEAD as GET', async () => {
    const { status, headers, text } = await asBrowser(`${base}/`, 'HEAD')
    expect([status, headers.location, text]).toEqual([302, `${base}/console/`, ''])
  })

  it('answers the address without its slash, where there is a base path', async () => {
    if (base !== '') expect((await asBrowser(base)).headers.location).toBe(`${base}/console/`)
  })

  it.each(['/favicon.ico', '/apple-touch-icon.png', '/apple-touch-icon-precomposed.png'])(
    'serves an icon at %s',
    async (path) => {
      const { status, headers, bytes } = await world.send({
        url: base + path,
        headers: { accept: 'image/*,*/*;q=0.8' },
      })
      expect([status, headers['content-type']]).toEqual([200, 'image/png'])
      expect(bytes.subarray(0, 8).toString('hex')).toBe('89504e470d0a1a0a')
    },
  )

  it('disallows all robots', async () => {
    const { status, text } = await world.send({ url: `${base}/robots.txt` })
    expect([status, text]).toEqual([200, 'User-agent: *\nDisallow: /\n'])
  })

  const PROGRAMS = [undefined, '*/*', 'application/json', 'text/html;q=0, application/json', 'text/plain']

  it.each(PROGRAMS)('answers a program that accepts %s as anywhere: 401 without a token', async (accept) => {
    for (const path of ['/', '/index.html']) {
      const answer = await world.send({ url: base + path, ...(accept ? { headers: { accept } } : {}) })
      expect([answer.status, answer.json]).toEqual([401, { statusCode: 401, message: 'Invalid JWT.' }])
    }
  })

  it.each([...PROGRAMS, BROWSER])('answers a program with a token that accepts %s with 404 (1030)', async (accept) => {
    const answer = await world.send({ as: 'integration', url: `${base}/`, ...(accept ? { headers: { accept } } : {}) })
    expect([answer.status, answer.json]).toEqual([
      404,
      { code: 1030, message: `No resource matches the URI '${base}/'.` },
    ])
  })

  it('answers a bad token with 401, also to a browser', async () => {
    const headers = { accept: BROWSER, authorization: 'Bearer forged' }
    expect((await world.send({ url: `${base}/`, headers })).status).toBe(401)
  })

  it.each(['POST', 'PATCH', 'DELETE', 'PUT'] as const)(
    'answers %s with 404, not 405: there is no record',
    async (method) => {
      const answer = await world.send({ as: 'integration', url: `${base}/`, method, headers: { accept: BROWSER } })
      expect([answer.status, answer.json.code]).toEqual([404, 1030])
    },
  )

  it('answers a browser like a program at any other path', async () => {
    expect((await asBrowser(`${base}/v1/objects/customers`)).status).toBe(401)
    if (base !== '') expect((await asBrowser('/')).status).toBe(401)
  })
})
