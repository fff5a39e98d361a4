// The reliability tests: each has an id, a seed and a number of rounds, and reports its result in one line. `npm test`
// runs a short form of each. `RELIABILITY=full` (npm run test:reliability) runs the full form and appends the result to
// test/reliability/results.csv. TABULARIUM_TIMES multiplies the number of rounds, TABULARIUM_SEED reproduces a run, and
// TABULARIUM_WAYS=all does in all ways what the short form does in one.
import { execFileSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { appendFileSync } from 'node:fs'

export const IS_FULL = process.env.RELIABILITY === 'full'
export const SEED = Number(process.env.TABULARIUM_SEED ?? randomInt(2 ** 31))

const RESULTS = 'test/reliability/results.csv'
/** The maximum length of a recorded failure, in characters. */
const LONGEST_FAULT = 300
const TIMES = Number(process.env.TABULARIUM_TIMES ?? 1)

/** The number of rounds: in `npm test`, and in the full form. */
export interface Tries {
  readonly short: number
  readonly full: number
}

export function triesOf({ short, full }: Tries): number {
  return Math.ceil((IS_FULL ? full : short) * TIMES)
}

const IN_ALL_WAYS = IS_FULL || process.env.TABULARIUM_WAYS === 'all'

/** In the short form the one of these that the seed names: for what need not be done in all ways each time. */
export function oneOf<T>(all: readonly T[]): readonly T[] {
  const at = SEED % all.length
  return IN_ALL_WAYS ? all : all.slice(at, at + 1)
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
    if (IS_FULL)
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
