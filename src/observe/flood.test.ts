import { expect, it } from 'vitest'
import { Flood } from './flood.ts'

it('lets the first ones of a second pass, and tells later how many it left out', () => {
  const flood = new Flood()
  const first = Array.from({ length: 25 }, () => flood.pass(5_000))
  expect(first).toEqual([...Array(20).fill(0), ...Array(5).fill(undefined)])
  expect(flood.pass(6_100)).toBe(5)
  expect(flood.pass(6_200)).toBe(0)
})
