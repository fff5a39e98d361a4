import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { ledgerLines } from '../records/ledger.ts'
import type { Scale } from '../records/scale.ts'
import { COLUMNS, rowOf, TABLE } from './columns.ts'
import type { LedgerDatabase } from './ledger-database.ts'

const ROWS_AT_ONCE = 100_000
/** Amounts are stored in units of the fourth decimal place. */
const UNITS = 10_000
const INDEXES = `select name, sql from sqlite_schema where tbl_name = '${TABLE}' and type = 'index' and sql is not null`

export class SqliteLedger implements LedgerDatabase {
  readonly name = 'SQLite'
  readonly settings: readonly string[] = []
  readonly #data: string

  constructor(data: string) {
    this.#data = data
  }

  async fill(scale: Scale): Promise<void> {
    const db = this.#open()
    for (const pragma of ['synchronous = off', 'cache_size = -262144', 'temp_store = file']) db.exec(`pragma ${pragma}`)
    const indexes = db.prepare(INDEXES).all() as { name: string; sql: string }[]
    for (const { name } of indexes) db.exec(`drop index ${name}`)
    insertAll(db, scale)
    for (const { sql } of indexes) db.exec(sql)
    db.exec('pragma wal_checkpoint(truncate)')
    db.close()
  }

  async sizes(): Promise<[string, number][]> {
    const db = this.#open()
    const names = [TABLE, ...(db.prepare(INDEXES).all() as { name: string }[]).map(({ name }) => name)]
    const sizeOf = db.prepare('select pgsize as bytes from dbstat where name = ? and aggregate = true')
    const found = names.map((name): [string, number] => [name, Number(sizeOf.get(name)?.bytes ?? 0)])
    db.close()
    return found
  }

  async remove(): Promise<void> {
    rmSync(this.#data, { recursive: true, force: true })
  }

  #open(): DatabaseSync {
    return new DatabaseSync(join(this.#data, 'tabularium.db'))
  }
}

function insertAll(db: DatabaseSync, scale: Scale): void {
  const insert = db.prepare(`insert into ${TABLE} (${COLUMNS}) values (${COLUMNS.map(() => '?')})`)
  let rows = 0
  db.exec('begin')
  for (const line of ledgerLines(scale)) {
    insert.run(...rowOf(line, (amount) => Math.round(amount * UNITS)))
    if (++rows % ROWS_AT_ONCE === 0) db.exec('commit; begin')
  }
  db.exec('commit')
}
