// T6: response times do not disclose whether a document belongs to another company or does not exist. Pairs of requests
// run in sequence, in alternating order, in one process with the service.
import { describe, expect, it } from 'vitest'
import { KOPPER } from '../../support/isolation/companies.ts'
import { idsOnlyOf, NOWHERE, startIsolationWorld } from '../../support/isolation/records.ts'
import { IS_FULL, reliabilityTest, triesOf } from '../../support/reliability-test.ts'
import { STORE_KINDS, type World } from '../../support/world.ts'

const PAIRS = triesOf({ long: 300, full: 20_000 })
const WARM_UP = 100
/** The promised bound of the median difference. */
const MOST_MICROSECONDS = 50

describe.each(STORE_KINDS)('T6 timing on %s', (kind) => {
  it("answers another company's document as fast as a missing one", { timeout: 600_000 }, async () => {
    await reliabilityTest('T6', `foreign and missing documents on ${kind}`, async () => {
      const world = await startIsolationWorld(kind)
      try {
        const [foreign, missing] = await timesOf(world)
        const difference = Math.abs(medianOf(differencesOf(foreign, missing)))
        // On a shared machine a few pairs prove nothing: they are reported, not checked.
        if (IS_FULL) expect(difference).toBeLessThanOrEqual(MOST_MICROSECONDS)
        const [one, other] = [medianOf(foreign), medianOf(missing)].map((time) => time.toFixed(1))
        return `${PAIRS} pairs, median ${one} and ${other} us, difference ${difference.toFixed(1)} us`
      } finally {
        await world.stop()
      }
    })
  })
})

async function timesOf(world: World): Promise<readonly [foreign: number[], missing: number[]]> {
  const times: readonly [number[], number[]] = [[], []]
  const ids = [idsOnlyOf(KOPPER.letter).document, idsOnlyOf(NOWHERE).document] as const
  for (let pair = -WARM_UP; pair < PAIRS; pair++) {
    for (const at of pair % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      const startedAt = performance.now()
      const { status } = await world.send({ as: 'writer-JASPER', url: `/v1/documents/${ids[at]}` })
      const time = (performance.now() - startedAt) * 1_000
      expect(status).toBe(404)
      if (pair >= 0) times[at].push(time)
    }
  }
  return times
}

/** Differences of two pairs, one in each order, so that the order and short disturbances cancel out. */
function differencesOf(foreign: readonly number[], missing: readonly number[]): number[] {
  const differences = foreign.map((time, at) => time - (missing[at] ?? 0))
  return differences.slice(1).map((difference, at) => (difference + (differences[at] ?? 0)) / 2)
}

function medianOf(times: readonly number[]): number {
  const sorted = [...times].sort((one, other) => one - other)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}
