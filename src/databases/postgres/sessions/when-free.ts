// Work that takes a lock on a whole table: it waits for it only briefly, because everyone queues behind it meanwhile.
import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'

/** SQLSTATE: the lock timeout, and a deadlock. */
const NOT_FREE = ['55P03', '40P01']
const TRIES = 60
const TRY_AGAIN_MS = 1_000

/** Tries again while others hold the lock. Throws, with the oldest transaction, when they hold it for long. */
export async function whenFree<T>(pool: pg.Pool, work: () => Promise<T>, tries = TRIES): Promise<T> {
  for (let done = 1; ; done++) {
    try {
      return await work()
    } catch (error) {
      if (!isNotFree(error)) throw error
      if (done === tries) throw new Error(await explain(pool, tries, error as Error), { cause: error })
      await wait(TRY_AGAIN_MS)
    }
  }
}

function isNotFree(error: unknown): boolean {
  const { code, cause } = error as { code?: string; cause?: { code?: string } }
  return NOT_FREE.includes(code ?? cause?.code ?? '')
}

/** PostgreSQL shows the transactions of other roles to some roles only. */
const OLDEST = `
  select pid, application_name as "program", xact_start as "since" from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null
  order by xact_start limit 1`

async function explain(pool: pg.Pool, tries: number, { message }: Error): Promise<string> {
  const { rows } = await pool.query<{ pid: number; program: string; since: Date }>(OLDEST)
  const oldest = rows.map(
    ({ pid, program, since }) =>
      `; the oldest transaction is that of process ${pid} (${program}), open since ${since.toISOString()}`,
  )
  return `${message}: other sessions have held a lock at each of ${tries} tries: end their transactions and try again${oldest.join('')}`
}
