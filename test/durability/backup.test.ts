// D10: a backup that is taken while 8 clients write restores to one moment, with everything acknowledged before it began.
// BACKUPS sets how many are taken (20: also 200 flips and 20 kills); TABULARIUM_SEED repeats the choices of a run.
import { randomInt } from 'node:crypto'
import { existsSync, globSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readManifest } from '../../src/backup/manifest.ts'
import { type RestoreTask, restoreBackup } from '../../src/backup/restore-backup.ts'
import { verifyBackup } from '../../src/backup/verify-backup.ts'
import { openFileStore } from '../../src/files/stores/open-file-store.ts'
import { type BackupPlace, emptyPlace, filesBelow } from '../support/backup-place.ts'
import { kill, run, type Serving, serve, start, temporaryFolder } from '../support/process.ts'
import { STORE_KINDS } from '../support/world.ts'
import { BackupLoad, HALVES, JOURNAL, lostIn } from './backup-load.ts'
import { age, contentsIn, flipBit, tornFiles } from './content-files.ts'
import { randomNumbers } from './document-client.ts'

const BACKUPS = Number(process.env.BACKUPS ?? 2)
const isLong = BACKUPS >= 20
const FLIPS = isLong ? 200 : 40
const KILLS = isLong ? 20 : 4
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
        const before = [...load.acknowledged]
        const sweep = kind === 'postgres' ? run(['files', 'check', '--sweep', ...place.flags]) : undefined
        const taken = await take()
        const during = load.acknowledged.slice(before.length)
        await waited(LOAD_MS / 5)
        await load.stop()
        expect(load.refused).toEqual([])
        expect(taken).toMatchObject({ code: 0, stderr: '' })
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
      }
    },
    60_000 + BACKUPS * 60_000,
  )

  it(
    `is refused while it is not whole, and goes on after each of ${KILLS} kills`,
    async () => {
      const fresh = join(folder.path, 'killed')
      const load = new BackupLoad(service!.address, 2, 'K', random)
      const begun = performance.now()
      expect(await run(['backup', join(folder.path, 'timed'), ...place.flags])).toMatchObject({ code: 0 })
      const wholeMs = performance.now() - begun
      let interrupted = 0
      for (let round = 0; round < KILLS; round++) {
        const running = start(['backup', fresh, ...place.flags])
        await waited(wholeMs * (0.3 + 0.65 * random()))
        const { signal } = await kill(running)
        if (existsSync(join(fresh, 'manifest.json'))) break
        if (signal === 'SIGKILL' && existsSync(fresh)) interrupted++
        expect(await run(['verify', fresh])).toMatchObject({ code: 1, stdout: expect.stringContaining('is no whole') })
        const restored = await empty(`of-killed-${round}`)
        const refused = await run(['restore', fresh, ...restored.flags])
        expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('is no whole backup') })
        expect(existsSync(restored.data)).toBe(false)
      }
      expect(await run(['backup', fresh, ...place.flags])).toMatchObject({ code: 0, stderr: '' })
      expect(await run(['verify', fresh])).toMatchObject({ code: 0 })
      for (let round = 0; round < KILLS; round++) {
        const running = start(['backup', fresh, ...place.flags])
        await waited(wholeMs * (0.3 + 0.65 * random()))
        await kill(running)
        // The one before it, or the new one: always a whole one.
        expect(await run(['verify', fresh])).toMatchObject({ code: 0 })
      }
      expect(await run(['backup', fresh, ...place.flags])).toMatchObject({ code: 0, stderr: '' })
      await load.stop()
      expect(readdirSync(join(fresh, 'database'))).toHaveLength(1)
      const restored = await empty('after-kills')
      expect(await run(['restore', fresh, ...restored.flags])).toMatchObject({ code: 0, stderr: '' })
      for (const halves of HALVES) expect(await restored.query(halves)).toEqual([])
      console.log(`backup test: ${kind}: ${interrupted} of ${KILLS} first backups killed in the middle, all refused`)
    },
    60_000 + KILLS * 30_000,
  )
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

  const task = (): RestoreTask => ({
    target,
    data: place.data,
    database: place.database,
    openFiles: () => openFileStore({ files: undefined, data: place.data }),
    stage: (_name, work) => work(() => {}),
  })

  async function faults(): Promise<string[]> {
    const told: string[] = []
    try {
      await verifyBackup({ target, tell: (fault) => told.push(fault), progress: () => {} })
    } catch (error) {
      told.push((error as Error).message)
    }
    return told
  }

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
