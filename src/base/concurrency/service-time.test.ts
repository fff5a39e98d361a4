import { expect, it } from 'vitest'
import { ServiceTime } from './service-time.ts'

it('expects nothing of a line that it has not seen move', () => {
  expect(new ServiceTime().expectedWaitMs(100)).toBe(0)
})

it('comes to know a line that moves by 4 ms, and forgets it for one of 1 ms', () => {
  const serviceTime = new ServiceTime()
  for (let step = 0; step < 400; step++) serviceTime.record(2, 8)
  expect(serviceTime.expectedWaitMs(10)).toBeCloseTo(40, 0)
  for (let step = 0; step < 400; step++) serviceTime.record(1, 1)
  expect(serviceTime.expectedWaitMs(10)).toBeCloseTo(10, 0)
})
