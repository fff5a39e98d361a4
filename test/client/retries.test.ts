// Which requests are sent again, when, and with what.
import { expect, it } from 'vitest'
import { NetworkProblem, RateLimitProblem, UnavailableProblem } from '#client'
import { fakeService, LOST, refusal } from './fake-service.ts'

const keysOf = (sent: readonly { headers: Record<string, string> }[]) =>
  sent.map(({ headers }) => headers['idempotency-key'])

it('waits as long as Retry-After says, in seconds and as a date', async () => {
  const { client, waits, sent } = fakeService([
    refusal(429, { 'retry-after': '7' }),
    refusal(503, { 'retry-after': new Date(Date.UTC(2026, 0, 31, 12, 0, 20)).toUTCString() }),
  ])
  await client.request({ path: '/a' })
  expect(waits).toEqual([7_000, 13_000])
  expect(sent).toHaveLength(3)
})

it('waits twice as long each time where nobody says how long, half of it by chance, and never longer than 20 s', async () => {
  const failures = Array.from({ length: 11 }, () => LOST)
  const least = fakeService(failures, { tries: 12, timeoutMs: 0 })
  await least.client.request({ path: '/a' })
  expect(least.waits).toEqual([125, 250, 500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000, 10_000, 10_000])
  const most = fakeService(failures, { tries: 12, timeoutMs: 0, random: () => 1 - Number.EPSILON })
  await most.client.request({ path: '/a' })
  expect(most.waits.map(Math.round)).toEqual(least.waits.map((ms) => 2 * ms))
})

it('comes back a little later than Retry-After says, so that not all clients come at once', async () => {
  const { client, waits } = fakeService([refusal(429, { 'retry-after': '7' })], { random: () => 0.5 })
  await client.request({ path: '/a' })
  expect(waits[0]).toBeGreaterThan(7_000)
  expect(waits[0]).toBeLessThan(7_250)
})

it('sends writes again with the same key, and each write with its own', async () => {
  const { client, sent } = fakeService([LOST, refusal(503), Response.json({}), LOST])
  await client.customers.create({ customerId: '1' })
  await client.customers.patch('1', [])
  await client.customers.delete('1')
  const keys = keysOf(sent)
  expect(keys).toEqual([keys[0], keys[0], keys[0], keys[3], keys[3], keys[5]])
  expect(new Set(keys).size).toBe(3)
  for (const key of keys) expect(key).toMatch(/^[0-9a-f]{32}$/)
})

it('takes the key of the program', async () => {
  const { client, sent } = fakeService([LOST])
  await client.customers.create({}, { idempotencyKey: 'mine' })
  await client.request({ path: '/v1/customers', method: 'POST', headers: { 'Idempotency-Key': 'header' } })
  expect(keysOf(sent)).toEqual(['mine', 'mine', 'header'])
})

it('never repeats a write without a key, whatever has become of it', async () => {
  for (const answer of [LOST, refusal(503, { 'retry-after': '1' }), refusal(429)]) {
    const { client, sent } = fakeService([answer])
    await expect(client.customers.create({}, { idempotencyKey: false })).rejects.toThrow()
    expect(keysOf(sent)).toEqual([undefined])
  }
})

it('sends no key with reads and with writes that store nothing, and repeats both', async () => {
  const { client, sent } = fakeService([LOST, Response.json({}), refusal(503), Response.json({})])
  await client.customers.create({}, { validateOnly: true })
  await client.customers.get('1')
  expect(keysOf(sent)).toEqual([undefined, undefined, undefined, undefined])
  expect(sent[0]?.url).toBe('https://service.test/base/v1/customers?validateOnly=true')
})

it('repeats no refusal that would be the same again', async () => {
  for (const status of [400, 403, 404, 405, 409, 410, 413, 422, 500]) {
    const { client, sent } = fakeService([refusal(status)])
    await expect(client.customers.get('1')).rejects.toMatchObject({ status })
    expect(sent).toHaveLength(1)
  }
})

it('gives up after so many tries, with the last problem', async () => {
  const { client, sent } = fakeService([LOST, LOST, refusal(503, { 'retry-after': '2' })], { tries: 3 })
  const problem = await client.customers.get('1').catch((thrown: unknown) => thrown)
  expect(problem).toBeInstanceOf(UnavailableProblem)
  expect(problem).toMatchObject({ retryAfter: 2 })
  expect(sent).toHaveLength(3)
})

it('does not wait longer than its time: who asks for more is told at once', async () => {
  const { client, waits } = fakeService([refusal(429, { 'retry-after': '61' })])
  const problem = await client.customers.get('1').catch((thrown: unknown) => thrown)
  expect(problem).toBeInstanceOf(RateLimitProblem)
  expect(problem).toMatchObject({ retryAfter: 61 })
  expect(waits).toEqual([])
})

it('repeats a read whose answer breaks off, and tells it at last', async () => {
  const broken = () =>
    new Response(
      new ReadableStream({
        start: (controller) => controller.enqueue(new TextEncoder().encode('{"customerId":')),
        pull: (controller) => controller.error(new Error('the connection was closed')),
      }),
    )
  const once = fakeService([broken])
  expect((await once.client.customers.get('1')).record).toEqual([])
  const always = fakeService([broken, broken], { tries: 2 })
  await expect(always.client.customers.get('1')).rejects.toBeInstanceOf(NetworkProblem)
})

it('ends at the signal of the caller, with its reason, also while it waits', async () => {
  const reason = new Error('given up')
  const early = fakeService([])
  await expect(early.client.customers.get('1', { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  expect(early.sent).toEqual([])
  const controller = new AbortController()
  const waiting = fakeService([LOST], {
    sleep: async (_ms, signal) => {
      controller.abort(reason)
      signal.throwIfAborted()
    },
  })
  await expect(waiting.client.customers.get('1', { signal: controller.signal })).rejects.toBe(reason)
})

it('ends a call whose answer does not come, after its time', async () => {
  const silent = (_request: unknown) => new Promise<Response>(() => {})
  const { client } = fakeService([silent])
  // The fake service does not hear of the signal, as a broken connection would not.
  const problem = await client.customers.get('1', { timeoutMs: 20 }).catch((thrown: unknown) => thrown)
  expect(problem).toMatchObject({ name: 'NetworkProblem', isTimeout: true })
})

it('waits for an answer where the time of a call is longer than any timer', async () => {
  for (const timeoutMs of [2 ** 31, Number.POSITIVE_INFINITY]) {
    const { client } = fakeService([], { timeoutMs, fetch: later })
    expect((await client.request({ path: '/a' })).status).toBe(200)
  }
})

/** Answers in a later turn of the event loop. */
const later: typeof fetch = (url) =>
  new Promise((answer) => {
    const token = { access_token: 'late', expires_in: 3_600 }
    setTimeout(() => answer(Response.json(String(url).endsWith('/oauth/token') ? token : {})), 20)
  })
