import { describe, expect, it } from 'vitest'
import { SlidingWindow } from './sliding-window.ts'

const MINUTE = 60_000
const STEP = 5_000

describe('a sliding window', () => {
  it('keeps what was used for a whole window, and for no more than a step longer', () => {
    const window = new SlidingWindow(MINUTE)
    window.add(3, 4_000)
    expect(window.usedUntil(4_000 + MINUTE)).toBe(3)
    expect(window.usedUntil(STEP + MINUTE)).toBe(0)
  })

  it('never holds more than was let through, whenever that came', () => {
    const most = 50
    const let_through: number[] = []
    const window = new SlidingWindow(MINUTE)
    for (let now = 7_777; now < 5 * MINUTE; now += 137) {
      if (window.usedUntil(now) >= most) continue
      window.add(1, now)
      let_through.push(now)
    }
    const within = (end: number) => let_through.filter((at) => at > end - MINUTE && at <= end).length
    expect(Math.max(...let_through.map(within))).toBe(most)
    expect(let_through.length).toBeGreaterThan(4 * most)
  })

  it('tells how long to wait until no more than so many count', () => {
    const window = new SlidingWindow(MINUTE)
    for (const [at, amount] of [
      [1_000, 10],
      [12_000, 10],
      [13_000, 5],
    ] as const)
      window.add(amount, at)
    const now = 20_000
    for (const [most, until] of [
      [25, now],
      [24, STEP + MINUTE],
      [15, STEP + MINUTE],
      [14, 15_000 + MINUTE],
      [0, 15_000 + MINUTE],
    ] as const) {
      expect(now + window.waitUntil(now, most)).toBe(until)
    }
    expect(window.usedUntil(15_000 + MINUTE - 1)).toBe(15)
    expect(window.usedUntil(15_000 + MINUTE)).toBe(0)
  })

  it('counts what others tell beside what they do not know of yet', () => {
    const window = new SlidingWindow(MINUTE)
    window.add(2, 1_000)
    const told = window.takeUnsent()
    window.add(1, 2_000)
    window.merge(
      told,
      new Map([
        [0, 9],
        [-STEP, 4],
      ]),
    )
    expect(window.usedUntil(3_000)).toBe(14)
    expect([...window.takeUnsent()]).toEqual([[0, 1]])
  })

  it('counts nothing that a clock has left which was set back', () => {
    const window = new SlidingWindow(MINUTE)
    window.add(5, 100 * MINUTE)
    expect([window.usedUntil(99.5 * MINUTE), window.usedUntil(40 * MINUTE), window.usedUntil(100 * MINUTE)]).toEqual([
      5, 0, 0,
    ])
  })
})
