// A database of a version without audit chains: its entries are chained when this version opens it first.
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { migrate } from '../../src/databases/migrations/migrate.ts'
import { openReadOnly } from '../../src/databases/open/open-read-only.ts'
import { openStore } from '../../src/databases/open/open-store.ts'
import { writeEntry } from '../../src/store/journal/journal.ts'
import { findSizes } from '../../src/store/service-state/size-store.ts'
import { faultsOf, type OlderDatabase, olderDatabase } from '../support/older-database.ts'
import { STORE_KINDS } from '../support/world.ts'

const BEFORE = ['0001-records', '0002-documents', '0003-archive']
/** More than are chained in one batch, with gaps between their numbers. */
const COUNTS = { EN: 250, SV: 3, EMPTY: 0 } as const

/** As an older version has left it. */
async function fill({ db, types, database }: OlderDatabase): Promise<void> {
  await migrate(db, types, BEFORE)
  for (const [company, count] of Object.entries(COUNTS)) {
    if (database !== undefined) await sql`select set_config('tabularium.company', ${company}, false)`.execute(db)
    await sql`insert into setup_item (company_id, kind, id) values (${company}, 'company', ${company})`.execute(db)
    await sql`insert into journal_counter (company_id, last_entry) values (${company}, ${count * 3})`.execute(db)
    for (let no = 1; no <= count; no++) {
      await sql`insert into journal_entry (company_id, entry_no, entity, after) values (${company}, ${no * 3}, 'test', ${`{"a":"Å ${no}"}`})`.execute(
        db,
      )
    }
  }
}

describe.each(STORE_KINDS)('the chain of an older database on %s', (kind) => {
  it('has all its entries, and continues with the next', async () => {
    const place = await olderDatabase(kind)
    await fill(place)
    await expect(openReadOnly(place)).rejects.toThrow('was not opened by this version yet')
    await place.db.destroy()

    const store = await openStore({ ...place, clock: () => new Date(), observe: () => {}, onFatal: () => {} })
    expect(await faultsOf(place)).toEqual(COUNTS)
    const bytes = async (company: string) => (await findSizes(store.reading(company))).journal_bytes
    expect(await bytes('EN')).toBeGreaterThan(250 * 72)
    expect([(await bytes('SV')) > 3 * 72, await bytes('EMPTY')]).toEqual([true, 0])
    const actor = { userId: 'u', clientId: 'c', requestId: 'r' }
    for (const company of Object.keys(COUNTS)) {
      await store.write(company, actor, (tx) =>
        writeEntry(tx, { entity: 'test', key: [1], operation: 'create', before: '', after: '' }),
      )
    }
    expect(await faultsOf(place)).toEqual({ EN: 251, SV: 4, EMPTY: 1 })
    await store.close()
    await place.remove()
  })
})
