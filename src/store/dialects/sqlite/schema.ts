import {
  type DialectAdapter,
  Kysely,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDialect,
  type SqliteStatement,
} from 'kysely'
import { migrateToLatest } from '../../migrations/migrate.ts'
import type { Connection } from './connection.ts'

export const SQLITE_TYPES = {
  text: `text not null default ''`,
  integer: 'integer not null default 0',
  number: 'real not null default 0',
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
}

/** Closes the connection when the migration fails. */
export async function migrateSchema(writer: Connection): Promise<void> {
  try {
    const migrations = new Kysely<unknown>({ dialect: new SchemaDialect(writer) })
    await migrateToLatest(migrations, SQLITE_TYPES)
  } catch (error) {
    writer.close()
    throw error
  }
}

/**
 * Runs all missing migrations in one transaction: an interrupted start leaves the old schema, not half of a new one.
 * SQLite supports transactional DDL, but Kysely's dialect does not use it by default.
 */
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
    return {
      reader: statement.columns().length > 0,
      all: (values) => statement.all(...(values as [])),
      run: (values) => statement.run(...(values as [])),
      iterate: (values) => statement.iterate(...(values as [])) as unknown as IterableIterator<unknown>,
    }
  }
  return { prepare, close: () => connection.close() }
}
