// Rate limits of a client, shared by all processes on a store; overload is rejected at once.
import { expect, it } from 'vitest'
import { RateLimiter } from '../../src/http/pipeline/rate-limiter.ts'
import { clientUsage } from '../../src/store/service-state/usage-store.ts'
import { type Answer, onEachStore, startWorld, type World } from '../support/world.ts'

const URL = '/v1/attribute-values/C1/CC100/0'
const LIMIT = 5

onEachStore(
  'Rate limits',
  (world) => {
    it('refuses the request over the limit with 429, Retry-After and what is left, and other clients not', async () => {
      const answers = []
      for (let count = 0; count <= LIMIT; count++) answers.push(await world().send({ as: 'integration', url: URL }))
      expect(answers.map(({ status }) => status)).toEqual([...Array(LIMIT).fill(200), 429])
      expect(answers.map(({ headers }) => headers['ratelimit-remaining'])).toEqual(['4', '3', '2', '1', '0', '0'])
      const refused = answers.at(-1)
      expect(refused?.json).toEqual({ code: 1020, message: expect.stringContaining('5 requests a minute') })
      expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0)
      expect(refused?.headers['ratelimit-limit']).toBe('5')
      expect((await world().send({ as: 'reader', url: URL })).status).toBe(200)
    })

    it('counts every request of a caller, also one that is refused or has no such address', async () => {
      for (const url of ['/v1/nothing', `${URL}?companyId=XX`, '/v1/attribute-values/XX/1/0']) {
        const answer = await world().send({ as: 'sv', url })
        expect([answer.status >= 400, answer.status === 429]).toEqual([true, false])
      }
      const { headers } = await world().send({ as: 'sv', url: URL })
      expect(headers['ratelimit-remaining']).toBe('1')
    })

    it('writes nothing of a request that is refused', async () => {
      const body = { attributeId: 'C6', attributeValue: 'LIMITED' }
      const send = () => world().send({ as: 'both', method: 'POST', url: '/v1/attribute-values', body })
      for (let count = 0; count < LIMIT; count++) await send()
      const before = await world().dump()
      expect((await send()).status).toBe(429)
      expect(await world().changesSince(before)).toEqual([])
    })

    it('lets health, tokens and descriptions through', async () => {
      for (let count = 0; count < 2 * LIMIT; count++) {
        expect((await world().send({ url: '/health/live' })).status).toBe(200)
      }
      const form = { 'content-type': 'application/x-www-form-urlencoded' }
      const token = await world().send({ method: 'POST', url: '/oauth/token', headers: form, body: 'grant_type=x' })
      expect(token.status).toBe(400)
    })

    it('is shared with other processes on the store, also what they have used before this one was asked', async () => {
      const [one, other] = [limiterOn(world(), 20_000), limiterOn(world())]
      try {
        for (let count = 0; count < 3; count++) one.take('elsewhere')
        await one.share()
        other.take('elsewhere')
        await other.share()
        expect(other.take('elsewhere')['ratelimit-remaining']).toBe('0')
        expect(() => other.take('elsewhere')).toThrow('5 requests a minute')
      } finally {
        one.stop()
        other.stop()
      }
    })

    it('lets no more through when a burst comes to four processes at once', async () => {
      const most = 60
      const processes = Array.from({ length: 4 }, () => limiterOn(world(), 0, most))
      try {
        const burst = processes.flatMap((one) => Array.from({ length: most }, () => one.takeReserved('bursting')))
        const outcomes = await Promise.allSettled(burst)
        expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBe(most)
        for (const outcome of outcomes)
          if (outcome.status === 'rejected') expect(outcome.reason.message).toContain('60 requests a minute')
      } finally {
        for (const one of processes) one.stop()
      }
    })
  },
  (kind) => startWorld(kind, undefined, '', { rateLimits: { requestsPerMinute: LIMIT } }),
)

/** A rate limiter like that of another process, whose clock is behind. */
function limiterOn({ application }: World, behindMs = 0, most = LIMIT): RateLimiter {
  const usages = clientUsage(application.service.store)
  return new RateLimiter({ requestsPerMinute: most }, usages, () => Date.now() - behindMs)
}

onEachStore('Many writes at once', (world, kind) => {
  it('are refused with 503 and Retry-After beyond 256, and then nothing of them is written', async () => {
    const answers = await Promise.all(
      Array.from({ length: 600 }, (_, at) =>
        world().send({
          as: 'integration',
          method: 'POST',
          url: '/v1/attribute-values',
          body: { attributeId: 'C6', attributeValue: `M${at}` },
        }),
      ),
    )
    const made = answers.filter(({ status }) => status === 201)
    const refused = answers.filter(({ status }) => status !== 201)
    expect(made.length).toBeGreaterThan(0)
    expect(refused.length).toBeGreaterThan(0)
    for (const { status, json, headers } of refused) {
      // In all, or of sessions with the database.
      expect([status, json]).toEqual([503, { code: 1020, message: expect.stringMatching(/overloaded|busy/) }])
      expect(headers['retry-after']).toMatch(/^[1-5]$/)
    }
    const rows = await world().query("select attribute_value from attribute_value where attribute_value like 'M%'")
    expect(rows.map(({ attribute_value }) => attribute_value).sort()).toEqual(
      made.map(({ json }) => json.attributeValue).sort(),
    )
  })

  it.runIf(kind === 'postgres')('report that all sessions are busy, while they are blocked by a lock', async () => {
    const message = 'The store cannot be used now: all sessions with the database are busy. Try again.'
    // Single records that are asked for together share a session, equal lists an answer.
    const list = (offset: number) =>
      world().send({ as: 'integration', url: `/v1/attribute-values/C1?$offset=${offset}` })
    const blocked = async () => {
      await world().query('begin')
      await world().query('lock table attribute_value in access exclusive mode')
      const reads = Array.from({ length: 12 }, (_, at) => list(at))
      // Requests with a session wait for the lock; those waiting for a session are answered first.
      const first = await Promise.race(reads)
      await world().query('rollback')
      return { first, answers: await Promise.all(reads) }
    }
    let { first, answers } = await blocked()
    // The lock ends two seconds before who waits for it gives up: a busy machine may be later than that.
    const hasGivenUp = ({ status, json }: Answer) => status === 503 && json.message !== message
    while (answers.some(hasGivenUp)) ({ first, answers } = await blocked())
    expect([first.status, first.json, first.headers['retry-after']]).toEqual([503, { code: 1020, message }, '2'])
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((one) => one !== 503 && one !== 200)).toEqual([])
    expect(statuses.filter((one) => one === 200).length).toBeGreaterThanOrEqual(10)
  })
})
