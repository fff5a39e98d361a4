// The forms in which tests run, and what reports the reliability tests. `npm test` runs a smoke form of each claim, always
// with the same seed and in the first of several ways. RELIABILITY=long (npm run test:long) tries more often, in all ways
// and with a new seed; RELIABILITY=full runs as many tries as docs/reliability.md reports. Both append their results to
// test/reliability/results.csv. TABULARIUM_TIMES multiplies the number of tries, TABULARIUM_SEED reproduces a run.
import { execFileSync } from 'node:child_process'
import { appendFileSync } from 'node:fs'
import { it } from 'vitest'

export const IS_FULL = process.env.RELIABILITY === 'full'
export const IS_LONG = IS_FULL || process.env.RELIABILITY === 'long'
/** A test of many or large things, or of long waits, which only the long form runs. */
export const longIt = it.runIf(IS_LONG)
/** Any number, but the same one in each `npm test`. */
const FIXED_SEED = 20_261_127
/** The long forms have a new one each time, which vitest.config.ts chooses for all processes. */
export const SEED = Number(process.env.TABULARIUM_SEED ?? FIXED_SEED)

const RESULTS = 'test/reliability/results.csv'
/** The maximum length of a recorded failure, in characters. */
const LONGEST_FAULT = 300
const TIMES = Number(process.env.TABULARIUM_TIMES ?? 1)

/** So many times fewer tries than the long form has the smoke form. */
const SMOKE_SHARE = 10

/** The number of rounds in each form. */
export interface Tries {
  /** Absent: a share of the long form. */
  readonly smoke?: number
  readonly long: number
  readonly full: number
}

export function triesOf({ long, smoke = long / SMOKE_SHARE, full }: Tries): number {
  const tries = IS_FULL ? full : IS_LONG ? long : smoke
  return Math.ceil(tries * TIMES)
}

/** For what need not be done in all ways each time: the first of them in the smoke form. */
export function firstOf<T>(all: readonly T[]): readonly T[] {
  return IS_LONG ? all : all.slice(0, 1)
}

/** A generator of numbers in [0, 1) (Mulberry32), reproducible by its seed. */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/**
 * Runs one reliability test and reports its verdict. `run` throws when the claim does not hold, and returns the
 * measured numbers, such as `500 rounds, 32,000 requests`.
 */
export async function reliabilityTest(id: string, what: string, run: () => Promise<string>): Promise<void> {
  let measurements = ''
  let verdict = 'FAILED'
  try {
    measurements = await run()
    verdict = 'held'
  } catch (error) {
    measurements = firstLineOf(error)
    throw error
  } finally {
    console.info(`${id} ${what}: ${measurements}, seed ${SEED}: ${verdict}`)
    if (IS_LONG)
      append([new Date().toISOString().slice(0, 10), commit(), id, what, measurements, String(SEED), verdict])
  }
}

function firstLineOf(error: unknown): string {
  const [line = ''] = String(error).split('\n')
  return line.slice(0, LONGEST_FAULT)
}

function append(cells: readonly string[]): void {
  appendFileSync(RESULTS, `${cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')}\n`)
}

function commit(): string {
  return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
}
