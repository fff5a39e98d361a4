// Amounts become exact decimals. Doubles that are no decimal of the scale are not rounded: the schema stays as it was,
// and the message has the amount.
import { type Kysely, sql } from 'kysely'
import type { ColumnTypes } from './migrate.ts'

/** As the documents had them when this was written. */
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
 * The text of a double has all its digits. What is no decimal of the scale ends the change: a text with it is no
 * number.
 */
async function onPostgres(db: Kysely<unknown>, table: string, column: string): Promise<void> {
  const exact = `${column}::text::numeric`
  const isKept = `${exact} = round(${exact}, ${SCALE}) and abs(${exact}) < ${BOUND}`
  const refused = `(${column}::text || ' in ${table}.${column} is no amount of ${SCALE} decimals')::numeric`
  for (const statement of [
    // A large table takes longer than a query may.
    'set local statement_timeout = 0',
    `alter table ${table} alter column ${column} drop default,
      alter column ${column} type numeric(18, ${SCALE}) using case when ${isKept} then ${exact} else ${refused} end`,
    `alter table ${table} alter column ${column} set default 0`,
  ]) {
    await sql.raw(statement).execute(db)
  }
}

/** Units of the last digit: SQLite has no exact numbers but integers, and no way to change the type of a column. */
async function onSqlite(db: Kysely<unknown>, table: string, column: string): Promise<void> {
  // Doubles of ours have no more digits. None of an amount needs an exponent.
  const text = `printf('%.15g', ${column})`
  const decimals = `iif(instr(${text}, '.') = 0, 0, length(${text}) - instr(${text}, '.'))`
  const isKept = `cast(${text} as real) = ${column} and ${decimals} <= ${SCALE} and instr(${text}, 'e') = 0`
  const refused = `abs(${column}) >= ${BOUND} or not (${isKept})`
  const units = `cast(replace(${text}, '.', '') || substr('${'0'.repeat(SCALE)}', 1, ${SCALE} - ${decimals}) as integer)`
  const { rows } = await sql
    .raw<{ company_id: string; amount: number }>(
      `select company_id, ${column} as amount from ${table} where ${refused} limit 1`,
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

/** Those that a setup has asked for; a start makes them again. */
async function dropIndexes(db: Kysely<unknown>, table: string, column: string): Promise<void> {
  const { rows } = await sql
    .raw<{ name: string }>(
      `select distinct i.name from pragma_index_list('${table}') i join pragma_index_info(i.name) c
       where c.name = '${column}' and i.origin = 'c'`,
    )
    .execute(db)
  for (const { name } of rows) await sql.raw(`drop index "${name}"`).execute(db)
}
