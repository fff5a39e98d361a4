// Creates the database of a floor: tables with the same records as the service, and the indexes of the queries.
import { rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { INDEXES } from '../questions/all.ts'
import type { Scale } from '../records/scale.ts'
import { type Row, tables } from './rows.ts'
import { TABLES } from './schema.ts'

export function fillFloor(file: string, scale: Scale): void {
  rmSync(file, { force: true })
  const db = new DatabaseSync(file)
  for (const statement of ['pragma journal_mode = wal', ...TABLES, 'begin']) db.exec(statement)
  for (const [table, rows] of tables(scale)) insertAll(db, table, rows)
  for (const statement of ['commit', ...INDEXES, 'analyze', 'pragma journal_mode = delete']) db.exec(statement)
  db.close()
}

function insertAll(db: DatabaseSync, table: string, rows: Iterable<Row>): void {
  let insert: ReturnType<DatabaseSync['prepare']> | undefined
  for (const row of rows) {
    insert ??= db.prepare(`insert into ${table} values (${row.map(() => '?').join(', ')})`)
    insert.run(...row)
  }
}
