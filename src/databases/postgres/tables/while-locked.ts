// Work that one session of the database does at a time.
import { setTimeout as wait } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'

const TRY_AGAIN_MS = 250

/**
 * Runs the work while the session holds an advisory lock. The lock is polled, because a statement that waits for it
 * would hold a snapshot, for which `create index concurrently` of the other session waits.
 */
export async function whileLocked<T>(session: Kysely<unknown>, lock: number, work: () => Promise<T>): Promise<T> {
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
