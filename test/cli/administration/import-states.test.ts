// Records come from another system in the states that they had there, and only then.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { Place } from '../../support/place.ts'
import { FEWER_KINDS } from '../../support/world.ts'

it.each(FEWER_KINDS)('An import that keeps ids takes every state, with what it requires, on %s', async (kind) => {
  const place = await Place.make(kind, 'test/fixtures/states.yaml')
  try {
    const file = join(place.folder.path, 'orders.ndjson')
    const rows = [
      { orderNo: 'M1', status: 'sent', sentOn: '2026-01-01' },
      { orderNo: 'M2', status: 'sent' },
      { orderNo: 'M3', status: 'lost' },
      { orderNo: 'M4' },
    ]
    writeFileSync(file, rows.map((one) => `${JSON.stringify(one)}\n`).join(''))
    const tried = await place.run('import', 'orders', file, '--company', 'EN', '--dry-run')
    expect([tried.code, tried.stdout]).toEqual([1, expect.stringContaining('1 row would be imported, 3 rejected')])
    const kept = await place.run('import', 'orders', file, '--company', 'EN', '--keep-ids')
    expect(kept).toMatchObject({ code: 1, stdout: expect.stringContaining('2 rows imported, 2 rejected') })
    // The program itself takes each transition that there is.
    writeFileSync(file, `${JSON.stringify({ orderNo: 'M1', status: 'draft' })}\n`)
    const back = await place.run('import', 'orders', file, '--company', 'EN', '--update')
    expect(back.stdout).toContain('1 rejected')
    writeFileSync(file, `${JSON.stringify({ orderNo: 'M4', note: 'x', approvedBy: 'Kari' })}\n`)
    expect((await place.run('import', 'orders', file, '--company', 'EN', '--update')).code).toBe(0)
  } finally {
    await place.remove()
  }
})
