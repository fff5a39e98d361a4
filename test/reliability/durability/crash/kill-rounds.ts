// Kills the service repeatedly while it writes to the same store.
import { expect, vi } from 'vitest'
import { integrityOf, kill, type Serving, serve } from '../../../support/process.ts'
import { randomNumbers, SEED } from '../../../support/reliability-test.ts'
import { staged } from '../content-files.ts'
import type { CrashRun } from './crash-run.ts'

/** The delay of a kill after the service is ready; it is never before the first acknowledged write. */
const KILL_MS = [20, 800] as const
/** The number of rounds between complete checks; the last one follows the last round. */
const WHOLE_ROUNDS = 50
const INTEGRITY_ROUNDS = 10
const PATIENCE_MS = 120_000

/** Returns the measurements. */
export async function killRounds(crash: CrashRun, kills: number): Promise<string> {
  const random = randomNumbers(SEED)
  const readyMs: number[] = []
  let leftovers = 0
  for (let round = 0; round < kills; round++) {
    const startedAt = performance.now()
    const service = await serve(crash.place.flags)
    readyMs.push(Math.round(performance.now() - startedAt))
    try {
      leftovers += await killedInRound(crash, service, round, random)
    } finally {
      await kill(service)
    }
    expect({ round, halves: await crash.halves() }).toEqual({ round, halves: [] })
    expect({ refused: crash.refused, unavailable: crash.unavailable }).toEqual({ refused: [], unavailable: 0 })
    if (crash.place.kind === 'sqlite' && round % INTEGRITY_ROUNDS === 0)
      expect(integrityOf(crash.place.data)).toBe('ok')
    if (round % WHOLE_ROUNDS === WHOLE_ROUNDS - 1) await crash.expectWhole()
  }
  await crash.expectWhole()
  expect(crash.acknowledged).toBeGreaterThan(kills)
  readyMs.sort((one, other) => one - other)
  return (
    `${kills} kills, ${crash.acknowledged} writes acknowledged, none lost; ${leftovers} begun contents swept; ` +
    `ready again in ${readyMs[Math.floor(kills / 2)]} ms, at most ${readyMs.at(-1)}`
  )
}

/** Returns the number of contents that were being received at the kill. */
async function killedInRound(crash: CrashRun, service: Serving, round: number, random: () => number): Promise<number> {
  expect(staged(crash.files)).toEqual([])
  // Every other service is killed without being read from; its writes are checked a round later.
  if (round % 2 === 1) expect({ round, lost: await crash.lost(service.address) }).toEqual({ round, lost: [] })
  let isOver = false
  const before = crash.acknowledged
  const writing = crash.write(service.address, () => isOver)
  await new Promise((resume) => setTimeout(resume, KILL_MS[0] + random() * (KILL_MS[1] - KILL_MS[0])))
  await vi.waitUntil(() => crash.acknowledged > before, { timeout: PATIENCE_MS, interval: 2 })
  isOver = true
  const { signal } = await kill(service)
  await writing
  expect({ round, signal }).toEqual({ round, signal: 'SIGKILL' })
  return staged(crash.files).length
}
