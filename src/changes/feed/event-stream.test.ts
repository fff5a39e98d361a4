// The beat of a stream on which nothing happens, by a clock of the test's own.
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { ChangeService } from './change-service.ts'
import { eventStream } from './event-stream.ts'
import type { FeedPage } from './feed.ts'
import type { FeedReader, FeedRequester } from './feed-reader.ts'

const BEAT_MS = 15_000

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const EMPTY = { changes: [], last: 0, isAtEnd: true } as unknown as FeedPage

/** A stream whose feed has nothing, with the cursor that it would tell. */
function silentStream() {
  const state = { cursor: 'one' }
  const caller = {}
  const after = (_last: number, ms: number) => new Promise<void>((resume) => setTimeout(resume, ms))
  const service = {
    isStopping: false,
    waits: { acquireNow: () => () => {} },
    signals: { listen: () => ({ after, [Symbol.dispose]: () => {} }) },
  }
  const request = {
    requester: { flow: { group: '', member: '' } },
    caller,
    callerNow: async () => caller,
    leaveFlight: () => {},
    onClosed: () => {},
  }
  const reader = {
    companyId: 'EN',
    head: '{"companyId":"EN"',
    cursor: () => state.cursor,
    advance: () => {},
    readWoken: async () => EMPTY,
  }
  const stream = eventStream(
    service as unknown as ChangeService,
    request as unknown as FeedRequester,
    reader as unknown as FeedReader,
    EMPTY,
  )
  const next = async () => Buffer.from((await stream.next()).value ?? []).toString()
  return { state, next }
}

it('sends a comment after 15 seconds without a change, and a cursor that has moved with it', async () => {
  const { state, next } = silentStream()
  expect(await next()).toBe('id: one\nevent: head\ndata: {"companyId":"EN"}\n\n')
  let sent: string | undefined
  const beat = next().then((text) => {
    sent = text
  })
  await vi.advanceTimersByTimeAsync(BEAT_MS - 1)
  expect(sent).toBeUndefined()
  await vi.advanceTimersByTimeAsync(1)
  await beat
  expect(sent).toBe(': \n\n')
  state.cursor = 'two'
  const moved = next()
  await vi.advanceTimersByTimeAsync(BEAT_MS)
  expect(await moved).toBe(': \nid: two\n\n')
})
