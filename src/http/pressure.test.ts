import { expect, it } from 'vitest'
import type { Problem } from '../errors/problem.ts'
import { Pressure } from './pressure.ts'

const ONE = { group: 'EN', member: 'one' }

function workFor(ms: number): void {
  const until = performance.now() + ms
  while (performance.now() < until);
}

it('begins a request at once, also two of the same turn', () => {
  const pressure = new Pressure(100)
  const begun: number[] = []
  for (const at of [1, 2]) pressure.admit(ONE, () => begun.push(at))
  expect(begun).toEqual([1, 2])
})

it('begins those of a long turn later, in the order in which they came', async () => {
  const pressure = new Pressure(1_000)
  const begun: (number | Problem)[] = []
  pressure.admit(ONE, () => workFor(10))
  for (const at of [1, 2, 3]) {
    pressure.admit(ONE, (refusal) => {
      begun.push(refusal ?? at)
      workFor(10)
    })
  }
  expect(begun).toEqual([])
  await expect.poll(() => begun).toEqual([1, 2, 3])
})

it('begins the request of another company in its turn, before those that came earlier of one', async () => {
  const pressure = new Pressure(1_000)
  const begun: string[] = []
  pressure.admit(ONE, () => workFor(10))
  for (const name of ['a', 'b', 'c', 'other']) {
    pressure.admit(name === 'other' ? { group: 'SV', member: 'other' } : ONE, () => {
      begun.push(name)
      workFor(10)
    })
  }
  await expect.poll(() => begun).toEqual(['a', 'other', 'b', 'c'])
})

it('refuses with 503 and Retry-After who waits too long, and nobody once that is over', async () => {
  const pressure = new Pressure(30)
  const refused: (Problem | undefined)[] = []
  pressure.admit(ONE, () => workFor(10))
  pressure.admit(ONE, () => workFor(60))
  pressure.admit(ONE, (refusal) => refused.push(refusal))
  const told = { status: 503, headers: { 'retry-after': expect.stringMatching(/^[1-5]$/) } }
  await expect.poll(() => refused).toMatchObject([told])
  pressure.admit(ONE, (refusal) => refused.push(refusal))
  expect(refused[1]).toBeUndefined()
})
