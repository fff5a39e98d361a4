import { expect, it } from 'vitest'
import { EventLoopQueue } from './event-loop-queue.ts'

const ONE = { group: 'EN', member: 'one' }

function workFor(ms: number): void {
  const until = performance.now() + ms
  while (performance.now() < until);
}

it('begins a request at once, also two of the same turn', () => {
  const queue = new EventLoopQueue(100)
  const started: number[] = []
  for (const number of [1, 2]) queue.admit(ONE, () => started.push(number))
  expect(started).toEqual([1, 2])
})

it('begins those of a long turn later, in the order in which they came', async () => {
  const queue = new EventLoopQueue(1_000)
  const started: (number | Error)[] = []
  queue.admit(ONE, () => workFor(10))
  for (const number of [1, 2, 3]) {
    queue.admit(ONE, (rejection) => {
      started.push(rejection ?? number)
      workFor(10)
    })
  }
  expect(started).toEqual([])
  await expect.poll(() => started).toEqual([1, 2, 3])
})

it('begins the request of another company in its turn, before those that came earlier of one', async () => {
  const queue = new EventLoopQueue(1_000)
  const started: string[] = []
  queue.admit(ONE, () => workFor(10))
  for (const name of ['a', 'b', 'c', 'other']) {
    queue.admit(name === 'other' ? { group: 'SV', member: 'other' } : ONE, () => {
      started.push(name)
      workFor(10)
    })
  }
  await expect.poll(() => started).toEqual(['a', 'other', 'b', 'c'])
})

it('refuses with 503 and Retry-After who waits too long, and nobody once that is over', async () => {
  const queue = new EventLoopQueue(30)
  const outcomes: (Error | undefined)[] = []
  queue.admit(ONE, () => workFor(10))
  queue.admit(ONE, () => workFor(60))
  queue.admit(ONE, (rejection) => outcomes.push(rejection))
  const expected = { status: 503, headers: { 'retry-after': expect.stringMatching(/^[1-5]$/) } }
  await expect.poll(() => outcomes).toMatchObject([expected])
  queue.admit(ONE, (rejection) => outcomes.push(rejection))
  expect(outcomes[1]).toBeUndefined()
})
