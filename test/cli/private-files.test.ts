// What the service keeps is for its own user alone, whatever the umask of its process is.
import { chmodSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { Place, sendAll } from '../support/place.ts'
import { run, temporaryFolder } from '../support/process.ts'
import { longIt } from '../support/reliability-test.ts'
import { STORE_KINDS } from '../support/world.ts'

it('no file and no folder of the data folder is readable for others, also when they were before', async () => {
  const usual = process.umask(0)
  const place = await Place.make('sqlite', 'test/fixtures/life-cycle.yaml')
  const folder = place.folder.path
  const readable = () => readableIn(folder)
  try {
    await place.up()
    await sendAll(place, [
      [
        'POST',
        'documents',
        { docType: 'NOTE', title: 'One', fileName: 'a.txt', fileContent: Buffer.from('a text').toString('base64') },
      ],
    ])
    const range = { range: 'bytes=0-' }
    expect((await place.send('GET', 'objects/customers?$format=parquet', undefined, 'EN', range)).status).toBe(206)
    expect(readdirSync(folder)).toEqual(
      expect.arrayContaining(['tabularium.db', 'tabularium.db-wal', 'files', 'spool']),
    )
    expect(readable()).toEqual([])
    await place.down()
    chmodSync(join(folder, 'tabularium.db'), 0o644)
    await place.up()
    await sendAll(place, [
      ['POST', 'attribute-values', { attributeId: 'C1', attributeValue: 'P1', description: 'One' }],
    ])
    expect(readable()).toEqual([])
  } finally {
    process.umask(usual)
    await place.remove()
  }
})

longIt.each(STORE_KINDS)('no file of a backup on %s, and none of what is restored from it', async (kind) => {
  const usual = process.umask(0)
  const [place, target] = [await Place.make(kind, 'test/fixtures/life-cycle.yaml'), temporaryFolder()]
  const empty = await place.emptyPlace()
  try {
    await place.up()
    const fileContent = Buffer.from('a text').toString('base64')
    await sendAll(place, [['POST', 'documents', { docType: 'NOTE', title: 'One', fileName: 'a.txt', fileContent }]])
    const backup = join(target.path, 'made', 'backup')
    for (let times = 0; times < 2; times++) {
      expect(await place.run('backup', backup)).toMatchObject({ code: 0, stderr: '' })
    }
    await place.down()
    expect(await run(['verify', backup])).toMatchObject({ code: 0 })
    expect(await empty.run('restore', backup)).toMatchObject({ code: 0 })
    expect(await run(['keys', 'rotate', '--data', empty.folder.path])).toMatchObject({ code: 0 })
    expect(readableIn(target.path)).toEqual([])
    expect(readableIn(empty.folder.path)).toEqual([])
  } finally {
    process.umask(usual)
    await Promise.all([place.remove(), empty.remove()])
    target.remove()
  }
})

/** What others than its user may read, write or enter. */
function readableIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => {
    const found = statSync(join(folder, name), { throwIfNoEntry: false })
    return found !== undefined && (found.mode & 0o077) !== 0
  })
}
