// Runs all missing migrations in one transaction, as on PostgreSQL: an interrupted start leaves the old schema, not
// half of a new one. SQLite supports transactional DDL, but Kysely's dialect does not use it by default.
import { type DialectAdapter, SqliteAdapter, type SqliteDatabase, SqliteDialect, type SqliteStatement } from 'kysely'
import type { Connection } from './connection.ts'

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
