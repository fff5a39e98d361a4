// Interrupts the database of a running service repeatedly while it writes.
import { expect } from 'vitest'
import { kill, serve } from '../../../support/process.ts'
import { randomNumbers, SEED } from '../../../support/reliability-test.ts'
import type { CrashRun } from './crash-run.ts'

/** The delay between two outages, so that writes of every kind are in progress. */
const BETWEEN_MS = [50, 400] as const
const LOOK_ROUNDS = 10
/** The time limit for a database to recover on a busy machine. */
const BACK_WITHIN_MS = 120_000

/** `strike` causes an outage. Returns the measurements. */
export async function outages(
  crash: CrashRun,
  count: number,
  strike: (random: () => number) => Promise<void>,
): Promise<string> {
  const random = randomNumbers(SEED)
  const [before, backMs]: [number, number[]] = [crash.acknowledged, []]
  const [unavailable, broken] = [crash.unavailable, crash.broken]
  const service = await serve(crash.place.flags)
  try {
    for (let done = 0; done < count; done += LOOK_ROUNDS) {
      let isOver = false
      const writing = crash.write(service.address, () => isOver)
      for (let round = done; round < Math.min(count, done + LOOK_ROUNDS); round++) {
        await new Promise((resume) => setTimeout(resume, BETWEEN_MS[0] + random() * (BETWEEN_MS[1] - BETWEEN_MS[0])))
        await strike(random)
        backMs.push(await untilWritten(crash))
      }
      isOver = true
      await writing
      expect(await crash.lost(service.address)).toEqual([])
    }
    expect({ refused: crash.refused, exit: service.child.exitCode }).toEqual({ refused: [], exit: null })
  } finally {
    await kill(service)
  }
  await crash.expectWhole()
  return (
    `${count} outages, ${crash.acknowledged - before} writes acknowledged, none lost; ` +
    `${crash.unavailable - unavailable} answers 503, ${crash.broken - broken} broken connections; ` +
    `writing again after at most ${Math.max(...backMs)} ms`
  )
}

/** Returns the time until a write that was sent after the outage is acknowledged. */
async function untilWritten(crash: CrashRun): Promise<number> {
  const from = performance.now()
  const before = crash.acknowledged
  // A client may read an answer from before the outage only now.
  while (crash.acknowledged < before + 10) {
    if (performance.now() - from > BACK_WITHIN_MS) throw new Error('nothing is written any more after an outage')
    await new Promise((resume) => setTimeout(resume, 5))
  }
  return Math.round(performance.now() - from)
}
