import { EventEmitter } from 'node:events'
import type pg from 'pg'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Sessions } from './sessions.ts'

const MAX = 12
const SERVED_MS = 120

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => vi.useRealTimers())

/** A pool whose sessions answer after a time. */
function sessionsOf(servedMs: number) {
  const pool = Object.assign(new EventEmitter(), { options: { max: MAX }, connect: async () => ({}) })
  const sessions = new Sessions(pool as unknown as pg.Pool)
  return async (client: number) => {
    const session = await sessions.connect({ group: `company ${client % 3}`, member: `client ${client}` })
    setTimeout(() => pool.emit('release', undefined, session), servedMs)
  }
}

it('serve a burst of 200 requests that take 2 s together', async () => {
  const ask = sessionsOf(SERVED_MS)
  const burst = Promise.all(Array.from({ length: 200 }, (_, client) => ask(client)))
  await vi.advanceTimersByTimeAsync(2_100)
  expect(await burst).toHaveLength(200)
})

it('refuse who waits for more than 3 s', async () => {
  const ask = sessionsOf(60_000)
  for (let client = 0; client < MAX; client++) await ask(client)
  const refused = expect(ask(MAX)).rejects.toMatchObject({ status: 503 })
  await vi.advanceTimersByTimeAsync(3_000)
  await refused
})
