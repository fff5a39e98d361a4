import { describe, expect, it, test } from 'vitest'
import { startOf, usedUntil, waitUntil } from './sliding-window.ts'

const MINUTE = 60_000

describe('a sliding window', () => {
  test.each([
    [0, { current: 0, previous: 10 }, 10],
    [15_000, { current: 0, previous: 10 }, 7.5],
    [30_000, { current: 4, previous: 10 }, 9],
    [59_999, { current: 7, previous: 0 }, 7],
  ])('at %d ms of its minute with %j has %d', (now, counts, used) => {
    expect(usedUntil(now, MINUTE, counts)).toBeCloseTo(used, 2)
  })

  test.each([
    [0, { current: 0, previous: 20 }, 10],
    [20_000, { current: 5, previous: 60 }, 10],
    [59_000, { current: 10, previous: 0 }, 9],
    [1, { current: 500, previous: 500 }, 499],
  ])('at %d ms with %j lets no more than %d through only after the wait that it tells', (now, counts, most) => {
    const wait = waitUntil(now, MINUTE, counts, most)
    const at = (later: number) => {
      const isNext = startOf(later, MINUTE) > startOf(now, MINUTE)
      return usedUntil(later, MINUTE, isNext ? { current: 0, previous: counts.current } : counts)
    }
    expect(at(now + wait + 1)).toBeLessThanOrEqual(most + 0.01)
    expect(at(now + wait - 500)).toBeGreaterThan(most - 0.01)
    expect(wait).toBeLessThanOrEqual(2 * MINUTE)
  })

  it('begins at whole minutes', () => expect(startOf(123_456, MINUTE)).toBe(120_000))
})
