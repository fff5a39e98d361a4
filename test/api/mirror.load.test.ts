// A mirror has what its source has, whatever the source can and cannot do.
import { describe, expect, it } from 'vitest'
import { type MirrorOptions, startMirror } from '../support/mirror.ts'
import { FEWER_KINDS, STORE_KINDS, type StoreKind } from '../support/world.ts'

const NAMED = [
  'attribute-values',
  'attribute-relations',
  'customers',
  'general-ledger-transactions',
  'purchase-orders',
  'currency-rates',
]

/** Their keys come in an order, of which databases have their own. */
const ORDERS: Readonly<Record<string, MirrorOptions>> = {
  'that does all well': {},
  'that orders texts without their case': { erp: { collation: 'no-case' } },
}
/** How they answer is another question than how it is stored. */
const SOURCES: Readonly<Record<string, MirrorOptions>> = {
  'that lists no documents': { erp: { isDescribed: false }, wanted: NAMED },
  'with another prefix, schemas of arrays, and no lists': { erp: { schemaPrefix: 'x-acme-', hasArraySchema: true } },
  'that answers lines of JSON, and does not tell states': { erp: { hasLines: true, tellsState: false } },
}

/** Starts a mirror of the source, and compares all that is here with it. */
async function expectAll(kind: StoreKind, options: MirrorOptions): Promise<void> {
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
}

describe.each(STORE_KINDS)('a mirror on %s', (kind) => {
  it.each(Object.entries(ORDERS))('has every record of a source %s', (_title, options) => expectAll(kind, options))
})

describe.each(FEWER_KINDS)('a mirror on %s', (kind) => {
  it.each(Object.entries(SOURCES))('has every record of a source %s', (_title, options) => expectAll(kind, options))
})
