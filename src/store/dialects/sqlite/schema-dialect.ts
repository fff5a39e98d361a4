// All missing migrations in one transaction, as on PostgreSQL: a start that is cut short leaves the old schema, not
// half a new one. SQLite can change its schema in a transaction; Kysely alone does not count on it.
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

/** A connection of `node:sqlite` as Kysely's dialect wants one. */
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
