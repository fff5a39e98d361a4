// The rows of an imported batch have the number of the journal entry that stands for them.
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { MIGRATION_NAMES, migrate } from '../../src/databases/migrations/migrate.ts'
import { openStore } from '../../src/databases/open/open-store.ts'
import { declaredTableSql } from '../../src/sql/schema.ts'
import { CHANGE_COLUMN } from '../../src/sql/tables.ts'
import { writeEntry, writeRowsEntry } from '../../src/store/journal/journal.ts'
import type { RowTarget, Store } from '../../src/store/store.ts'
import { faultsOf, type OlderDatabase, olderDatabase } from '../support/older-database.ts'
import { soon } from '../support/soon.ts'
import { STORE_KINDS } from '../support/world.ts'

const ACTOR = { userId: 'u', clientId: 'c', requestId: 'r' }
const ORDERS: RowTarget = {
  table: 'own_orders',
  columns: [
    { name: 'order_id', type: 'string' },
    { name: 'line_no', type: 'integer' },
  ],
  key: ['order_id', 'line_no'],
}
const LINES: RowTarget = {
  table: 'ledger_transaction',
  columns: [
    { name: 'transaction_number', type: 'integer' },
    { name: 'sequence_number', type: 'integer' },
  ],
  key: ['transaction_number', 'sequence_number'],
}

/** A declared table and the ledger, with a row each that no import has made. */
async function fill({ db, types, database }: OlderDatabase): Promise<void> {
  await migrate(db, types, MIGRATION_NAMES)
  if (database !== undefined) await sql`select set_config('tabularium.company', 'EN', false)`.execute(db)
  const none = { columns: new Set<string>(), indexes: new Set<string>() }
  const { table: name, columns, key } = ORDERS
  for (const statement of declaredTableSql({ name, columns, key }, none, types)) await sql.raw(statement).execute(db)
  await sql`insert into setup_item (company_id, kind, id) values ('EN', 'company', 'EN')`.execute(db)
  await sql`insert into journal_counter (company_id, last_entry) values ('EN', 7)`.execute(db)
  await sql`insert into own_orders (company_id, order_id, line_no) values ('EN', 'A', 1)`.execute(db)
  await sql`insert into ledger_transaction (company_id, transaction_number, sequence_number) values ('EN', 1, 1)`.execute(
    db,
  )
}

/** Inserts rows as an import does and returns the number of their entry. */
function add(store: Store, target: RowTarget, rows: readonly (readonly (string | number)[])[]): Promise<number> {
  return store.write('EN', ACTOR, async (tx) => {
    const isInserted = await tx.insertRows(target, rows)
    writeRowsEntry(tx, target.table, ['file', 1], isInserted.filter(Boolean).length)
    return tx.entryNo
  })
}

describe.each(STORE_KINDS)('change numbers of rows on %s', (kind) => {
  it('are those of the entries that inserted them', {
    timeout: 600_000,
  }, async () => {
    const place = await olderDatabase(kind)
    await fill(place)
    const store = await openStore({ ...place, clock: () => new Date(), observe: () => {}, onFatal: () => {} })
    const first = await add(store, ORDERS, [
      ['B', 2],
      ['A', 1],
      ['B', 1],
    ])
    const second = await add(store, ORDERS, [
      ['B', 2],
      ['A', 2],
    ])
    const third = await add(store, LINES, [
      [1, 1],
      [1, 2],
    ])
    expect(second).toBeGreaterThan(first)
    const rowsOf = async ({ table, key }: RowTarget) => {
      const text = `select ${key.join(', ')}, ${CHANGE_COLUMN} from ${table} order by ${key.join(', ')}`
      const { rows } = await sql.raw<Record<string, string | number>>(text).execute(place.db)
      return rows.map((row) => [...key.map((name) => String(row[name])), Number(row[CHANGE_COLUMN])])
    }
    expect(await rowsOf(ORDERS)).toEqual([
      ['A', '1', 0],
      ['A', '2', second],
      ['B', '1', first],
      ['B', '2', first],
    ])
    expect(await rowsOf(LINES)).toEqual([
      ['1', '1', 0],
      ['1', '2', third],
    ])
    const suppliers = await sql`select supplier_id from ledger_transaction`.execute(place.db)
    expect(suppliers.rows).toEqual([{ supplier_id: '' }, { supplier_id: '' }])
    await store.close()
    expect(await indexesOf(place)).toEqual(['changes_ledger_transaction', 'changes_own_orders'])
    await place.db.destroy()
    await place.remove()
  })
})

describe.runIf(STORE_KINDS.includes('postgres'))('change numbers of two services', () => {
  it('are there only when all lower ones are', async () => {
    const place = await olderDatabase('postgres')
    await fill(place)
    const open = () => openStore({ ...place, clock: () => new Date(), observe: () => {}, onFatal: () => {} })
    const [one, other] = [await open(), await open()]
    const taken = Promise.withResolvers<number>()
    const held = Promise.withResolvers<void>()
    const write = (store: Store, work: (no: number) => Promise<void>) =>
      store.write('EN', ACTOR, async (tx) => {
        await work(tx.entryNo)
        writeEntry(tx, { entity: 'test', key: [tx.entryNo], operation: 'create', before: '', after: '{}' })
        return tx.entryNo
      })
    const first = write(one, (no) => {
      taken.resolve(no)
      return held.promise
    })
    const lower = await taken.promise
    let hasEnded = false
    const second = write(other, async () => {}).finally(() => {
      hasEnded = true
    })
    await soon(async () => expect(hasEnded || (await isWaiting(place))).toBe(true))
    expect(hasEnded).toBe(false)
    held.resolve()
    expect([await first, await second]).toEqual([lower, lower + 1])
    await one.close()
    await other.close()
    expect(await faultsOf(place)).toEqual({ EN: 2 })
    await place.db.destroy()
    await place.remove()
  })
})

/** Whether a session of this database waits for a lock. */
async function isWaiting({ db }: OlderDatabase): Promise<boolean> {
  const { rows } = await sql`select 1 from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
  return rows.length > 0
}

async function indexesOf({ db, database }: OlderDatabase): Promise<string[]> {
  const text =
    database === undefined
      ? `select name from sqlite_schema where type = 'index' and name like 'changes%' order by name`
      : `select indexname as name from pg_indexes where indexname like 'changes%' order by indexname`
  return (await sql.raw<{ name: string }>(text).execute(db)).rows.map(({ name }) => name)
}
