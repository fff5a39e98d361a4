// Rows that were deleted keep their place as long as some transaction may still read them: a rewrite of their table
// copies them.
import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'

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

/** Waits until nobody can read what is deleted by now. Throws when a transaction stays open for a minute. */
export async function untilUnseen(pool: pg.Pool): Promise<void> {
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
