import { afterEach, describe, expect, it } from 'vitest'
import type { SharedUsages, Usage } from '../../base/concurrency/sliding-window.ts'
import { RateLimiter, type RateLimits } from './rate-limiter.ts'

const started: RateLimiter[] = []
afterEach(() => {
  for (const limiter of started.splice(0)) limiter.stop()
})

/** What several processes share. */
class Shared {
  readonly totals = new Map<string, Map<number, number>>()

  add = async ({ clientId, kind, amounts }: Usage, since: number) => {
    const told = this.totals.get(`${kind} ${clientId}`) ?? new Map<number, number>()
    for (const [start, amount] of amounts) told.set(start, (told.get(start) ?? 0) + amount)
    this.totals.set(`${kind} ${clientId}`, told)
    return new Map([...told].filter(([start]) => start >= since))
  }
  forget = async () => {}
}

function limiterOf(limits: RateLimits, clock: { now: number }, shared = new Shared()): RateLimiter {
  const limiter = new RateLimiter(limits, shared, () => clock.now)
  started.push(limiter)
  return limiter
}

const refusalOf = (work: () => unknown) => {
  try {
    work()
  } catch (error) {
    return error as { status: number; headers: Record<string, string>; message: string }
  }
  return undefined
}

describe('the rate limiter', () => {
  it('lets so many requests through in any minute, tells how many are left, and when to come again', () => {
    const clock = { now: 600_000 }
    const limiter = limiterOf({ requestsPerMinute: 3 }, clock)
    expect(limiter.take('a')).toEqual({ 'ratelimit-limit': '3', 'ratelimit-remaining': '2', 'ratelimit-reset': '65' })
    limiter.take('a')
    expect(limiter.take('a')['ratelimit-remaining']).toBe('0')
    const refusal = refusalOf(() => limiter.take('a'))
    expect(refusal).toMatchObject({
      status: 429,
      message: expect.stringMatching(/^The limit of 3 requests a minute is reached: try again in \d+ s\.$/),
      headers: { 'ratelimit-limit': '3', 'ratelimit-remaining': '0' },
    })
    clock.now += Number(refusal?.headers['retry-after']) * 1000
    expect(refusalOf(() => limiter.take('a'))).toBeUndefined()
  })

  it('does not begin anew with the minute: what was used at its end still counts', () => {
    const clock = { now: 659_000 }
    const limiter = limiterOf({ requestsPerMinute: 10 }, clock)
    for (let count = 0; count < 10; count++) limiter.take('a')
    clock.now = 661_000
    expect(refusalOf(() => limiter.take('a'))?.status).toBe(429)
    clock.now = 659_000 + 60_000
    expect(refusalOf(() => limiter.take('a'))?.status).toBe(429)
    clock.now = 660_000 + 60_000
    for (let count = 0; count < 10; count++) expect(refusalOf(() => limiter.take('a'))).toBeUndefined()
  })

  it('keeps clients apart', () => {
    const limiter = limiterOf({ requestsPerMinute: 1 }, { now: 0 })
    limiter.take('a')
    expect(refusalOf(() => limiter.take('b'))).toBeUndefined()
  })

  it('counts bytes in five minutes', () => {
    const clock = { now: 0 }
    const limiter = limiterOf({ bytesPerFiveMinutes: 1_000 }, clock)
    expect(limiter.take('a')).toEqual({})
    limiter.addBytes('a', 1_001)
    expect(refusalOf(() => limiter.take('a'))?.message).toContain('1000 bytes in five minutes')
    clock.now = 325_000
    expect(refusalOf(() => limiter.take('a'))).toBeUndefined()
  })

  it('hears of what other processes have used', async () => {
    const [clock, shared] = [{ now: 0 }, new Shared()]
    const [one, other] = [1, 2].map(() => limiterOf({ requestsPerMinute: 10 }, clock, shared)) as [
      RateLimiter,
      RateLimiter,
    ]
    for (let count = 0; count < 6; count++) one.take('a')
    await one.share()
    other.take('a')
    await other.share()
    expect(other.take('a')['ratelimit-remaining']).toBe('2')
  })

  it('goes on with its own count while the store does not answer, and tells it later', async () => {
    const clock = { now: 0 }
    const shared = new Shared()
    let isDown = true
    const add: SharedUsages['add'] = (usage, since) =>
      isDown ? Promise.reject(new Error('down')) : shared.add(usage, since)
    const limiter = new RateLimiter({ requestsPerMinute: 2 }, { ...shared, add }, () => clock.now)
    started.push(limiter)
    limiter.take('a')
    await limiter.share()
    limiter.take('a')
    expect(refusalOf(() => limiter.take('a'))?.status).toBe(429)
    isDown = false
    await limiter.share()
    expect([...shared.totals.values()].map((told) => [...told])).toEqual([[[0, 2]]])
  })
})
