// All missing migrations in one transaction, as on PostgreSQL: a start that is cut short leaves the old schema, not half a
// new one. SQLite can change its schema in a transaction; Kysely alone does not count on it.
import { type DialectAdapter, SqliteAdapter, SqliteDialect } from 'kysely'

export class SchemaDialect extends SqliteDialect {
  override createAdapter(): DialectAdapter {
    return new TransactionalAdapter()
  }
}

class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}
