// D3: the service is killed before each system call of a write in turn; and the order of these calls is checked.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { randomNumbers, reliabilityTest, SEED, triesOf } from '../../support/reliability-test.ts'
import { Archive, SOUND } from './disk/archive.ts'
import { orderFaults } from './disk/order.ts'
import { callsOf, nameOf, pointsOf, spread, type WritePoint } from './disk/points.ts'
import { harm, hasStrace, wasKilled } from './disk/strace.ts'
import { WRITE_KINDS } from './disk/writes.ts'

/** In full: more than there are calls, so each. */
const POINTS = triesOf({ long: 3, full: 1_000 })

if (!hasStrace) console.warn('D3: skipped, because strace is not installed, or may not look into a process')

describe.skipIf(!hasStrace)('D3 the system calls of a write', () => {
  const archive = new Archive()
  beforeAll(() => archive.open())
  afterAll(() => archive.close())

  it('D3 are in an order that survives a power cut', async () => {
    await reliabilityTest('D3', 'each step of a write is on the disk before the next', async () => {
      let count = 0
      for (const write of WRITE_KINDS) {
        const calls = await callsOf(archive, write)
        expect({ write, faults: orderFaults(calls, archive.folder) }).toEqual({ write, faults: [] })
        expect(calls.some(({ kind }) => kind === 'rename')).toBe(write !== 'record')
        count += calls.length
      }
      return `${WRITE_KINDS.length} writes, ${count} system calls`
    })
  })

  it(
    'D3 may each be the last one',
    async () => {
      await reliabilityTest('D3', 'killed before a system call, a write is there whole or not at all', async () => {
        const all = await pointsOf(archive)
        const tried = { all: 0, nothing: 0, leftovers: 0, untouched: 0 }
        const points = new Set([...all.filter(isTelling), ...spread(all, POINTS, randomNumbers(SEED))])
        for (const point of points) await killAt(point, tried)
        for (const point of POINTS < all.length ? [] : lastPages(all)) {
          for (let nth = point.nth + 1; await killAt({ ...point, nth }, tried); nth++);
        }
        const { code, stdout } = await archive.check()
        expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(SOUND) })
        return (
          `${all.length} points in 3 writes, ${tried.all + tried.nothing} kills, ${tried.all} writes there, ` +
          `${tried.nothing} not, ${tried.leftovers} leftovers swept, ${tried.untouched} not reached`
        )
      })
    },
    600_000 + POINTS * 5_000,
  )

  /** Returns false when the write finished without such a call. */
  async function killAt(point: WritePoint, tried: Record<'all' | 'nothing' | 'leftovers' | 'untouched', number>) {
    const harmed = await harm(archive.pid, point, 'signal=SIGKILL')
    const write = await archive.attempt(point.write)
    if (write.status === undefined) expect((await archive.ended).signal).toBe('SIGKILL')
    const isKilled = wasKilled(await harmed.detach())
    if (isKilled) {
      await archive.ended
      tried.leftovers += archive.staged().length
      await archive.start()
    }
    const found = await archive.found(write)
    const faults = [...archive.faults(), ...archive.staged()]
    expect({ point: nameOf(point), found, faults }).toEqual({
      point: nameOf(point),
      found: write.status === undefined ? expect.stringMatching(/^(all|nothing)$/) : 'all',
      faults: [],
    })
    expect(write.status).toBeOneOf(isKilled ? [201, undefined] : [201])
    if (!isKilled) tried.untouched++
    else if (found === 'all') tried.all++
    else tried.nothing++
    return isKilled
  }
})

/** Always tested: a content that is complete and has no name yet. */
function isTelling({ write, kind }: WritePoint): boolean {
  return write === 'document' && kind === 'rename'
}

/** The number of pages that a commit writes varies; for each write the last recorded one. */
function lastPages(points: readonly WritePoint[]): WritePoint[] {
  const pages = points.filter(({ kind }) => kind === 'pwrite64')
  return [...new Map(pages.map((point) => [point.write, point])).values()]
}
