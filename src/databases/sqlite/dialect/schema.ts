import {
  type DialectAdapter,
  Kysely,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDialect,
  type SqliteStatement,
  sql,
} from 'kysely'
import type { SchemaSql } from '../../../sql/schema.ts'
import { migrateToLatest } from '../../migrations/migrate.ts'
import { type Connection, countingInBigints } from './connection.ts'

export const sqliteSchema: SchemaSql = {
  text: `text not null default ''`,
  integer: 'integer not null default 0',
  number: 'real not null default 0',
  instant: `text not null default '1900-01-01T00:00:00.000Z'`,
  // Units of the last digit.
  decimal: () => 'integer not null default 0',
  decimalLiteral: String,
  // Each row that SQLite adds names all columns.
  changedDefault: () => [],
  json: `text not null default '[]'`,
  bytes: `blob not null default x''`,
  tail: ' strict, without rowid',
  longRowsTail: ' strict',
  rowLevelSecurity: false,
  // Words are tokenized and folded before they are stored: the ASCII tokenizer leaves all other letters unchanged.
  wordIndex: [
    `create virtual table document_words using fts5(words, content='', contentless_delete=1, detail='none', tokenize='ascii')`,
  ],
  journalView: [],
  descriptionIndexes: [
    'create index attribute_value_description on attribute_value (company_id, attribute_id, description, attribute_value, period_from)',
  ],
  // An interrupted start leaves the old schema, not half of a new one.
  migrateAlone: (db, work) => db.transaction().execute(work),
  buildIndex: async (db, name, on) => void (await sql.raw(`create index if not exists ${name} on ${on}`).execute(db)),
  dropIndex: async (db, name) => void (await sql.raw(`drop index if exists ${name}`).execute(db)),
}

/** Returns the migrations of a newer version. Closes the connection when the migration fails, or must not begin. */
export async function migrateSchema(writer: Connection, beforeMigration: () => void): Promise<readonly string[]> {
  try {
    const migrations = new Kysely<unknown>({ dialect: new SchemaDialect(writer) })
    const migrateAlone: SchemaSql['migrateAlone'] = async (db, run) => {
      beforeMigration()
      return sqliteSchema.migrateAlone(db, run)
    }
    return await migrateToLatest(migrations, { ...sqliteSchema, migrateAlone })
  } catch (error) {
    writer.close()
    throw error
  }
}

/** SQLite supports transactional DDL, but Kysely's dialect does not use it by default. */
export class SchemaDialect extends SqliteDialect {
  constructor(connection: Connection) {
    super({ database: forKysely(connection) })
  }

  override createAdapter(): DialectAdapter {
    return new TransactionalAdapter()
  }
}

class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

/** Adapts a connection of `node:sqlite` to Kysely's dialect. */
function forKysely(connection: Connection): SqliteDatabase {
  const prepare = (text: string): SqliteStatement => {
    const statement = connection.prepare(text)
    const reader = statement.columns().length > 0
    if (!reader) countingInBigints(statement)
    return {
      reader,
      all: (values) => statement.all(...(values as [])),
      run: (values) => statement.run(...(values as [])),
      iterate: (values) => statement.iterate(...(values as [])) as unknown as IterableIterator<unknown>,
    }
  }
  return { prepare, close: () => connection.close() }
}
