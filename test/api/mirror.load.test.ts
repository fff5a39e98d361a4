// A mirror has what its source has, whatever the source can and cannot do.
import { describe, expect, it } from 'vitest'
import { type MirrorOptions, startMirror } from '../support/mirror.ts'
import { STORE_KINDS } from '../support/world.ts'

const NAMED = [
  'attribute-values',
  'attribute-relations',
  'customers',
  'general-ledger-transactions',
  'purchase-orders',
  'currency-rates',
]

const SOURCES: Readonly<Record<string, MirrorOptions>> = {
  'that does all well': {},
  'that lists no documents': { erp: { isDescribed: false }, wanted: NAMED },
  'with another prefix, schemas of arrays, and no lists': { erp: { schemaPrefix: 'x-acme-', hasArraySchema: true } },
  'that orders texts without their case': { erp: { collation: 'no-case' } },
  'that answers lines of JSON, and does not tell states': { erp: { hasLines: true, tellsState: false } },
}

describe.each(STORE_KINDS)('a mirror on %s', (kind) => {
  it.each(Object.entries(SOURCES))('has every record of a source %s', async (_title, options) => {
    const mirror = await startMirror(kind, options)
    try {
      await mirror.loaded()
      expect(mirror.names).toEqual(expect.arrayContaining(NAMED))
      expect(await mirror.differences()).toEqual([])
      for (const name of mirror.names) {
        expect(await mirror.status(name)).toMatchObject({ phase: 'following', problem: '', misfits: 0 })
      }
    } finally {
      await mirror.stop()
    }
  })
})
