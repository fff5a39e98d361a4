import {
  type DialectAdapter,
  Kysely,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDialect,
  type SqliteStatement,
  sql,
} from 'kysely'
import type { AmountColumn, SchemaSql } from '../../../sql/schema.ts'
import { CHANGE_COLUMN } from '../../../sql/tables.ts'
import { migrateToLatest } from '../../migrations/migrate.ts'
import type { Connection } from './connection.ts'

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
  withoutTimeout: [],
  // The last statement makes SQLite read that there are none.
  forgetStatistics: ['drop table if exists sqlite_stat4', 'drop table if exists sqlite_stat1', 'analyze sqlite_schema'],
  // An interrupted start leaves the old schema, not half of a new one.
  migrateAlone: (db, work) => db.transaction().execute(work),
  buildIndex: async (db, name, on) => void (await sql.raw(`create index if not exists ${name} on ${on}`).execute(db)),
  dropIndex: async (db, name) => void (await sql.raw(`drop index if exists ${name}`).execute(db)),
  longTexts: [],
  toDecimals,
  renewPolicies: async () => {},
  customTables,
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
    return {
      reader: statement.columns().length > 0,
      all: (values) => statement.all(...(values as [])),
      run: (values) => statement.run(...(values as [])),
      iterate: (values) => statement.iterate(...(values as [])) as unknown as IterableIterator<unknown>,
    }
  }
  return { prepare, close: () => connection.close() }
}

/**
 * Converts to units of the last digit: SQLite has no exact numbers but integers, and cannot change the type of a
 * column.
 */
async function toDecimals(db: Kysely<unknown>, { table, column, scale, bound }: AmountColumn): Promise<void> {
  // The stored doubles have at most 15 digits, and no valid amount needs an exponent.
  const text = `printf('%.15g', ${column})`
  const decimals = `iif(instr(${text}, '.') = 0, 0, length(${text}) - instr(${text}, '.'))`
  const isExact = `cast(${text} as real) = ${column} and ${decimals} <= ${scale} and instr(${text}, 'e') = 0`
  const rejected = `abs(${column}) >= ${bound} or not (${isExact})`
  const units = `cast(replace(${text}, '.', '') || substr('${'0'.repeat(scale)}', 1, ${scale} - ${decimals}) as integer)`
  const { rows } = await sql
    .raw<{ company_id: string; amount: number }>(
      `select company_id, ${column} as amount from ${table} where ${rejected} limit 1`,
    )
    .execute(db)
  const [first] = rows
  if (first) {
    throw new Error(
      `${first.amount} in ${table}.${column} of company ${first.company_id} is no amount of ${scale} decimals`,
    )
  }
  await dropIndexes(db, table, column)
  for (const statement of [
    `alter table ${table} add column ${column}_units integer not null default 0`,
    `update ${table} set ${column}_units = ${units} where ${column} <> 0`,
    `alter table ${table} drop column ${column}`,
    `alter table ${table} rename column ${column}_units to ${column}`,
  ]) {
    await sql.raw(statement).execute(db)
  }
}

/** Drops the indexes declared by a setup; the next start builds them again. */
async function dropIndexes(db: Kysely<unknown>, table: string, column: string): Promise<void> {
  const { rows } = await sql
    .raw<{ name: string }>(
      `select distinct i.name from pragma_index_list('${table}') i join pragma_index_info(i.name) c
       where c.name = '${column}' and i.origin = 'c'`,
    )
    .execute(db)
  for (const { name } of rows) await sql.raw(`drop index "${name}"`).execute(db)
}

async function customTables(db: Kysely<unknown>) {
  const { rows } = await sql<{ name: string; key: string }>`
    select t.name, json_group_array(c.name order by c.pk) as key
    from sqlite_schema t join pragma_table_info(t.name) c on c.pk > 0 and c.name <> 'company_id'
    where t.type = 'table' and t.name glob 'own_*'
      and not exists (select 1 from pragma_table_info(t.name) where name = ${CHANGE_COLUMN})
    group by t.name`.execute(db)
  return rows.map(({ name, key }) => ({ name, key: JSON.parse(key) as string[] }))
}
