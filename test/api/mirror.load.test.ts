// A mirror has what its source has, whatever the source can and cannot do.
import { describe, expect, it } from 'vitest'
import { type MirrorOptions, startMirror } from '../support/mirror.ts'
import { IS_LONG } from '../support/reliability-test.ts'
import { FEWER_KINDS, STORE_KINDS, type StoreKind } from '../support/world.ts'

const NAMED = [
  'attribute-values',
  'attribute-relations',
  'customers',
  'general-ledger-transactions',
  'purchase-orders',
  'currency-rates',
]

/** Their keys come in an order, of which databases have their own. All other tests of mirrors have one that does all well. */
const ORDERS: Readonly<Record<string, MirrorOptions>> = {
  'that orders texts without their case': { erp: { collation: 'no-case' } },
  ...(IS_LONG ? { 'that does all well': {} } : {}),
}
const OTHER_FORMS = { schemaPrefix: 'x-acme-', hasArraySchema: true }
const OTHER_ANSWERS = { hasLines: true, tellsState: false }
/** How they answer is another question than how it is stored. */
const SOURCES: Readonly<Record<string, MirrorOptions>> = {
  'that lists no documents': { erp: { isDescribed: false }, wanted: NAMED },
  ...(IS_LONG
    ? {
        'with another prefix, schemas of arrays, and no lists': { erp: OTHER_FORMS },
        'that answers lines of JSON, and does not tell states': { erp: OTHER_ANSWERS },
      }
    : { 'with other forms of schemas and of answers': { erp: { ...OTHER_FORMS, ...OTHER_ANSWERS } } }),
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
