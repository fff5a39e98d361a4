import { expect, it } from 'vitest'
import { drawnHeight, offsetShowing, paceOf, ROW_HEIGHT } from './row-scroll.ts'

const VIEW = 600
const elementOf = (count: number) => ({ scrollHeight: drawnHeight(count), clientHeight: VIEW })

it('draws all rows at their own height while there are not too many', () => {
  expect([drawnHeight(100_000), paceOf(100_000, elementOf(100_000))]).toEqual([3_000_000, 1])
  expect([paceOf(3, elementOf(3)), paceOf(3, null)]).toEqual([1, 1])
})

it.each([1_000_000, 10_000_000])('leads from the first to the last of %i rows within what browsers draw', (count) => {
  const element = elementOf(count)
  expect(element.scrollHeight).toBeLessThan(17_000_000)
  const end = (element.scrollHeight - VIEW) * paceOf(count, element)
  expect(end).toBeCloseTo(count * ROW_HEIGHT - VIEW)
})

it('moves no further than a row needs to be seen', () => {
  expect(offsetShowing(10, 0, VIEW)).toBe(0)
  expect(offsetShowing(10, 900, VIEW)).toBe(300)
  expect(offsetShowing(40, 0, VIEW)).toBe(630)
})
