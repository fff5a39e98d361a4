// The pools of sessions with the database, each session with its limits set.
import pg from 'pg'
import { VALUE_TYPES } from '../value-types.ts'
import { guardSession } from './guard-session.ts'
import type { Session } from './session.ts'

/** One client has ten of them at most, and two are for others (`sessions.ts`). */
const POOL_SIZE = 12
const ACQUIRE_TIMEOUT_MS = 2_000
/**
 * A statement that runs longer is stopped by the database; a lock is waited for less, an idle transaction ended. By
 * SQL, because options in the address would replace options given beside it.
 */
const SESSION = "set lock_timeout = '5s'; set idle_in_transaction_session_timeout = '10s'"

/**
 * `pool` works; whether the database answers, and what ends a statement of another session, must not wait for a free
 * one of these.
 */
export interface Pools {
  readonly pool: pg.Pool
  readonly probe: pg.Pool
}

export function openPools(url: string, queryTimeoutMs: number): Pools {
  const config: pg.PoolConfig = {
    connectionString: url,
    max: POOL_SIZE,
    connectionTimeoutMillis: ACQUIRE_TIMEOUT_MS,
    options: '-c synchronous_commit=on',
    application_name: 'tabularium',
    types: VALUE_TYPES,
    // What does not depend on the answer before it is sent at once.
    pipeline: true,
    // Waited for before the session is handed out.
    onConnect: async (client) => {
      client.on('error', ignoreLostSession)
      ;(client as Session).guard = guardSession(client)
      await client.query(`${SESSION}; set statement_timeout = ${queryTimeoutMs}`)
      const { rows } = await client.query<{ id: number }>('select pg_backend_pid() as id')
      ;(client as Session).backendId = rows[0]?.id
    },
  }
  const pools = { pool: new pg.Pool(config), probe: new pg.Pool({ ...config, max: 1 }) }
  for (const one of Object.values(pools)) one.on('error', ignoreLostSession)
  return pools
}

/**
 * A pool of one session for changes of the schema: they take as long as they take, but do not hold up everybody behind
 * them while they wait for a lock.
 */
export function openMigrationPool(url: string): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: 1,
    connectionTimeoutMillis: ACQUIRE_TIMEOUT_MS,
    options: '-c synchronous_commit=on',
    application_name: 'tabularium migration',
    types: VALUE_TYPES,
    onConnect: async (client) => {
      client.on('error', () => {})
      await client.query(
        "set lock_timeout = '5s'; set statement_timeout = 0; set idle_in_transaction_session_timeout = 0",
      )
    },
  })
  pool.on('error', ignoreLostSession)
  return pool
}

/** A session that the database ends is told by the statement that needs it; the pool replaces it. */
function ignoreLostSession(): void {}
