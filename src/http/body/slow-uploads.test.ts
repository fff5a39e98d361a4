import { EventEmitter } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { SlowUploads } from './slow-uploads.ts'

const never = new Promise<string>(() => {})

/** Starts an upload; `bytesRead` of its socket simulates progress, and `outcome` is its result. */
function startUpload(uploads: SlowUploads, reading: Promise<string> = never, member = 'one') {
  const socket = Object.assign(new EventEmitter(), { bytesRead: 500 })
  const upload = { socket, outcome: 'running' }
  uploads.watch({ group: 'EN', member }, { socket } as unknown as IncomingMessage, reading).then(
    (read) => (upload.outcome = read),
    (error: { status: number }) => (upload.outcome = `rejected with ${error.status}`),
  )
  return upload
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('gives up with 408 what brings next to nothing while others are turned away', async () => {
  const uploads = new SlowUploads(() => true)
  const [slow, quick] = [startUpload(uploads), startUpload(uploads, never, 'other')]
  for (let second = 0; second < 20; second++) {
    slow.socket.bytesRead += 1
    quick.socket.bytesRead += 10_000
    await vi.advanceTimersByTimeAsync(1_000)
  }
  expect([slow.outcome, quick.outcome]).toEqual(['rejected with 408', 'running'])
})

it('asks a caller for the more, the more of them are his', async () => {
  const uploads = new SlowUploads(() => true)
  const ofOneClient = Array.from({ length: 4 }, () => startUpload(uploads))
  const ofAnother = startUpload(uploads, never, 'other')
  for (let second = 0; second < 20; second++) {
    for (const upload of [...ofOneClient, ofAnother]) upload.socket.bytesRead += 10_000
    await vi.advanceTimersByTimeAsync(1_000)
  }
  const outcomes = [...ofOneClient, ofAnother].map(({ outcome }) => outcome)
  expect(outcomes).toEqual([...Array(4).fill('rejected with 408'), 'running'])
})

it('bears any pace while there is room, and one that has just begun', async () => {
  let isBlocking = false
  const uploads = new SlowUploads(() => isBlocking)
  const slow = startUpload(uploads)
  await vi.advanceTimersByTimeAsync(60_000)
  isBlocking = true
  await vi.advanceTimersByTimeAsync(9_000)
  const recent = startUpload(uploads, never, 'other')
  await vi.advanceTimersByTimeAsync(2_000)
  expect([slow.outcome, recent.outcome]).toEqual(['rejected with 408', 'running'])
})

it('hands on what was read and looks no more', async () => {
  const upload = startUpload(new SlowUploads(() => true), Promise.resolve('a body'))
  await vi.advanceTimersByTimeAsync(0)
  expect([upload.outcome, vi.getTimerCount()]).toEqual(['a body', 0])
})
