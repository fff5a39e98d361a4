// The data of the benchmark, put straight into the file that the service has made.
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { seedDocuments } from './documents/seed.ts'
import { VALUES, valueAt } from './workloads.ts'

/** Fills the service's file and copies it for each floor; the service must not be running. */
export function seed(folder: string, copies: readonly string[]): void {
  const file = join(folder, 'tabularium.db')
  const db = new Database(file)
  const insert = db.prepare(
    `insert into attribute_value (company_id, attribute_id, attribute_value, period_to, description, status, custom_value, updated_at, updated_by)
     values ('EN', 'C1', ?, 209912, ?, 'N', ?, '2026-01-01T00:00:00.000Z', 'seed')`,
  )
  db.transaction(() => {
    for (let index = 0; index < VALUES; index++)
      insert.run(valueAt(index), `Cost centre ${index} of the benchmark`, index / 4)
    seedDocuments(db)
  })()
  db.exec('analyze')
  db.pragma('wal_checkpoint(truncate)')
  db.close()
  for (const copy of copies) copyFileSync(file, copy)
}
