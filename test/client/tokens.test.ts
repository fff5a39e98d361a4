// Tokens: fetched by client credentials, kept, renewed, and asked for again where the service refuses one.
import { expect, it } from 'vitest'
import { createClient, NetworkProblem, NotAuthenticatedProblem } from '#client'
import { fakeService, INVALID_TOKEN, LOST, refusal } from './fake-service.ts'

const bearersOf = (sent: readonly { headers: Record<string, string> }[]) =>
  sent.map(({ headers }) => headers.authorization)

it('asks for a token by client credentials, with id and secret in UTF-8', async () => {
  const { client, tokens, sent } = fakeService([])
  await client.request({ path: '/v1/objects' })
  expect(tokens).toHaveLength(1)
  expect(tokens[0]).toMatchObject({
    method: 'POST',
    url: 'https://service.test/base/oauth/token',
    body: 'grant_type=client_credentials',
    headers: { authorization: `Basic ${Buffer.from('a client:ø:secret').toString('base64')}` },
  })
  expect(sent[0]).toMatchObject({
    url: 'https://service.test/base/v1/objects',
    headers: { authorization: 'Bearer t1' },
  })
})

it('fetches one token for many concurrent calls, and keeps it', async () => {
  const { client, tokens, sent } = fakeService([])
  await Promise.all(Array.from({ length: 20 }, () => client.request({ path: '/v1/objects' })))
  await client.request({ path: '/v1/objects' })
  expect([tokens.length, sent.length]).toEqual([1, 21])
})

it('renews a token a minute before its end, and a short one at three quarters of its life', async () => {
  for (const [lifeSeconds, keptMs] of [
    [3_600, 3_540_000],
    [40, 30_000],
  ] as const) {
    const { client, sent, clock } = fakeService([], { lifeSeconds })
    await client.request({ path: '/a' })
    clock.now += keptMs - 1
    await client.request({ path: '/b' })
    clock.now += 1
    await client.request({ path: '/c' })
    expect(bearersOf(sent)).toEqual(['Bearer t1', 'Bearer t1', 'Bearer t2'])
  }
})

it('sends a request once more with a new token after a 401 of the token, also one without a key', async () => {
  const { client, sent, tokens } = fakeService([refusal(401, INVALID_TOKEN)])
  await client.request({ path: '/v1/customers', method: 'POST', body: { a: 1 }, idempotencyKey: false })
  expect(bearersOf(sent)).toEqual(['Bearer t1', 'Bearer t2'])
  expect(sent.map(({ body }) => body)).toEqual(['{"a":1}', '{"a":1}'])
  expect(tokens).toHaveLength(2)
})

it('gives up after a second 401, and after one that says nothing of the token', async () => {
  const twice = fakeService([refusal(401, INVALID_TOKEN), refusal(401, INVALID_TOKEN)])
  await expect(twice.client.request({ path: '/a' })).rejects.toBeInstanceOf(NotAuthenticatedProblem)
  expect(twice.sent).toHaveLength(2)
  const other = fakeService([refusal(401, { 'www-authenticate': 'Basic realm="x"' })])
  await expect(other.client.request({ path: '/a' })).rejects.toBeInstanceOf(NotAuthenticatedProblem)
  expect(other.sent).toHaveLength(1)
})

it('fetches one new token when many concurrent calls are refused the old one', async () => {
  const { client, tokens } = fakeService(Array.from({ length: 10 }, () => refusal(401, INVALID_TOKEN)))
  await Promise.all(Array.from({ length: 10 }, () => client.request({ path: '/a' })))
  expect(tokens).toHaveLength(2)
})

it('waits for a service that gives no token now, and tells what it says of a wrong secret', async () => {
  const busy = fakeService([], { tokenAnswers: [refusal(503, { 'retry-after': '3' }), LOST] })
  await busy.client.request({ path: '/a' })
  expect([busy.tokens.length, busy.waits]).toEqual([3, [3_000, 250]])
  const wrong = fakeService([], { tokenAnswers: [refusal(401)] })
  await expect(wrong.client.request({ path: '/a' })).rejects.toBeInstanceOf(NotAuthenticatedProblem)
  expect([wrong.tokens.length, wrong.sent.length]).toEqual([1, 0])
})

it('asks again for a token after a failure', async () => {
  const { client } = fakeService([], { tokenAnswers: [refusal(401)] })
  await expect(client.request({ path: '/a' })).rejects.toBeInstanceOf(NotAuthenticatedProblem)
  expect((await client.request({ path: '/a' })).status).toBe(200)
})

it('ends a call that is given up while others wait for the same token', async () => {
  let give = (_token: Response) => {}
  const late = new Promise<Response>((resolve) => {
    give = resolve
  })
  const { client } = fakeService([], { tokenAnswers: [() => late] })
  const controller = new AbortController()
  const given = client.request({ path: '/a', signal: controller.signal })
  const kept = client.request({ path: '/b' })
  controller.abort(new Error('not needed'))
  await expect(given).rejects.toThrow('not needed')
  give(Response.json({ access_token: 't', expires_in: 60 }))
  expect((await kept).status).toBe(200)
})

it('takes the tokens of the program, and asks it again after a 401', async () => {
  const given: string[] = []
  const answers = [refusal(401, INVALID_TOKEN), Response.json([])]
  const client = createClient(
    { url: 'https://service.test', token: async () => `own ${given.length}` },
    {
      fetch: async (_url, init) => {
        given.push(new Headers(init?.headers).get('authorization') ?? '')
        return answers.shift() as Response
      },
    },
  )
  await client.request({ path: '/a' })
  expect(given).toEqual(['Bearer own 0', 'Bearer own 1'])
})

it('tells a call whose time is over while a token is fetched', async () => {
  const { client } = fakeService([], { tokenAnswers: [() => new Promise<Response>(() => {})], timeoutMs: 20 })
  const problem = await client.request({ path: '/a' }).catch((thrown: unknown) => thrown)
  expect(problem).toBeInstanceOf(NetworkProblem)
  expect(problem).toMatchObject({ isTimeout: true })
})
