// A mirror has at rest what its source has, and has removed nothing that was there, whatever happens and whenever.
import { expect, it } from 'vitest'
import { Simulation } from '../../support/mirror-simulation/simulation.ts'
import { reliabilityTest, SEED, triesOf } from '../../support/reliability-test.ts'

/** Each has a source of its own kind; the first three have found something, the first five have all habits. */
const SEEDS = [1003, 1007, 1_000_081, 20, 6, 1, 2, 3, 4, 5, 7, 8, 9, 10, 11, 12]
const STEPS = 1_000

it('has what its source has, after any steps of both', async () => {
  await reliabilityTest('M2', 'a mirror at rest is as its source', async () => {
    const total = { steps: 0, requests: 0, crashes: 0, rests: 0, removals: 0, takeovers: 0 }
    const rounds = triesOf({ smoke: 5, long: 100, full: 1_000 })
    for (let round = 0; round < rounds; round += 1) {
      const seed = SEEDS[round] ?? SEED + round
      const figures = await new Simulation(seed).run(STEPS)
      for (const name of Object.keys(total) as (keyof typeof total)[]) total[name] += figures[name]
    }
    expect(total.rests).toBeGreaterThan(rounds)
    const { steps, requests, crashes, rests, removals, takeovers } = total
    return `${steps} steps, ${requests} requests, ${crashes} crashes, ${takeovers} lost leases, ${removals} removals, ${rests} rests`
  })
})
