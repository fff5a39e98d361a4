// Each system call of a write fails in turn: nothing is acknowledged that may be lost, and nothing is a bug.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { firstOf, randomNumbers, reliabilityTest, SEED, triesOf } from '../../support/reliability-test.ts'
import { Archive, SOUND } from './disk/archive.ts'
import { isAnswer, nameOf, pointsOf, spread, type WritePoint } from './disk/points.ts'
import { harm, hasStrace, struckBy } from './disk/strace.ts'
import type { Attempt } from './disk/writes.ts'

const ERRORS = ['EIO', 'ENOSPC'] as const
/** How many calls fail with each error. In full: more than there are calls, so each. */
const POINTS = triesOf({ long: 4, full: 1_000 })
const FATAL_EXIT_CODE = 70

type Tried = Record<'refused' | 'acknowledged' | 'ended' | 'untouched', number>

if (!hasStrace) console.warn('D4: skipped, because strace is not installed, or may not look into a process')

describe.skipIf(!hasStrace)('D4 the system calls of a write', () => {
  const archive = new Archive()
  beforeAll(() => archive.open())
  afterAll(() => archive.close())

  it.each(firstOf(ERRORS))(
    'D4 may each fail with %s',
    async (error) => {
      await reliabilityTest('D4', `a system call fails with ${error}: 503, never a false 201`, async () => {
        const all = (await pointsOf(archive)).filter((point) => !isAnswer(point))
        const tried = { refused: 0, acknowledged: 0, ended: 0, untouched: 0 }
        const points = new Set([...telling(all), ...spread(all, POINTS, randomNumbers(SEED))])
        for (const point of points) await failAt(point, error, tried)
        const { code, stdout } = await archive.check()
        expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(SOUND) })
        await archive.start()
        const { refused, acknowledged, ended, untouched } = tried
        return (
          `${all.length} points in 3 writes, ${refused + acknowledged} errors, ${refused} writes refused, ` +
          `${acknowledged} lasting all the same, ${ended} ends of the process, ${untouched} not reached`
        )
      })
    },
    600_000 + POINTS * 5_000,
  )

  async function failAt(point: WritePoint, error: (typeof ERRORS)[number], tried: Tried): Promise<void> {
    const harmed = await harm(archive.pid, point, `error=${error}`)
    const write = await archive.attempt(point.write)
    const isAcknowledged = write.status === 201
    const isFatal = endsTheProcess(point, error) && !isAcknowledged
    const later = isFatal ? await refusedToTheEnd() : []
    const struck = struckBy(await harmed.detach())
    if (!struck?.includes(archive.folder)) {
      tried.untouched++
      if (struck) await startAgain()
      else expect({ point: nameOf(point), isAcknowledged }).toMatchObject({ isAcknowledged: true })
      return
    }
    expect(isAcknowledged, `${nameOf(point)}, which struck ${struck}`).toBe(isHarmless(struck))
    if (isFatal) {
      expect({ point: nameOf(point), code: (await archive.ended).code }).toEqual({
        point: nameOf(point),
        code: FATAL_EXIT_CODE,
      })
      await archive.start()
      tried.ended++
    }
    await expectHonest(point, write, isFatal)
    for (const one of later) expect(await archive.found(one)).toBe('nothing')
    expect({ point: nameOf(point), faults: [...archive.faults(), ...archive.staged()] }).toMatchObject({ faults: [] })
    const next = await archive.attempt(point.write)
    expect({ point: nameOf(point), status: next.status, found: await archive.found(next) }).toMatchObject({
      status: 201,
      found: 'all',
    })
    if (isAcknowledged) tried.acknowledged++
    else tried.refused++
  }

  /** The pool's threads wake the main thread by a write, how often varies; Node ends when that fails, and no disk did. */
  async function startAgain(): Promise<void> {
    await archive.kill()
    await archive.start()
    expect([...archive.faults(), ...archive.staged()]).toEqual([])
  }

  /** What was acknowledged is there; what was refused is not, unless the process has ended and could not know. */
  async function expectHonest(point: WritePoint, write: Attempt, isFatal: boolean): Promise<void> {
    const isKnown = !isFatal || write.text?.includes('Nothing was written')
    const found = await archive.found(write)
    const answer = { point: nameOf(point), status: write.status, retryAfter: (write.retryAfter ?? 0) > 0, found }
    if (write.status === 201) {
      expect(answer).toMatchObject({ found: 'all' })
      return
    }
    // Nobody is left in doubt about what is known.
    if (!isFatal) expect(write.text).not.toContain('may be there or not')
    const unheard = isKnown ? 'nothing' : expect.stringMatching(/^(all|nothing)$/)
    expect(answer).toEqual({ point: nameOf(point), status: 503, retryAfter: true, found: unheard })
  }

  /** Writes after a disk has failed under the database, until the process is gone. */
  async function refusedToTheEnd(): Promise<Attempt[]> {
    const later: Attempt[] = []
    while (later.at(-1)?.status !== undefined || later.length === 0) {
      const write = await archive.attempt('record')
      expect(write.status).toBeOneOf([503, undefined])
      later.push(write)
    }
    return later
  }
})

/** What the database has written may be lost. That there is no room for a page is told before anything is. */
function endsTheProcess({ kind, text }: WritePoint, error: string): boolean {
  return text.includes('tabularium.db') && (error !== 'ENOSPC' || kind === 'fsync' || kind === 'fdatasync')
}

/** Always tried: a part of a content, a page of the database's log, and a commit that is not synced. */
function telling(all: readonly WritePoint[]): WritePoint[] {
  const ofDocuments = all.filter(({ write }) => write === 'document')
  const page = ofDocuments.find(({ kind, text }) => kind === 'pwrite64' && text.includes('tabularium.db-wal'))
  const isOther = ({ kind, text }: WritePoint) =>
    (kind === 'write' && text.includes('/staging/')) || (kind === 'fsync' && text.includes('tabularium.db'))
  return [...(page ? [page] : []), ...ofDocuments.filter(isOther)]
}

/** A checkpoint, which now and then follows a commit: what it cannot copy from the log stays there. */
function isHarmless(struck: string): boolean {
  return struck.includes('/tabularium.db>')
}
