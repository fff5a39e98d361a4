// Rewrites the tables that hold values of records: dead rows keep their bytes until a table is rewritten, and the
// statistics of the planner keep samples of values.

import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { quote } from '../../sql/dialect.ts'
import { TEXT_INDEX_PREFIX } from '../../sql/setup-index.ts'
import { RECORD_PREFIXES } from '../../sql/tables.ts'
import { openMigrationPool } from './sessions/pools.ts'
import { whenFree } from './sessions/when-free.ts'

const TABLES = [
  'customer',
  'attribute_value',
  'attribute_relation',
  'document',
  'document_index',
  'document_revision',
  'document_text',
  'journal_entry',
  'journal_dictionary',
  'kept_answer',
  'subscription_event',
  'subscription_attempt',
  'batch_operation_result',
  'proposal',
  'mirror_finding',
  'person_settings',
]

const PREFIXES = [TEXT_INDEX_PREFIX, ...RECORD_PREFIXES]

/** Each table is locked while it is rewritten; a lock that is not free soon is asked for again, so nobody queues. */
export async function rewriteTables(url: string): Promise<void> {
  const pool = openMigrationPool(url)
  try {
    const { rows } = await pool.query<{ name: string }>(
      'select tablename as name from pg_tables where schemaname = current_schema()',
    )
    const names = rows
      .map(({ name }) => name)
      .filter((name) => TABLES.includes(name) || PREFIXES.some((prefix) => name.startsWith(prefix)))
    await untilUnseen(pool)
    for (const name of names) {
      await whenFree(pool, () => pool.query(`vacuum (full, analyze) ${quote(name)}`))
      await forgetSamples(pool, name)
    }
    // The samples of before.
    await untilUnseen(pool)
    // Only the owner of the database may; for others it does nothing.
    await whenFree(pool, () => pool.query('vacuum full pg_catalog.pg_statistic'))
  } finally {
    await pool.end()
  }
}

/**
 * A table without rows keeps the statistics of its last ones, however often it is analyzed. A column that is given its
 * type anew loses them; one that a policy or a view depends on is left as it is.
 */
async function forgetSamples(pool: pg.Pool, table: string): Promise<void> {
  const { rows } = await pool.query<{ name: string; type: string; collation: string | null }>(
    `select a.attname as name, format_type(a.atttypid, a.atttypmod) as type, o.collname as collation
     from pg_class c join pg_attribute a on a.attrelid = c.oid left join pg_collation o on o.oid = a.attcollation
     where c.relnamespace = current_schema()::regnamespace and c.relname = $1 and c.reltuples = 0
       and a.attnum > 0 and not a.attisdropped`,
    [table],
  )
  for (const { name, type, collation } of rows) {
    const collate = collation === null ? '' : ` collate ${quote(collation)}`
    const statement = `alter table ${quote(table)} alter column ${quote(name)} type ${type}${collate}`
    await whenFree(pool, () => pool.query(statement)).catch((error: unknown) => {
      if (!(error instanceof pg.DatabaseError) || error.code !== DEPENDED_ON) throw error
    })
  }
}

const DEPENDED_ON = '0A000'

const TRIES = 600
const TRY_AGAIN_MS = 100

/**
 * Whether a transaction of any database began before `$1`, so that new snapshots are as old as it; and the oldest one
 * for whom deleted rows are kept: that began before in any database, or that reads from then in this one, or a replica.
 */
const OLDER = `
  select pg_snapshot_xmin(pg_current_snapshot()) < $1::xid8 as "isAnyOpen", oldest.*
  from (select 1) one left join lateral (
    select pid, application_name as "program", backend_type as "type" from pg_stat_activity
    cross join lateral (select greatest(age(backend_xid), case
      when datname = current_database() or backend_type = 'walsender' then age(backend_xmin) end) as age) since
    where pid <> pg_backend_pid() and since.age > age($1::xid8::xid)
    order by since.age desc limit 1) oldest on true`

interface Older {
  readonly isAnyOpen: boolean
  readonly pid: number | null
  readonly program: string | null
  readonly type: string | null
}

/**
 * Rows that were deleted keep their place as long as some transaction may still read them: a rewrite of their table
 * copies them. Waits until nobody can read what is deleted by now. Throws when a transaction stays open for a minute.
 */
async function untilUnseen(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ now: string }>('select pg_current_xact_id()::text as now')
  const now = rows[0]?.now
  for (let done = 1; ; done++) {
    const [older] = (await pool.query<Older>(OLDER, [now])).rows
    if (!older?.isAnyOpen && !older?.pid) return
    if (done === TRIES) throw new Error(told(older))
    await wait(TRY_AGAIN_MS)
  }
}

function told({ pid, program, type }: Older): string {
  const who = pid ? `process ${pid} of the database (${program || type})` : 'a prepared transaction of the database'
  return `${who} may still read what was erased, so its bytes are still there: end its transaction and erase again`
}
