import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { STEP_MS, Steps } from './steps.ts'

// Steps are as long as the tests say: a busy machine may take a process its processor away at any place.
beforeEach(() => vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => vi.useRealTimers())

/** Takes longer than a step. */
const work = () => vi.advanceTimersByTime(STEP_MS + 1)

async function inSteps(count: number, done: string[], name: string): Promise<void> {
  const steps = new Steps()
  for (let at = 0; at < count; at++) {
    work()
    done.push(name)
    await steps.pause()
  }
}

it('lets the event loop have a turn between any two steps of all long work', async () => {
  const done: string[] = []
  let isOver = false
  const others = (async () => {
    while (!isOver) {
      await nextTurn()
      done.push('turn')
    }
  })()
  await Promise.all(['a', 'b', 'c'].map((name) => inSteps(4, done, name)))
  isOver = true
  await others
  const steps = done
    .join(' ')
    .split('turn')
    .map((between) => between.trim().split(' ').filter(Boolean))
  // All three begin at once; from then on each step has a turn of its own.
  expect(steps.slice(1).filter((between) => between.length > 1)).toEqual([])
  expect(done.filter((name) => name !== 'turn')).toHaveLength(12)
})

it('goes on at once while a step is short', async () => {
  const steps = new Steps()
  let turned = false
  setImmediate(() => (turned = true))
  for (let at = 0; at < 10; at++) await steps.pause()
  expect(turned).toBe(false)
})

it('ends when nobody waits for the work any more', async () => {
  let leave = (): void => {}
  const steps = new Steps(
    (stop) => (leave = stop),
    () => new Error('left'),
  )
  await steps.pause()
  leave()
  await expect(steps.pause()).rejects.toThrow('left')
})
