// D10: a backup that is taken while 8 clients write restores to one snapshot, which includes every write acknowledged
// before it started.
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { readManifest } from '../../../src/backup/manifest.ts'
import { restoreBackup } from '../../../src/backup/restore-backup.ts'
import { verifyBackup } from '../../../src/backup/verify-backup.ts'
import { type DataLocation, emptyLocation } from '../../support/data-location.ts'
import { kill, run, type Serving, serve, start, temporaryFolder } from '../../support/process.ts'
import { randomNumbers, reliabilityTest, SEED, triesOf } from '../../support/reliability-test.ts'
import { FEWER_KINDS } from '../../support/world.ts'
import { age, contentsIn, tornFiles } from './content-files.ts'
import { type Acknowledged, afterGaps, BackupLoad, HALVES, JOURNAL, lookIn } from './crash/backup-load.ts'
import { faultsOf, QUIET, restoring, waited } from './crash/backups.ts'

const BACKUPS = triesOf({ long: 1, full: 20 })
const KILLS = triesOf({ long: 1, full: 20 })
const CLIENTS = 8
/** The pause of the clients beside killed backups, which take longer than there is to write. */
const KILLED_PAUSE_MS = 20
/** Writes before a backup starts; a few more follow it. */
const WRITES = triesOf({ long: 80, full: 800 })
const SETUP = ['--setup', 'test/fixtures/documents.yaml']

describe.each(FEWER_KINDS)('D10 backups under full write load on %s', (kind) => {
  const folder = temporaryFolder()
  const target = join(folder.path, 'backup')
  const random = randomNumbers(SEED)
  let place: DataLocation
  let service: Serving | undefined

  beforeAll(async () => {
    place = await emptyLocation(kind, join(folder.path, 'data'))
    service = await serve([...place.flags, ...SETUP])
  })
  afterAll(async () => {
    if (service) await kill(service)
    folder.remove()
  })

  const take = () => run(['backup', target, ...place.flags])
  const verify = () => run(['verify', target])
  const empty = (name: string) => emptyLocation(kind, join(folder.path, name))

  /** Takes a backup during writes, and restores it. */
  async function oneBackup(round: number): Promise<{ before: Acknowledged[]; during: Acknowledged[] }> {
    // Unreferenced contents that are older than a day may be swept.
    for (const { path } of contentsIn(join(place.data, 'files'))) age(path)
    const load = new BackupLoad(service!.address, CLIENTS, `R${round}`, random)
    await load.go(WRITES)
    const sweep = kind === 'postgres' ? run(['files', 'sweep', ...place.flags]) : undefined
    const taken = await take()
    await load.go(WRITES / 5)
    await load.stop()
    expect(load.refused).toEqual([])
    expect(taken).toMatchObject({ code: 0, stderr: '' })
    if (sweep) expect(await sweep).toMatchObject({ code: 0 })

    expect(await verify()).toMatchObject({ code: 0, stderr: '' })
    const restored = await empty(`restored-${round}`)
    expect(await run(['restore', target, ...restored.flags])).toMatchObject({ code: 0, stderr: '' })
    const { begun, ended } = await readManifest(target)
    const before = load.acknowledged.filter(({ at }) => at < Date.parse(begun))
    // A small backup may end before any write does: those that are under way count.
    const during = load.acknowledged.filter(
      ({ at, tookMs }) => at >= Date.parse(begun) && at - tookMs <= Date.parse(ended),
    )
    await expectMoment(restored, before, load.acknowledged)
    rmSync(restored.data, { recursive: true })
    return { before, during }
  }

  /** The restored store equals a snapshot of the original after all the writes of `before`. */
  async function expectMoment(restored: DataLocation, before: readonly Acknowledged[], all: readonly Acknowledged[]) {
    const files = join(restored.data, 'files')
    const stored = new Set(contentsIn(files).map(({ hash }) => hash))
    const isThere = await lookIn(restored.query, (hash) => stored.has(hash))
    expect(before.filter((write) => !isThere(write))).toEqual([])
    expect(afterGaps(all, isThere)).toEqual([])
    expect(tornFiles(files)).toEqual([])
    for (const halves of HALVES) expect(await restored.query(halves)).toEqual([])
    // For each company the first entries and no others.
    const journal = await restored.query(JOURNAL)
    expect(journal).toEqual(prefixOf(await place.query(JOURNAL), journal))
    const check = await run(['files', 'check', ...restored.flags])
    expect(check).toMatchObject({ code: 0, stdout: expect.stringMatching(/ 0 missing, 0 damaged; 0 unref/) })
  }

  it(
    'D10 restores each to one snapshot, with every write acknowledged before it started',
    async () => {
      await reliabilityTest('D10', `a backup is one moment, taken while it is written, on ${kind}`, async () => {
        const writes = { before: [] as Acknowledged[], during: [] as Acknowledged[] }
        for (let round = 0; round < BACKUPS; round++) {
          const { before, during } = await oneBackup(round)
          writes.before.push(...before)
          writes.during.push(...during)
        }
        expect(writes.during.length).toBeGreaterThan(0)
        const [before, during] = [BackupLoad.p99(writes.before), BackupLoad.p99(writes.during)]
        return (
          `${BACKUPS} backups restored, ${writes.before.length} writes acknowledged before them, none lost; ` +
          `p99 of writes ${before} ms before, ${during} ms during (${writes.during.length} writes), ` +
          `${(during / before).toFixed(1)} times as long`
        )
      })
    },
    600_000 + BACKUPS * 60_000,
  )

  it(
    'D10 is refused while it is incomplete, and goes on after each kill',
    async () => {
      await reliabilityTest('D10', `a backup that was killed is none, on ${kind}`, async () => {
        const fresh = join(folder.path, 'killed')
        const load = new BackupLoad(service!.address, 2, 'K', random, KILLED_PAUSE_MS)
        const workMs = await timeOf(join(folder.path, 'timed'))
        const interrupted = await killedFirst(fresh, workMs)
        expect(await run(['backup', fresh, ...place.flags])).toMatchObject({ code: 0, stderr: '' })
        for (let round = 0; round < KILLS; round++) {
          await killed(fresh, workMs)
          // Either the previous backup or the new one, always complete.
          expect(await faultsOf(fresh)).toEqual([])
        }
        expect(await run(['backup', fresh, ...place.flags])).toMatchObject({ code: 0, stderr: '' })
        await load.stop()
        expect(readdirSync(join(fresh, 'database'))).toHaveLength(1)
        const restored = await empty('after-kills')
        await restoreBackup(restoring(fresh, restored))
        for (const halves of HALVES) expect(await restored.query(halves)).toEqual([])
        return `${2 * KILLS} kills, ${interrupted} of ${KILLS} first backups killed in the middle, all refused`
      })
    },
    600_000 + KILLS * 90_000,
  )

  /** Kills the first backups into a folder; returns how many were incomplete. */
  async function killedFirst(fresh: string, workMs: number): Promise<number> {
    for (let round = 0; round < KILLS; round++) {
      await killed(fresh, workMs)
      // The backup finished before it was killed.
      if (existsSync(join(fresh, 'manifest.json'))) return round
      const place = await empty(`of-killed-${round}`)
      await expect(verifyBackup({ target: fresh, ...QUIET })).rejects.toThrow('is no whole backup')
      await expect(restoreBackup(restoring(fresh, place))).rejects.toThrow('is no whole backup')
      expect(existsSync(place.data)).toBe(false)
    }
    return KILLS
  }

  /** Resolves when a backup begins to write to the folder. */
  function begunIn(folder: string): Promise<unknown> {
    const states = () => (existsSync(join(folder, 'database')) ? readdirSync(join(folder, 'database')) : [])
    const before = states()
    const isNew = (name: string) => !before.includes(name)
    return vi.waitUntil(() => states().some(isNew), { timeout: 120_000, interval: 2 })
  }

  /** The duration of a complete backup without the start of the process. */
  async function timeOf(folder: string): Promise<number> {
    const begun = begunIn(folder)
    const taken = run(['backup', folder, ...place.flags])
    await begun
    const from = performance.now()
    expect(await taken).toMatchObject({ code: 0 })
    return performance.now() - from
  }

  /** Kills a backup at some point of its work. */
  async function killed(folder: string, workMs: number): Promise<void> {
    const begun = begunIn(folder)
    const running = start(['backup', folder, ...place.flags])
    await begun
    await waited(workMs * 0.8 * random())
    await kill(running)
  }
})

type Rows = Record<string, unknown>[]

/** The original's first entries of each company, as many as were restored. */
function prefixOf(journal: Rows, restored: Rows): Rows {
  const counts = Map.groupBy(restored, (row) => row.company_id)
  const seen = new Map<unknown, number>()
  return journal.filter(({ company_id: id }) => {
    seen.set(id, (seen.get(id) ?? 0) + 1)
    return seen.get(id)! <= (counts.get(id)?.length ?? 0)
  })
}
