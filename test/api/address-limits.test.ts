// Requests without valid credentials are rate-limited by address; authenticated callers at that address are not
// affected.
import { expect, it } from 'vitest'
import { injectInto } from '../support/inject.ts'
import { CLIENT_SECRET, onEachStore, startWorld, type World } from '../support/world.ts'

const url = '/v1/attribute-values/C1/CC100/0'
const form = { 'content-type': 'application/x-www-form-urlencoded' }
const basic = (id: string, secret: string) => `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`

interface Asked {
  readonly url?: string
  readonly method?: 'GET' | 'POST'
  readonly headers?: Record<string, string>
  readonly body?: string
}

// No time passes in which more would be allowed, however long requests take.
onEachStore('Unauthenticated clients', declareTests, (kind) => startWorld(kind, undefined, '', { elapsedMs: () => 0 }))

function declareTests(world: () => World): void {
  const ask = (remoteAddress: string, { url: asked = url, method = 'GET', headers = {}, body }: Asked = {}) =>
    injectInto(world().application.server, {
      url: asked,
      method,
      remoteAddress,
      headers,
      ...(body && { payload: body }),
    })
  const statusOf = async (address: string, asked?: Asked) => (await ask(address, asked)).statusCode
  const many = (times: number, address: string, asked?: Asked) =>
    Promise.all(Array.from({ length: times }, () => statusOf(address, asked)))
  const asCaller = async () => ({ headers: { authorization: `Bearer ${await world().token('reader')}` } })
  const wrong = { headers: { authorization: 'Bearer nonsense' } }

  it('without credentials have a burst of 100 and get 429 beyond it, with Retry-After and the remaining limit', async () => {
    const statuses = await many(300, '192.0.2.1')
    expect(statuses.slice(0, 100)).toEqual(Array(100).fill(401))
    expect(statuses).toContain(429)
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask('192.0.2.1')))
    const refused = answers.find(({ statusCode }) => statusCode === 429)
    expect(refused?.json()).toEqual({ code: 1020, message: 'Too many requests without credentials from this address.' })
    expect(refused?.headers).toMatchObject({ 'retry-after': '1', 'ratelimit-limit': '100', 'ratelimit-remaining': '0' })
  })

  it('at the limit get no pages either, but health; other addresses get everything', async () => {
    await many(300, '192.0.2.2')
    const html = { accept: 'text/html' }
    for (const page of ['/', '/docs', '/docs/api', '/openapi.json', '/favicon.ico', '/.well-known/jwks.json']) {
      expect(await statusOf('192.0.2.3', { url: page, headers: html })).toBe(page === '/' ? 302 : 200)
      expect(await many(200, '192.0.2.2', { url: page, headers: html })).toContain(429)
    }
    expect(await many(150, '192.0.2.2', { url: '/health/live' })).toEqual(Array(150).fill(200))
    expect(await many(150, '192.0.2.4', { url: '/health/ready' })).toEqual(Array(150).fill(200))
  })

  it('do not affect callers at the same address, nor their pages', async () => {
    const remembered = { headers: { authorization: basic('reader', CLIENT_SECRET) } }
    expect(await statusOf('192.0.2.5', remembered)).toBe(200)
    const statuses = await Promise.all([
      many(300, '192.0.2.5'),
      many(300, '192.0.2.5', wrong),
      many(30, '192.0.2.5', await asCaller()),
      many(30, '192.0.2.5', remembered),
      many(150, '192.0.2.5', { url: '/openapi.json', ...remembered }),
    ])
    expect([...new Set(statuses.slice(0, 2).flat())].sort()).toEqual([401, 429])
    expect([...new Set(statuses.slice(2).flat())]).toEqual([200])
  })

  it('with wrong tokens have a burst of 50', async () => {
    const statuses = await many(200, '192.0.2.6', wrong)
    expect(statuses.slice(0, 50)).toEqual(Array(50).fill(401))
    expect(statuses).toContain(429)
    const body = { code: 1020, message: 'Too many wrong credentials from this address.' }
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask('192.0.2.6', wrong)))
    expect(answers.map((answer) => answer.json())).toContainEqual(body)
    // A valid token that is not cached does not count as a guess.
    const token = await world().application.tokens.issue('integration')
    expect(await statusOf('192.0.2.6', { headers: { authorization: `Bearer ${token}` } })).toBe(200)
  })

  it('that guess secrets lock out no client with the right secret', async () => {
    await many(200, '192.0.2.7', wrong)
    const guess = (id: string, at: number) =>
      statusOf('192.0.2.7', { headers: { authorization: basic(id, `wrong ${at}`) } })
    const guesses = await Promise.all(
      Array.from({ length: 60 }, async (_, at) => {
        await statusOf('192.0.2.7', wrong)
        return guess('stranger', at)
      }),
    )
    // On a slow machine some wait too long to be checked, and are told so: then further ones are needed.
    for (let at = 60; !guesses.includes(429); at += 1) guesses.push(await guess('stranger', at))
    for (const status of guesses) expect([401, 429, 503]).toContain(status)
    // Neither of them is cached by this process.
    const tokens = { url: '/oauth/token', method: 'POST', headers: form } as const
    const body = `grant_type=client_credentials&client_id=integration&client_secret=${encodeURIComponent(CLIENT_SECRET)}`
    expect(await statusOf('192.0.2.7', { ...tokens, body })).toBe(200)
    expect(await statusOf('192.0.2.7', { headers: { authorization: basic('both', CLIENT_SECRET) } })).toBe(200)
  })

  it('at the token endpoint are limited by their rejected requests; valid ones do not count', async () => {
    const tokens = { url: '/oauth/token', method: 'POST', headers: form } as const
    const right = `grant_type=client_credentials&client_id=reader&client_secret=${encodeURIComponent(CLIENT_SECRET)}`
    const answers = await Promise.all([
      many(200, '192.0.2.8', { ...tokens, body: 'grant_type=password' }),
      many(200, '192.0.2.9', { ...tokens, body: 'x', headers: { 'content-type': 'text/plain' } }),
      many(150, '192.0.2.8', { ...tokens, body: right }),
    ])
    expect(answers.map((statuses) => [...new Set(statuses)].sort())).toEqual([[400, 429], [415, 429], [200]])
  })
}
