import { expect, it } from 'vitest'
import { NewestEntries } from '../store/newest-entries.ts'
import { ChangeSignals } from './wake.ts'

const FOREVER_MS = 60_000

it('ends the next wait of who reads while everybody is woken, and only that', async () => {
  const newest = new NewestEntries({ everyMs: FOREVER_MS, read: async () => new Map() })
  const signals = new ChangeSignals(newest)
  using listening = signals.listen('EN')
  signals.wakeAll()
  expect(await listening.after(3, FOREVER_MS)).toBe(0)
  const left = new AbortController()
  const waits = listening.after(3, FOREVER_MS, left.signal).then(() => 'ended')
  expect(await Promise.race([waits, new Promise((resolve) => setImmediate(resolve, 'waits'))])).toBe('waits')
  left.abort()
  expect(await waits).toBe('ended')
  newest.close()
})
