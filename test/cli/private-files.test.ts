// What the service keeps is for its own user alone, whatever the umask of its process is.
import { chmodSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { Place, sendAll } from '../support/place.ts'

it('no file and no folder of the data folder is readable for others, also when they were before', async () => {
  const usual = process.umask(0)
  const place = await Place.make('sqlite', 'test/fixtures/life-cycle.yaml')
  const folder = place.folder.path
  const readable = () =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => {
      const found = statSync(join(folder, name), { throwIfNoEntry: false })
      return found !== undefined && (found.mode & 0o077) !== 0
    })
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
