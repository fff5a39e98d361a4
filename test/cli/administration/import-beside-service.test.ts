// An import while the service runs: others write in between.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Place } from '../../support/place.ts'
import { STORE_KINDS } from '../../support/world.ts'

const ROWS = 8_000

describe.each(STORE_KINDS)('An import beside a service on %s', (kind) => {
  it('lets others write between its parts, and stores every row once', async () => {
    const place = await Place.make(kind, 'test/fixtures/killed-batches.yaml')
    try {
      const file = join(place.folder.path, 'values.ndjson')
      const values = Array.from({ length: ROWS }, (_, row) => ({ attributeId: 'C6', attributeValue: `V${row}` }))
      writeFileSync(file, values.map((value) => `${JSON.stringify({ ...value, description: 'Row' })}\n`).join(''))
      await place.upAsProcess()
      const stored = async () => {
        const [row] = await place.sql("select count(*) as n from attribute_value where attribute_value like 'V%'")
        return Number(row?.n)
      }
      let isEnded = false
      const importing = place.run('import', 'attribute-values', file, '--company', 'EN').finally(() => {
        isEnded = true
      })
      const between = new Set<number>()
      for (let at = 0; !isEnded; at++) {
        const body = { attributeId: 'C6', attributeValue: `P${at}`, description: 'Beside' }
        expect((await place.send('POST', 'attribute-values', body)).status).toBe(201)
        between.add(await stored())
      }
      expect(await importing).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/^8,000 rows imported, 0 rejected/),
      })
      expect(await stored()).toBe(ROWS)
      // Written while some of the rows were there and others were not: how many are, is up to the machine.
      expect([...between].filter((count) => count > 0 && count < ROWS)).not.toEqual([])
    } finally {
      await place.remove()
    }
  })
})
