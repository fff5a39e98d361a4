// Builds and drops indexes of migrations while others read and write. In a new database, which nobody else uses, that
// happens in the transaction of all migrations.
import { type Kysely, sql } from 'kysely'
import { BUILD_LOCK } from '../indexes/setup-indexes.ts'
import { whileLocked } from './while-locked.ts'

/** An index whose build was interrupted exists, but is not valid: it is dropped and built again. */
export function buildIndex(session: Kysely<unknown>, name: string, on: string): Promise<void> {
  if (session.isTransaction) return run(session, `create index ${name} on ${on}`)
  return patiently(session, async () => {
    if (await isValid(session, name)) return
    await run(session, `drop index concurrently if exists ${name}`)
    await run(session, `create index concurrently ${name} on ${on}`)
  })
}

export function dropIndex(session: Kysely<unknown>, name: string): Promise<void> {
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
