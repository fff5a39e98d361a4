// A company moves in from another system, with its numbers: the series go on behind them.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Place } from '../../support/place.ts'
import { STORE_KINDS } from '../../support/world.ts'

/** In the fixture, by their series. */
const NUMBERED = [
  {
    document: 'customers',
    key: 'customerId',
    row: {
      customerName: 'Nordic Paper',
      countryCode: 'NO',
      customerGroupId: '10',
      contactPoints: [{ contactPointType: '1' }],
    },
    given: ['51234', '50007', 'OLD-9'],
    next: '51235',
  },
  {
    document: 'attribute-values',
    key: 'attributeValue',
    row: { attributeId: 'C5', description: 'Warehouse' },
    given: ['P05210', 'P05003', 'X1'],
    next: 'P05211',
  },
  {
    document: 'suppliers',
    key: 'supplierId',
    row: { supplierName: 'Fjordblikk', contactPoints: [{ contactPointType: '1' }] },
    given: ['50100', '50020', 'OLD-1'],
    next: '50101',
  },
] as const

describe.each(STORE_KINDS)('An import that keeps the ids of its file on %s', (kind) => {
  it.each(NUMBERED)(
    'stores them, and the series of $document goes on behind',
    async ({ document, key, row, given, next }) => {
      const place = await Place.make(kind, 'test/fixtures/numbered.yaml')
      try {
        const file = join(place.folder.path, 'moved.ndjson')
        const rows = [...given.map((id) => ({ ...row, [key]: id })), row, { ...row, [key]: given[0] }]
        writeFileSync(file, rows.map((one) => `${JSON.stringify(one)}\n`).join(''))
        const refused = await place.run('import', document, file, '--company', 'EN', '--dry-run')
        expect([refused.code, refused.stdout]).toEqual([
          1,
          expect.stringContaining('1 row would be imported, 4 rejected'),
        ])
        const kept = await place.run('import', document, file, '--company', 'EN', '--keep-ids')
        expect(kept).toMatchObject({ code: 1, stdout: expect.stringContaining('4 rows imported, 1 rejected') })
        await place.up()
        const addressOf = (id: string) =>
          document === 'attribute-values' ? `attribute-values/C5/${id}/0` : `${document}/${id}`
        // The row without an id has the one behind the greatest of the series.
        for (const id of [...given, next])
          expect([id, (await place.send('GET', addressOf(id))).status]).toEqual([id, 200])
        const created = await place.send('POST', document, row)
        expect([created.status, JSON.parse(created.text)[key]]).toEqual([
          201,
          next.replace(/\d$/, (digit) => String(Number(digit) + 1)),
        ])
        expect((await place.send('POST', document, { ...row, [key]: `${given[0]}9` })).text).toContain(
          'You cannot enter a new ID manually',
        )
      } finally {
        await place.remove()
      }
    },
  )
})
