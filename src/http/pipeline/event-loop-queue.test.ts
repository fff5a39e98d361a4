import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { EventLoopQueue } from './event-loop-queue.ts'

// Turns are as long as the tests say: a busy machine may take a process its processor away at any place.
beforeEach(() => vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] }))
afterEach(() => vi.useRealTimers())

const ONE = { group: 'EN', member: 'one' }

const workFor = (ms: number) => vi.advanceTimersByTime(ms)

/** Resolves when a turn is over that was prepared before. */
const turnOver = () => new Promise((resume) => setImmediate(resume))

it('begins the requests of a turn together, which read from one snapshot until they wait for something', async () => {
  const events: string[] = []
  const note = (event: string) => () => events.push(event)
  const queue = new EventLoopQueue(100, { begin: note('begin'), end: note('end') })
  for (const name of ['one', 'two']) {
    queue.admit(ONE, async () => {
      events.push(name)
      for (let hop = 0; hop < 20; hop++) await Promise.resolve()
      events.push(`${name} read`)
    })
  }
  expect(events).toEqual([])
  await turnOver()
  expect(events).toEqual(['begin', 'one', 'two', 'one read', 'two read', 'end'])
})

it('begins no snapshot for a request alone', async () => {
  let begun = 0
  const queue = new EventLoopQueue(100, { begin: () => begun++, end: () => {} })
  queue.admit(ONE, () => {})
  await turnOver()
  expect([begun, queue.figures.admitted]).toEqual([0, 1])
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
  await turnOver()
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
  await expect.poll(() => started).toEqual(['other', 'a', 'b', 'c'])
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
  await turnOver()
  expect(outcomes).toMatchObject([expected, undefined])
})
