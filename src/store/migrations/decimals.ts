// Converts amounts to exact decimals. A double that is not a decimal of the scale is not rounded: the migration fails
// without changes, and its message has the amount.
import { type Kysely, sql } from 'kysely'
import type { ColumnTypes } from './migrate.ts'

/** The scale and bound that the documents had when this migration was written. */
const SCALE = 4
const BOUND = '100000000000000'

const AMOUNTS = [
  ['ledger_transaction', 'amount'],
  ['ledger_transaction', 'currency_amount'],
  ['customer', 'credit_limit'],
] as const

export async function up(db: Kysely<unknown>, { rowLevelSecurity: isPostgres }: ColumnTypes): Promise<void> {
  for (const [table, column] of AMOUNTS) {
    await (isPostgres ? onPostgres(db, table, column) : onSqlite(db, table, column))
  }
}

/**
 * The text of a double has all its digits. A value that is not a decimal of the scale aborts the migration, because its
 * error text cannot be cast to a number.
 */
async function onPostgres(db: Kysely<unknown>, table: string, column: string): Promise<void> {
  const exact = `${column}::text::numeric`
  const isExact = `${exact} = round(${exact}, ${SCALE}) and abs(${exact}) < ${BOUND}`
  const rejected = `(${column}::text || ' in ${table}.${column} is no amount of ${SCALE} decimals')::numeric`
  for (const statement of [
    // Converting a large table exceeds the query timeout.
    'set local statement_timeout = 0',
    `alter table ${table} alter column ${column} drop default,
      alter column ${column} type numeric(18, ${SCALE}) using case when ${isExact} then ${exact} else ${rejected} end`,
    `alter table ${table} alter column ${column} set default 0`,
  ]) {
    await sql.raw(statement).execute(db)
  }
}

/**
 * Converts to units of the last digit: SQLite has no exact numbers but integers, and cannot change the type of a
 * column.
 */
async function onSqlite(db: Kysely<unknown>, table: string, column: string): Promise<void> {
  // The stored doubles have at most 15 digits, and no valid amount needs an exponent.
  const text = `printf('%.15g', ${column})`
  const decimals = `iif(instr(${text}, '.') = 0, 0, length(${text}) - instr(${text}, '.'))`
  const isExact = `cast(${text} as real) = ${column} and ${decimals} <= ${SCALE} and instr(${text}, 'e') = 0`
  const rejected = `abs(${column}) >= ${BOUND} or not (${isExact})`
  const units = `cast(replace(${text}, '.', '') || substr('${'0'.repeat(SCALE)}', 1, ${SCALE} - ${decimals}) as integer)`
  const { rows } = await sql
    .raw<{ company_id: string; amount: number }>(
      `select company_id, ${column} as amount from ${table} where ${rejected} limit 1`,
    )
    .execute(db)
  const [first] = rows
  if (first) {
    throw new Error(
      `${first.amount} in ${table}.${column} of company ${first.company_id} is no amount of ${SCALE} decimals`,
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
