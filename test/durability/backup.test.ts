// D10: a backup that is taken while 8 clients write restores to one moment, with everything acknowledged before it began.
// BACKUPS sets how many are taken (20: also 200 flips and 20 kills); TABULARIUM_SEED repeats the choices of a run.
import { randomInt } from 'node:crypto'
import { existsSync, globSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { readManifest } from '../../src/backup/manifest.ts'
import { type RestoreTask, restoreBackup } from '../../src/backup/restore-backup.ts'
import { verifyBackup } from '../../src/backup/verify-backup.ts'
import { openFileStore } from '../../src/files/stores/open-file-store.ts'
import { type BackupPlace, emptyPlace, filesBelow } from '../support/backup-place.ts'
import { kill, run, type Serving, serve, start, temporaryFolder } from '../support/process.ts'
import { randomNumbers } from '../support/trial.ts'
import { STORE_KINDS } from '../support/world.ts'
import { BackupLoad, HALVES, JOURNAL, lostIn } from './backup-load.ts'
import { age, contentsIn, flipBit, tornFiles } from './content-files.ts'

const BACKUPS = Number(process.env.BACKUPS ?? 2)
const isLong = BACKUPS >= 20
const FLIPS = isLong ? 200 : 40
const KILLS = isLong ? 20 : 3
const SEED = Number(process.env.TABULARIUM_SEED ?? randomInt(2 ** 31))
const CLIENTS = 8
const LOAD_MS = 1_500
const SETUP = ['--setup', 'test/fixtures/documents.yaml']

describe.each(STORE_KINDS)(`backups under full write load on %s (TABULARIUM_SEED=${SEED})`, (kind) => {
  const folder = temporaryFolder()
  const target = join(folder.path, 'backup')
  const random = randomNumbers(SEED)
  let place: BackupPlace
  let service: Serving | undefined

  beforeAll(async () => {
    console.log(`backup test: TABULARIUM_SEED=${SEED} BACKUPS=${BACKUPS}`)
    place = await emptyPlace(kind, join(folder.path, 'data'))
    service = await serve([...place.flags, ...SETUP])
  })
  afterAll(async () => {
    if (service) await kill(service)
    folder.remove()
  })

  const take = () => run(['backup', target, ...place.flags])
  const verify = () => run(['verify', target])
  const empty = (name: string) => emptyPlace(kind, join(folder.path, name))

  it(
    `restores each of ${BACKUPS} to one moment, with every write acknowledged before it began`,
    async () => {
      for (let round = 0; round < BACKUPS; round++) {
        // What is older than a day may be swept, if nobody refers to it.
        for (const { path } of contentsIn(join(place.data, 'files'))) age(path)
        const load = new BackupLoad(service!.address, CLIENTS, `R${round}`, random)
        await waited(LOAD_MS)
        const sweep = kind === 'postgres' ? run(['files', 'check', '--sweep', ...place.flags]) : undefined
        const taken = await take()
        await waited(LOAD_MS / 5)
        await load.stop()
        expect(load.refused).toEqual([])
        expect(taken).toMatchObject({ code: 0, stderr: '' })
        const { begun, ended } = await readManifest(target)
        const before = load.acknowledged.filter(({ at }) => at < Date.parse(begun))
        const during = load.acknowledged.filter(({ at }) => at >= Date.parse(begun) && at < Date.parse(ended))
        if (sweep) expect(await sweep).toMatchObject({ code: 0 })
        const journal = await place.query(JOURNAL)

        expect(await verify()).toMatchObject({ code: 0, stderr: '' })
        const restored = await empty(`restored-${round}`)
        expect(await run(['restore', target, ...restored.flags])).toMatchObject({ code: 0, stderr: '' })
        const files = join(restored.data, 'files')
        const kept = new Set(contentsIn(files).map(({ hash }) => hash))
        expect(await lostIn(restored.query, (hash) => kept.has(hash), before)).toEqual([])
        expect(tornFiles(files)).toEqual([])
        for (const halves of HALVES) expect(await restored.query(halves)).toEqual([])
        // Of each company the first entries and no other: the state is one that there was.
        expect(await restored.query(JOURNAL)).toEqual(prefixOf(journal, await restored.query(JOURNAL)))
        const check = await run(['files', 'check', ...restored.flags])
        expect(check).toMatchObject({ code: 0, stdout: expect.stringMatching(/ 0 missing, 0 damaged; 0 unref/) })
        console.log(
          `backup test: ${kind} ${round + 1}/${BACKUPS}: ${before.length} writes acknowledged before, none lost; ` +
            `p99 ${BackupLoad.p99(before)} ms before, ${BackupLoad.p99(during)} ms during (${during.length} writes)`,
        )
        expect(during.length).toBeGreaterThan(0)
        rmSync(restored.data, { recursive: true })
      }
    },
    60_000 + BACKUPS * 60_000,
  )

  it(
    `is refused while it is not whole, and goes on after each of ${KILLS} kills`,
    async () => {
      const fresh = join(folder.path, 'killed')
      const load = new BackupLoad(service!.address, 2, 'K', random)
      const workMs = await timeOf(join(folder.path, 'timed'))
      let interrupted = 0
      for (let round = 0; round < KILLS; round++) {
        await killed(fresh, workMs)
        // It was quicker than usual.
        if (existsSync(join(fresh, 'manifest.json'))) break
        interrupted++
        const place = await empty(`of-killed-${round}`)
        await expect(verifyBackup({ target: fresh, ...QUIET })).rejects.toThrow('is no whole backup')
        await expect(restoreBackup(restoring(fresh, place))).rejects.toThrow('is no whole backup')
        expect(existsSync(place.data)).toBe(false)
      }
      expect(await run(['backup', fresh, ...place.flags])).toMatchObject({ code: 0, stderr: '' })
      for (let round = 0; round < KILLS; round++) {
        await killed(fresh, workMs)
        // The one before it, or the new one: always a whole one.
        expect(await faultsOf(fresh)).toEqual([])
      }
      expect(await run(['backup', fresh, ...place.flags])).toMatchObject({ code: 0, stderr: '' })
      await load.stop()
      expect(readdirSync(join(fresh, 'database'))).toHaveLength(1)
      const restored = await empty('after-kills')
      await restoreBackup(restoring(fresh, restored))
      for (const halves of HALVES) expect(await restored.query(halves)).toEqual([])
      console.log(`backup test: ${kind}: ${interrupted} of ${KILLS} first backups killed in the middle, all refused`)
    },
    60_000 + KILLS * 30_000,
  )

  /** Starts a backup; `begun` resolves when it writes to the folder. */
  function starting(folder: string) {
    const states = () => (existsSync(join(folder, 'database')) ? readdirSync(join(folder, 'database')) : [])
    const before = states()
    const running = start(['backup', folder, ...place.flags])
    const isNew = (name: string) => !before.includes(name)
    return { running, begun: vi.waitUntil(() => states().some(isNew), { timeout: 20_000, interval: 2 }) }
  }

  /** How long a whole backup takes without its start. */
  async function timeOf(folder: string): Promise<number> {
    const { running, begun } = starting(folder)
    await begun
    const from = performance.now()
    expect(await running.ended).toMatchObject({ code: 0 })
    return performance.now() - from
  }

  /** Ends a backup at some moment of its work. */
  async function killed(folder: string, workMs: number): Promise<void> {
    const { running, begun } = starting(folder)
    await begun
    await waited(workMs * 0.8 * random())
    await kill(running)
  }
})

describe.each(STORE_KINDS)(`a damaged backup on %s (TABULARIUM_SEED=${SEED})`, (kind) => {
  const folder = temporaryFolder()
  const target = join(folder.path, 'backup')
  const random = randomNumbers(SEED)
  let place: BackupPlace

  beforeAll(async () => {
    const source = await emptyPlace(kind, join(folder.path, 'data'))
    const service = await serve([...source.flags, ...SETUP])
    const load = new BackupLoad(service.address, 2, 'F', random)
    await waited(800)
    await load.stop()
    expect(await run(['backup', target, ...source.flags, '--with-keys'])).toMatchObject({ code: 0 })
    await kill(service)
    place = await emptyPlace(kind, join(folder.path, 'restored'))
  })
  afterAll(() => folder.remove())

  const faults = () => faultsOf(target)
  const task = () => restoring(target, place)

  it(
    `is found by verify and by restore in each of ${FLIPS} flips and whatever file is cut or gone`,
    async () => {
      expect(await faults()).toEqual([])
      const all = globSync(`${target}/**`).filter((path) => statSync(path).isFile() && !path.includes('backup.lock'))
      const contents = all.filter((path) => /[0-9a-f]{64}$/.test(path))
      const others = all.filter((path) => !contents.includes(path) && statSync(path).size > 0)
      expect(others.length).toBeGreaterThan(3)
      for (let flip = 0; flip < FLIPS; flip++) {
        // Every other file in turn, and contents by chance.
        const path = flip % 2 === 0 ? others[(flip / 2) % others.length]! : one(contents)
        const bit = Math.floor(random() * statSync(path).size * 8)
        flipBit(path, bit)
        const told = await faults()
        expect({ path, bit, isFound: told.length > 0 }).toEqual({ path, bit, isFound: true })
        await expect(restoreBackup(task())).rejects.toThrow(/damaged|was made by another version/)
        flipBit(path, bit)
      }
      for (const path of [...others, one(contents)]) {
        const content = readFileSync(path)
        truncateSync(path, content.length - 1)
        expect({ path, isFound: (await faults()).length > 0 }).toEqual({ path, isFound: true })
        rmSync(path)
        expect({ path, isFound: (await faults()).length > 0 }).toEqual({ path, isFound: true })
        await expect(restoreBackup(task())).rejects.toThrow()
        writeFileSync(path, content)
      }
      // Nothing was begun where it would have gone.
      expect(existsSync(place.data)).toBe(false)
      expect(await faults()).toEqual([])
      const { contents: listed } = await readManifest(target)
      console.log(
        `backup test: ${kind}: ${FLIPS} of ${FLIPS} flips found in ${others.length} files, ${listed.files} contents`,
      )
    },
    60_000 + FLIPS * 2_000,
  )

  const one = (paths: readonly string[]): string => paths[Math.floor(random() * paths.length)]!

  it('is restored when it is mended, and told in one line with exit code 1 when it is not', async () => {
    const path = one(globSync(`${target}/**/*`).filter((name) => /[0-9a-f]{64}$/.test(name)))
    flipBit(path, 0)
    const verified = await run(['verify', target])
    expect(verified).toMatchObject({
      code: 1,
      stderr: '',
      stdout: expect.stringMatching(/^damaged: [0-9a-f]{64} of company EN/),
    })
    const refused = await run(['restore', target, ...place.flags])
    expect(refused).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^tabularium: .*nothing was restored: damaged: .*\n$/),
    })
    flipBit(path, 0)
    const before = filesBelow(target)
    expect((await restoreBackup(task())).keys).toBe('restored')
    // Neither looking at it nor restoring it writes to it.
    expect(filesBelow(target)).toEqual(before)
  })
})

const QUIET = { tell: () => {}, progress: () => {} }

/** All that verifying tells. */
async function faultsOf(target: string): Promise<string[]> {
  const told: string[] = []
  try {
    await verifyBackup({ ...QUIET, target, tell: (fault) => told.push(fault) })
  } catch (error) {
    told.push((error as Error).message)
  }
  return told
}

function restoring(target: string, { data, database }: BackupPlace): RestoreTask {
  const openFiles = () => openFileStore({ files: undefined, data })
  return { target, data, database, openFiles, stage: (_name, work) => work(() => {}) }
}

const waited = (ms: number) => new Promise((resume) => setTimeout(resume, ms))

type Rows = Record<string, unknown>[]

/** As many entries of each company as are restored. */
function prefixOf(journal: Rows, restored: Rows): Rows {
  const counts = Map.groupBy(restored, (row) => row.company_id)
  const seen = new Map<unknown, number>()
  return journal.filter(({ company_id: id }) => {
    seen.set(id, (seen.get(id) ?? 0) + 1)
    return seen.get(id)! <= (counts.get(id)?.length ?? 0)
  })
}
