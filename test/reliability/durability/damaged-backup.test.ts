// D10: every changed, truncated or missing file of a backup is detected, by verify and by restore.
import { existsSync, globSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readManifest } from '../../../src/backup/manifest.ts'
import { restoreBackup } from '../../../src/backup/restore-backup.ts'
import { type DataLocation, emptyLocation, filesBelow } from '../../support/data-location.ts'
import { kill, run, serve, temporaryFolder } from '../../support/process.ts'
import { randomNumbers, reliabilityTest, SEED, triesOf } from '../../support/reliability-test.ts'
import { FEWER_KINDS } from '../../support/world.ts'
import { flipBit } from './content-files.ts'
import { BackupLoad } from './crash/backup-load.ts'
import { faultsOf, restoring } from './crash/backups.ts'

const FLIPS = triesOf({ long: 24, full: 200 })
const WRITES = triesOf({ long: 40, full: 300 })
const SETUP = ['--setup', 'test/fixtures/documents.yaml']

describe.each(FEWER_KINDS)('D10 a damaged backup on %s', (kind) => {
  const folder = temporaryFolder()
  const target = join(folder.path, 'backup')
  const random = randomNumbers(SEED)
  let place: DataLocation

  beforeAll(async () => {
    const source = await emptyLocation(kind, join(folder.path, 'data'))
    const service = await serve([...source.flags, ...SETUP])
    const load = new BackupLoad(service.address, 2, 'F', random)
    await load.go(WRITES)
    await load.stop()
    expect(await run(['backup', target, ...source.flags])).toMatchObject({ code: 0 })
    await kill(service)
    place = await emptyLocation(kind, join(folder.path, 'restored'))
  })
  afterAll(() => folder.remove())

  const faults = () => faultsOf(target)
  const task = () => restoring(target, place)

  it(
    'D10 is found by verify and by restore, whatever bit is changed and whatever file is cut or gone',
    async () => {
      await reliabilityTest('D10', `a damaged backup is found out, on ${kind}`, async () => {
        expect(await faults()).toEqual([])
        const all = globSync(`${target}/**`).filter((path) => statSync(path).isFile() && !path.includes('backup.lock'))
        const contents = all.filter((path) => /[0-9a-f]{64}$/.test(path))
        const others = all.filter((path) => !contents.includes(path) && statSync(path).size > 0)
        // The manifest, the database and the list of contents.
        expect(others.length).toBeGreaterThanOrEqual(3)
        // Every other file in turn, and random contents.
        for (let flip = 0; flip < FLIPS; flip++) {
          await expectFlipFound(flip % 2 === 0 ? others[(flip / 2) % others.length]! : one(contents))
        }
        for (const path of [...others, one(contents)]) await expectCutFound(path)
        // Nothing was created at the target.
        expect(existsSync(place.data)).toBe(false)
        expect(await faults()).toEqual([])
        const { contents: listed } = await readManifest(target)
        return `${FLIPS} of ${FLIPS} flips found in ${others.length} files, ${listed.files} contents`
      })
    },
    600_000 + FLIPS * 2_000,
  )

  async function expectFlipFound(path: string): Promise<void> {
    const bit = Math.floor(random() * statSync(path).size * 8)
    flipBit(path, bit)
    const reported = await faults()
    expect({ path, bit, isFound: reported.length > 0 }).toEqual({ path, bit, isFound: true })
    await expect(restoreBackup(task())).rejects.toThrow(/damaged|was made by another version/)
    flipBit(path, bit)
  }

  async function expectCutFound(path: string): Promise<void> {
    const content = readFileSync(path)
    truncateSync(path, content.length - 1)
    expect({ path, isFound: (await faults()).length > 0 }).toEqual({ path, isFound: true })
    rmSync(path)
    expect({ path, isFound: (await faults()).length > 0 }).toEqual({ path, isFound: true })
    await expect(restoreBackup(task())).rejects.toThrow()
    writeFileSync(path, content)
  }

  const one = (paths: readonly string[]): string => paths[Math.floor(random() * paths.length)]!

  it('D10 is restored when it is repaired, and reported in one line with exit code 1 when it is not', async () => {
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
    expect(await restoreBackup(task())).toEqual(await readManifest(target))
    // Neither verifying nor restoring a backup writes to it.
    expect(filesBelow(target)).toEqual(before)
  })
})
