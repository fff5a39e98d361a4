// The response cache answers in front of the framework, on real connections only: every rule for requests
// holds for cached answers too.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listen } from '../../src/app/listening.ts'
import { KeepAliveClient } from '../support/keep-alive-client.ts'
import { STORE_KINDS, startWorld } from '../support/world.ts'

const path = '/v1/attribute-values/C1'
const REQUESTS = 40

describe.each(STORE_KINDS)('A cached answer on a real connection, on %s', (kind) => {
  let world: Awaited<ReturnType<typeof startWorld>>
  let address = ''
  let client: KeepAliveClient
  beforeAll(async () => {
    const rateLimits = { requestsPerMinute: REQUESTS }
    world = await startWorld(kind, 'test/fixtures/company.yaml', '', { rateLimits })
    address = await listen(world.application.server, { host: '127.0.0.1', port: 0 })
    client = new KeepAliveClient(address, `Bearer ${await world.token('integration')}`)
  })
  afterAll(async () => {
    client.close()
    await world.stop()
  })

  const repeats = async () => {
    const { text } = await world.send({ url: '/metrics' })
    const found = (pattern: RegExp) => [...text.matchAll(pattern)].reduce((sum, [, count]) => sum + Number(count), 0)
    return {
      repeated: found(/^tabularium_answers_repeated_total\{status="\d+"\} (\d+)$/gm),
      counted: found(/^http_requests_total\{method="GET",route="[^"]*:attributeId",status="\d+"\} (\d+)$/gm),
    }
  }

  it('is counted, limited, and has the id of its request', async () => {
    const before = await repeats()
    const answers = []
    for (let at = 0; at < 8; at++) {
      answers.push(await client.send({ method: 'GET', path, headers: { 'x-request-id': `asked-${at}` } }))
    }
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(answers.map(({ headers }) => headers['x-request-id'])).toEqual(answers.map((_, at) => `asked-${at}`))
    expect(answers.map(({ headers }) => Number(headers['ratelimit-remaining']))).toEqual(
      answers.map((_, at) => REQUESTS - 1 - at),
    )
    const [first, last] = [answers[0]?.headers, answers.at(-1)?.headers]
    const { 'x-request-id': _a, date: _b, 'ratelimit-remaining': _c, 'ratelimit-reset': _d, ...ofFirst } = first ?? {}
    expect(last).toMatchObject(ofFirst)
    expect(Object.keys(last ?? {}).sort()).toEqual(Object.keys(first ?? {}).sort())
    const after = await repeats()
    expect(after.counted - before.counted).toBe(8)
    expect(after.repeated - before.repeated).toBeGreaterThanOrEqual(6)
  })

  it('is 304 for a client that has it, and another answer after a change', async () => {
    const { headers } = await client.send({ method: 'GET', path })
    const known = { 'if-none-match': String(headers.etag) }
    for (let time = 0; time < 3; time++) {
      const answer = await client.send({ method: 'GET', path, headers: known })
      expect([answer.status, answer.text, answer.headers.etag]).toEqual([304, '', headers.etag])
    }
    const body = [{ op: 'replace', path: '/description', value: `Changed on ${kind}` }]
    expect((await client.send({ method: 'PATCH', path: `${path}/CC100/0`, body })).status).toBe(200)
    const changed = await client.send({ method: 'GET', path, headers: known })
    expect([changed.status, changed.text.includes(`Changed on ${kind}`)]).toEqual([200, true])
  })

  it('is refused to a wrong token, and to a malformed request', async () => {
    const stranger = new KeepAliveClient(address, 'Bearer wrong')
    expect((await stranger.send({ method: 'GET', path })).status).toBe(401)
    stranger.close()
    const zipped = await client.send({ method: 'GET', path, headers: { 'content-encoding': 'gzip' } })
    expect(zipped.status).toBe(415)
  })

  it('is 429 beyond the rate limit of the client', async () => {
    const statuses = new Set<number>()
    for (let at = 0; at < REQUESTS; at++) statuses.add((await client.send({ method: 'GET', path })).status)
    expect([...statuses]).toEqual([200, 429])
  })

  it('tells the client to use another connection while the service stops', async () => {
    const other = new KeepAliveClient(address, `Bearer ${await world.token('reader')}`)
    for (let time = 0; time < 4; time++) await other.send({ method: 'GET', path })
    const stopping = world.application.stop(10_000)
    const { status, headers } = await other.send({ method: 'GET', path })
    expect([status, headers.connection]).toEqual([200, 'close'])
    other.close()
    await Promise.all([stopping, world.application.stop(0)])
  })
})
