import { EventEmitter } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { SlowUploads } from './slow-uploads.ts'

const never = new Promise<string>(() => {})

/** An upload that has come in as far as it is said, with what became of it. */
function begin(uploads: SlowUploads, reading: Promise<string> = never, member = 'one') {
  const socket = Object.assign(new EventEmitter(), { bytesRead: 500 })
  const upload = { socket, outcome: 'running' }
  uploads.watch({ group: 'EN', member }, { socket } as unknown as IncomingMessage, reading).then(
    (read) => (upload.outcome = read),
    (error: { status: number }) => (upload.outcome = `refused with ${error.status}`),
  )
  return upload
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('gives up with 408 what brings next to nothing while others are turned away', async () => {
  const uploads = new SlowUploads(() => true)
  const [slow, quick] = [begin(uploads), begin(uploads, never, 'other')]
  for (let second = 0; second < 20; second++) {
    slow.socket.bytesRead += 1
    quick.socket.bytesRead += 10_000
    await vi.advanceTimersByTimeAsync(1_000)
  }
  expect([slow.outcome, quick.outcome]).toEqual(['refused with 408', 'running'])
})

it('asks a caller for the more, the more of them are his', async () => {
  const uploads = new SlowUploads(() => true)
  const greedy = Array.from({ length: 4 }, () => begin(uploads))
  const modest = begin(uploads, never, 'other')
  for (let second = 0; second < 20; second++) {
    for (const upload of [...greedy, modest]) upload.socket.bytesRead += 10_000
    await vi.advanceTimersByTimeAsync(1_000)
  }
  const outcomes = [...greedy, modest].map(({ outcome }) => outcome)
  expect(outcomes).toEqual([...Array(4).fill('refused with 408'), 'running'])
})

it('bears any pace while there is room, and one that has just begun', async () => {
  let isCrowded = false
  const uploads = new SlowUploads(() => isCrowded)
  const slow = begin(uploads)
  await vi.advanceTimersByTimeAsync(60_000)
  isCrowded = true
  await vi.advanceTimersByTimeAsync(9_000)
  const young = begin(uploads, never, 'other')
  await vi.advanceTimersByTimeAsync(2_000)
  expect([slow.outcome, young.outcome]).toEqual(['refused with 408', 'running'])
})

it('hands on what was read and looks no more', async () => {
  const upload = begin(new SlowUploads(() => true), Promise.resolve('a body'))
  await vi.advanceTimersByTimeAsync(0)
  expect([upload.outcome, vi.getTimerCount()]).toEqual(['a body', 0])
})
