import { expect, it } from 'vitest'
import { Pace } from './pace.ts'

it('expects nothing of a line that it has not seen move', () => {
  expect(new Pace().waitMs(100)).toBe(0)
})

it('comes to know a line that moves by 4 ms, and forgets it for one of 1 ms', () => {
  const pace = new Pace()
  for (let step = 0; step < 400; step++) pace.moved(2, 8)
  expect(pace.waitMs(10)).toBeCloseTo(40, 0)
  for (let step = 0; step < 400; step++) pace.moved(1, 1)
  expect(pace.waitMs(10)).toBeCloseTo(10, 0)
})
