import { describe, expect, it } from 'vitest'
import { LeakyBuckets } from './leaky-buckets.ts'

describe('a leaky bucket', () => {
  const buckets = () => new LeakyBuckets({ perSecond: 20, burst: 100, most: 2 })
  const takeMany = (of: LeakyBuckets, key: string, now: number, times: number) =>
    Array.from({ length: times }, () => of.take(key, now)).filter((wait) => wait === 0).length

  it('takes a burst, and then as much as it leaks', () => {
    const of = buckets()
    expect(takeMany(of, 'a', 1_000, 200)).toBe(100)
    expect(of.waitOf('a', 1_000)).toBe(50)
    expect(takeMany(of, 'a', 2_000, 200)).toBe(20)
    expect(takeMany(of, 'a', 60_000, 200)).toBe(100)
  })

  it('bears its rate for ever', () => {
    const of = buckets()
    for (let now = 0; now < 60_000; now += 50) expect(of.take('a', now)).toBe(0)
  })

  it('is one of its own for each, and forgotten when too many others came after it', () => {
    const of = buckets()
    expect(takeMany(of, 'a', 0, 100)).toBe(100)
    expect(of.take('b', 0)).toBe(0)
    expect(of.take('a', 0)).toBe(50)
    of.take('c', 0)
    of.take('d', 0)
    expect(of.take('a', 0)).toBe(0)
  })
})
