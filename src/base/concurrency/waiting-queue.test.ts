import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { WaitingQueue } from './waiting-queue.ts'

const ONE = { group: 'EN', member: 'one' }
const refusal = (hasWaited: boolean) => new Error(hasWaited ? 'late' : 'full')

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function watched(settings: { waiting?: number; maxWaitMs?: number; maxStandingWaitMs?: number }) {
  const queue = new WaitingQueue<{ name: string; failed(reason: Error): void }>({ waiting: 9, refusal, ...settings })
  const failed: string[] = []
  const push = (name: string) => queue.push(ONE, { name, failed: ({ message }) => failed.push(`${name} ${message}`) })
  return { queue, failed, push }
}

it('refuses who finds no place and who has waited too long, and counts them', () => {
  const { queue, failed, push } = watched({ waiting: 2, maxWaitMs: 500 })
  for (const name of ['a', 'b', 'c']) push(name)
  vi.advanceTimersByTime(400)
  expect(queue.shift()?.name).toBe('a')
  vi.advanceTimersByTime(99)
  expect(failed).toEqual(['c full'])
  vi.advanceTimersByTime(1)
  expect(failed).toEqual(['c full', 'b late'])
  expect(queue.figures).toEqual({ running: 0, waiting: 0, refused: 2, admitted: 1, waitedSeconds: 0.4 })
})

it('lets a burst wait long, and those in a queue that has not been empty for so long only shortly', () => {
  const { queue, failed, push } = watched({ maxWaitMs: 500, maxStandingWaitMs: 50 })
  push('burst')
  vi.advanceTimersByTime(400)
  push('later')
  queue.shift()
  vi.advanceTimersByTime(200)
  push('standing')
  vi.advanceTimersByTime(51)
  expect(failed).toEqual(['standing late'])
  queue.shift()
  push('afterwards')
  vi.advanceTimersByTime(499)
  expect(failed).toEqual(['standing late'])
})

it('does not count as refused who leaves', () => {
  const { queue, failed, push } = watched({ maxWaitMs: 500 })
  push('gone')()
  vi.advanceTimersByTime(500)
  expect([failed, queue.figures.refused]).toEqual([['gone late'], 0])
})
