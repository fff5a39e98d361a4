import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { WaitingQueue } from './waiting-queue.ts'

const ONE = { group: 'EN', member: 'one' }
const refusal = (hasWaited: boolean) => new Error(hasWaited ? 'late' : 'full')

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function watched(settings: { waiting?: number; maxWaitMs?: number }) {
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

it('refuses nobody in a queue that is never empty, as long as nobody waits too long', () => {
  const { queue, failed, push } = watched({ maxWaitMs: 500 })
  push('first')
  for (let at = 0; at < 20; at++) {
    push(`${at}`)
    vi.advanceTimersByTime(200)
    queue.shift()
  }
  expect([failed, queue.length]).toEqual([[], 1])
})

it('does not count as refused who leaves', () => {
  const { queue, failed, push } = watched({ maxWaitMs: 500 })
  push('gone')()
  vi.advanceTimersByTime(500)
  expect([failed, queue.figures.refused]).toEqual([['gone late'], 0])
})
