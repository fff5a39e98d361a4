// A mirror has what its source has, from the first load on.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type MirrorWorld, startMirror } from '../support/mirror.ts'
import { STORE_KINDS } from '../support/world.ts'

describe.each(STORE_KINDS)('a mirror on %s', (kind) => {
  let mirror: MirrorWorld
  beforeAll(async () => {
    mirror = await startMirror(kind)
    await mirror.loaded()
  })
  afterAll(async () => mirror?.stop())

  it('has every record of every document as it is there', async () => {
    expect(mirror.names).toEqual(
      expect.arrayContaining([
        'customers',
        'attribute-values',
        'attribute-relations',
        'general-ledger-transactions',
        'purchase-orders',
        'currency-rates',
        'time-sheets',
      ]),
    )
    for (const name of await mirror.differences()) {
      const rows = await mirror.rows(name)
      console.log(
        name,
        rows[0],
        mirror.erp.records(name)[0],
        rows.length,
        (await mirror.world.send({ as: 'programs', url: `/v1/mirror/${name}?companyId=EN` })).text.slice(0, 500),
      )
    }
    expect(await mirror.differences()).toEqual([])
  })
})
