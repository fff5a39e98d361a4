import { expect, it } from 'vitest'
import { LogThrottle } from './log-throttle.ts'

it('lets the first ones of a second pass, and tells later how many it left out', () => {
  const throttle = new LogThrottle()
  const first = Array.from({ length: 25 }, () => throttle.pass(5_000))
  expect(first).toEqual([...Array(20).fill(0), ...Array(5).fill(undefined)])
  expect(throttle.pass(6_100)).toBe(5)
  expect(throttle.pass(6_200)).toBe(0)
})
