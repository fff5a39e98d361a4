// A database of a version that knew no chain: its entries are chained when this version opens it first.
import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { findChainEnd, listChains, readChain } from '../../src/store/audit-store.ts'
import { POSTGRES_TYPES } from '../../src/store/dialects/postgres/postgres-store.ts'
import { SchemaDialect } from '../../src/store/dialects/sqlite/schema-dialect.ts'
import { SQLITE_TYPES } from '../../src/store/dialects/sqlite/sqlite-store.ts'
import { writeEntry } from '../../src/store/journal.ts'
import { migrate } from '../../src/store/migrations/migrate.ts'
import { openReadOnly } from '../../src/store/open-read-only.ts'
import { openStore } from '../../src/store/open-store.ts'
import { type ChainFault, verifyChain } from '../../src/store/verify-chain.ts'
import { newDatabase } from '../support/own-database.ts'
import { STORE_KINDS, type StoreKind } from '../support/world.ts'

const BEFORE = ['0001-records', '0002-documents', '0003-archive']
/** More than are chained at once, with gaps between their numbers. */
const COUNTS = { EN: 250, SV: 3, EMPTY: 0 } as const

interface Place {
  readonly data: string
  readonly database: string | undefined
  /** As the service's role, on one session. */
  readonly db: Kysely<unknown>
  readonly types: typeof SQLITE_TYPES | typeof POSTGRES_TYPES
  remove(): Promise<void>
}

async function placeOf(kind: StoreKind): Promise<Place> {
  const data = await mkdtemp(join(tmpdir(), 'tabularium-chain-'))
  const removeFolder = () => rmSync(data, { recursive: true, force: true })
  if (kind === 'sqlite') {
    const db = new Kysely<unknown>({
      dialect: new SchemaDialect(new DatabaseSync(join(data, 'tabularium.db'))),
    })
    return { data, database: undefined, db, types: SQLITE_TYPES, remove: async () => removeFolder() }
  }
  const database = await newDatabase()
  const pool = new pg.Pool({ connectionString: database, max: 1 })
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  return { data, database, db, types: POSTGRES_TYPES, remove: async () => removeFolder() }
}

/** As an older version has left it. */
async function fill({ db, types, database }: Place): Promise<void> {
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

async function faultsOf({ data, database }: Place): Promise<Record<string, ChainFault[] | number>> {
  const source = await openReadOnly({ data, database })
  try {
    const found: Record<string, ChainFault[] | number> = {}
    for (const companyId of await listChains(source)) {
      const end = await findChainEnd(source, companyId)
      const faults = await verifyChain(readChain(source, companyId, end.entryNo), end, [], () => {})
      found[companyId] = faults.length > 0 ? faults : end.count
    }
    return found
  } finally {
    await source.close()
  }
}

describe.each(STORE_KINDS)('the chain of an older database on %s', (kind) => {
  it('has all its entries, and goes on with the next', { timeout: 60_000 }, async () => {
    const place = await placeOf(kind)
    await fill(place)
    await expect(openReadOnly(place)).rejects.toThrow('was not opened by this version yet')
    await place.db.destroy()

    const store = await openStore({ ...place, clock: () => new Date(), observe: () => {}, onFatal: () => {} })
    expect(await faultsOf(place)).toEqual(COUNTS)
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
