// A database that an older version has created, and the faults in its audit chains.
import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { openReadOnly } from '../../src/databases/open/open-read-only.ts'
import { postgresSchema } from '../../src/databases/postgres/tables/schema.ts'
import { SchemaDialect, sqliteSchema } from '../../src/databases/sqlite/dialect/schema.ts'
import { findChainEnd, listChains, readChain } from '../../src/store/audit/audit-store.ts'
import { type ChainFault, verifyChain } from '../../src/store/audit/verify-chain.ts'
import { newDatabase } from './test-database.ts'
import type { StoreKind } from './world.ts'

export interface OlderDatabase {
  readonly data: string
  readonly database: string | undefined
  /** A connection as the service's role, on one session. */
  readonly db: Kysely<unknown>
  readonly types: typeof sqliteSchema | typeof postgresSchema
  remove(): Promise<void>
}

export async function olderDatabase(kind: StoreKind): Promise<OlderDatabase> {
  const data = await mkdtemp(join(tmpdir(), 'tabularium-chain-'))
  const removeFolder = () => rmSync(data, { recursive: true, force: true })
  if (kind === 'sqlite') {
    const db = new Kysely<unknown>({
      dialect: new SchemaDialect(new DatabaseSync(join(data, 'tabularium.db'))),
    })
    return { data, database: undefined, db, types: sqliteSchema, remove: async () => removeFolder() }
  }
  const database = await newDatabase()
  const pool = new pg.Pool({ connectionString: database, max: 1 })
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  return { data, database, db, types: postgresSchema, remove: async () => removeFolder() }
}

/** By company: the faults of its chain, or its number of entries where there are none. */
export async function faultsOf({ data, database }: OlderDatabase): Promise<Record<string, ChainFault[] | number>> {
  await using source = await openReadOnly({ data, database })
  const found: Record<string, ChainFault[] | number> = {}
  for (const companyId of await listChains(source)) {
    const end = await findChainEnd(source, companyId)
    const faults = await verifyChain(readChain(source, companyId, end.entryNo), end, [], () => {})
    found[companyId] = faults.length > 0 ? faults : end.count
  }
  return found
}
