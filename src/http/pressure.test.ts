import { expect, it } from 'vitest'
import { Pressure } from './pressure.ts'

it('refuses with 503 and Retry-After who has waited too long for those before it, and nobody in the next turn', async () => {
  const pressure = new Pressure(30)
  pressure.check()
  expect(() => pressure.check()).not.toThrow()
  const until = performance.now() + 60
  while (performance.now() < until);
  expect(() => pressure.check()).toThrow(
    expect.objectContaining({ status: 503, headers: { 'retry-after': expect.stringMatching(/^[1-5]$/) } }),
  )
  await new Promise((resume) => setImmediate(resume))
  expect(() => pressure.check()).not.toThrow()
})
