import { setTimeout as wait } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { DECIMAL_DIGITS, decimalText } from '../../../base/numbers/decimal.ts'
import type { SchemaSql } from '../../../sql/schema.ts'
import { JOURNAL_VIEW } from '../dialect/journal-text.ts'
import { BUILD_LOCK } from './setup-indexes.ts'

/** The advisory lock of the process that migrates. */
const MIGRATION_LOCK = 7_294_103_552

export const postgresSchema: SchemaSql = {
  text: `text collate "C" not null default ''`,
  integer: 'bigint not null default 0',
  number: 'double precision not null default 0',
  instant: `text collate "C" not null default '1900-01-01T00:00:00.000Z'`,
  decimal: (scale) => `numeric(${DECIMAL_DIGITS}, ${scale}) not null default 0`,
  decimalLiteral: (units, scale) => decimalText(BigInt(units), scale),
  changedDefault: (table, column, literal) => [`alter table ${table} alter column ${column} set default ${literal}`],
  json: `json not null default '[]'`,
  bytes: `bytea not null default ''`,
  tail: '',
  longRowsTail: '',
  rowLevelSecurity: true,
  wordIndex: [
    `alter table document_text add column words tsvector not null default ''`,
    'create index document_text_words on document_text using gin (words)',
  ],
  journalView: JOURNAL_VIEW,
  // Two indexes of a prefix: see `dialect/index-terms.ts`.
  descriptionIndexes: [
    `create index attribute_value_description
      on attribute_value (company_id, attribute_id, (description::name), attribute_value, period_from)`,
    `create index attribute_value_description_order
      on attribute_value (company_id, attribute_id, left(description, 100), attribute_value, period_from)`,
  ],
  migrateAlone: (db, work) => db.connection().execute((alone) => whileLocked(alone, MIGRATION_LOCK, () => work(alone))),
  buildIndex,
  dropIndex,
}

/**
 * Builds an index while others read and write; in a new database, which nobody else uses, in the transaction of all
 * migrations. An index whose build was interrupted exists, but is not valid: it is dropped and built again.
 */
function buildIndex(session: Kysely<unknown>, name: string, on: string): Promise<void> {
  if (session.isTransaction) return run(session, `create index ${name} on ${on}`)
  return patiently(session, async () => {
    if (await isValid(session, name)) return
    await run(session, `drop index concurrently if exists ${name}`)
    await run(session, `create index concurrently ${name} on ${on}`)
  })
}

function dropIndex(session: Kysely<unknown>, name: string): Promise<void> {
  if (session.isTransaction) return run(session, `drop index if exists ${name}`)
  return patiently(session, () => run(session, `drop index concurrently if exists ${name}`))
}

async function run(session: Kysely<unknown>, statement: string): Promise<void> {
  await sql.raw(statement).execute(session)
}

/** Nobody queues behind this work, so it waits for transactions as long as they take, and for other builds. */
async function patiently(session: Kysely<unknown>, work: () => Promise<void>): Promise<void> {
  const { rows } = await sql<{ limit: string }>`select current_setting('lock_timeout') as limit`.execute(session)
  await limitLocks(session, '0')
  try {
    await whileLocked(session, BUILD_LOCK, work)
  } finally {
    await limitLocks(session, rows[0]?.limit ?? '0')
  }
}

async function limitLocks(session: Kysely<unknown>, limit: string): Promise<void> {
  await sql`select set_config('lock_timeout', ${limit}, false)`.execute(session)
}

async function isValid(session: Kysely<unknown>, name: string): Promise<boolean> {
  const { rows } = await sql<{ isValid: boolean }>`
    select indisvalid and indisready as "isValid" from pg_index where indexrelid = to_regclass(${name})`.execute(
    session,
  )
  return rows[0]?.isValid === true
}

const TRY_AGAIN_MS = 250

/**
 * Runs the work while the session holds an advisory lock. The lock is polled, because a statement that waits for it
 * would hold a snapshot, for which `create index concurrently` of the other session waits.
 */
async function whileLocked<T>(session: Kysely<unknown>, lock: number, work: () => Promise<T>): Promise<T> {
  while (!(await isTaken(session, lock))) await wait(TRY_AGAIN_MS)
  try {
    return await work()
  } finally {
    await sql`select pg_advisory_unlock(${lock}::bigint)`.execute(session)
  }
}

async function isTaken(session: Kysely<unknown>, lock: number): Promise<boolean> {
  const { rows } = await sql<{ taken: boolean }>`select pg_try_advisory_lock(${lock}::bigint) as taken`.execute(session)
  return rows[0]?.taken === true
}
