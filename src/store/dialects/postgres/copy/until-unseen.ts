// Rows that were deleted keep their place as long as some transaction may still read them: a rewrite of their table
// copies them.
import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'

const TRIES = 600
const TRY_AGAIN_MS = 100

/**
 * The oldest transaction in this database, or replica, that may read what was deleted before the transaction `$1`.
 */
const OLDER = `
  select pid, application_name as "program", backend_type as "type" from pg_stat_activity
  where (datname = current_database() or backend_type = 'walsender') and pid <> pg_backend_pid()
    and greatest(age(backend_xid), age(backend_xmin)) > age($1::xid8::xid)
  order by greatest(age(backend_xid), age(backend_xmin)) desc limit 1`

/** Waits until nobody can read what is deleted by now. Throws when a transaction stays open for a minute. */
export async function untilUnseen(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ now: string }>('select pg_current_xact_id()::text as now')
  const now = rows[0]?.now
  for (let done = 1; ; done++) {
    const [older] = (await pool.query<{ pid: number; program: string; type: string }>(OLDER, [now])).rows
    if (!older) return
    if (done === TRIES) {
      const { pid, program, type } = older
      throw new Error(
        `process ${pid} of the database (${program || type}) may still read what was erased, so its bytes are still there: end its transaction and erase again`,
      )
    }
    await wait(TRY_AGAIN_MS)
  }
}
