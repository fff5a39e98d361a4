// D10: backups of other versions. One of an older version is restored and migrated by the next start; one of a newer
// version is rejected without creating anything.
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { MANIFEST, printManifest, readManifest } from '../../../src/backup/manifest.ts'
import { openStore } from '../../../src/databases/open/open-store.ts'
import { type DataLocation, emptyLocation } from '../../support/data-location.ts'
import { run, temporaryFolder } from '../../support/process.ts'
import { reliabilityTest } from '../../support/reliability-test.ts'
import { FEWER_KINDS } from '../../support/world.ts'
import { makeNewer, makeOlder, stateOf } from './crash/older-databases.ts'

const REFUSED_BACKUP =
  'a newer version of Tabularium has changed the database (9999-later.since-0104): back it up with that'

describe.each(FEWER_KINDS)('D10 a backup of another version, on %s', (kind) => {
  const folder = temporaryFolder()
  afterAll(() => folder.remove())

  const placeIn = (name: string) => emptyLocation(kind, join(folder.path, name))
  const command = (name: string, target: string, { flags }: DataLocation) => run([name, target, ...flags])

  it('D10 is restored unchanged when the version is older, and then migrated', async () => {
    await reliabilityTest('D10', `a backup of an older version, on ${kind}`, async () => {
      const older = await placeIn('older')
      await makeOlder(older)
      const target = join(folder.path, 'of-older')
      expect(await command('backup', target, older)).toMatchObject({ code: 0, stderr: '' })
      const restored = await placeIn('restored')
      expect(await command('restore', target, restored)).toMatchObject({ code: 0, stderr: '' })
      expect(await stateOf(restored)).toBe(await stateOf(older))
      await opened(older)
      await opened(restored)
      expect(await stateOf(restored)).toBe(await stateOf(older))
      expect(await run(['audit', 'verify', ...restored.flags])).toMatchObject({ code: 0, stderr: '' })
      return 'restored, migrated, chain whole'
    })
  })

  it('D10 is refused when the version is newer, and nothing is created', async () => {
    await reliabilityTest('D10', `a backup of a newer version, on ${kind}`, async () => {
      const newer = await placeIn('newer')
      await opened(newer)
      expect(await run(['setup', 'test/fixtures/company.yaml', ...newer.flags])).toMatchObject({ code: 0 })
      const target = join(folder.path, 'of-newer')
      expect(await command('backup', target, newer)).toMatchObject({ code: 0, stderr: '' })
      const manifest = await readManifest(target)
      manifest.database.migrations.push('9999-later')
      writeFileSync(join(target, MANIFEST), printManifest(manifest))
      const place = await placeIn('of-newer-restored')
      const refused = await command('restore', target, place)
      expect(refused).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(/^[^\n]*newer version[^\n]*\n$/),
      })
      expect(existsSync(place.data)).toBe(false)
      return 'refused'
    })
  })

  it('D10 is not made by an older version that would leave tables out', async () => {
    await reliabilityTest('D10', `a backup of a newer schema, on ${kind}`, async () => {
      const newer = await placeIn('newer-schema')
      await opened(newer)
      expect(await run(['setup', 'test/fixtures/company.yaml', ...newer.flags])).toMatchObject({ code: 0 })
      await makeNewer(newer, '9999-later.since-0104')
      const made = await command('backup', join(folder.path, 'of-newer-schema'), newer)
      // A file is copied whole.
      if (kind === 'sqlite') expect(made).toMatchObject({ code: 0, stderr: '' })
      else expect(made).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining(REFUSED_BACKUP) })
      return kind === 'sqlite' ? 'made' : 'refused'
    })
  })
})

/** Opens and closes the store cleanly. */
async function opened({ data, database }: DataLocation): Promise<void> {
  const store = await openStore({ data, database, clock: () => new Date(), observe: () => {}, onFatal: () => {} })
  await store.close()
}
