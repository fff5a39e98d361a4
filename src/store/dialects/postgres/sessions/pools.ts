// The connection pools; each session has its limits set.
import pg from 'pg'
import { PASS_ON } from '../distribution/pass-on.ts'
import { guardSession } from './guard-session.ts'
import type { Session } from './session.ts'
import { PreparedStatements } from './statements.ts'

/** One client may use at most ten of them; two are for others (`sessions.ts`). */
const POOL_SIZE = 12
const ACQUIRE_TIMEOUT_MS = 2_000
/**
 * Durable commits, and timeouts: lock waits are shorter than statements, and idle transactions are ended. They are set
 * by SQL, because poolers refuse options at the start of a session.
 */
const SESSION = `set ${PASS_ON}; set synchronous_commit = on; set lock_timeout = '5s'; set idle_in_transaction_session_timeout = '10s'`

/** Stored integers stay below 2^53, so a bigint is read as a number. JSON is read as its text. */
export const VALUE_TYPES = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') => {
    if (oid === pg.types.builtins.INT8) return Number
    if (oid === pg.types.builtins.JSON) return String
    return pg.types.getTypeParser(oid, format as 'text')
  },
} as pg.CustomTypesConfig

/**
 * `pool` runs the work. `probe` checks the database and cancels statements of other sessions, which must not wait for a
 * free session of `pool`.
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
    application_name: 'tabularium',
    types: VALUE_TYPES,
    // Statements that do not depend on earlier results are pipelined.
    pipeline: true,
    // Awaited before the session is handed out.
    onConnect: async (client) => {
      client.on('error', ignoreLostSession)
      const session = client as Session
      session.guard = guardSession(client)
      session.statements = new PreparedStatements(client)
      await client.query(`${SESSION}; set statement_timeout = ${queryTimeoutMs}`)
      readBackendId(session)
      await session.backendId
    },
  }
  const pools = { pool: new pg.Pool(config), probe: new pg.Pool({ ...config, max: 1 }) }
  for (const one of Object.values(pools)) one.on('error', ignoreLostSession)
  return pools
}

/** Sent before this function returns. */
export function readBackendId(session: Session): void {
  const asked = session.query<{ id: number }>('select pg_backend_pid() as id')
  session.backendId = asked.then(({ rows }) => rows[0]?.id ?? 0)
  session.backendId.catch(() => {})
}

/**
 * A pool of one session for migrations: they may take any time, but wait only briefly for a lock, because everyone
 * queues behind a waiting migration.
 */
export function openMigrationPool(url: string): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: 1,
    connectionTimeoutMillis: ACQUIRE_TIMEOUT_MS,
    application_name: 'tabularium migration',
    types: VALUE_TYPES,
    onConnect: async (client) => {
      client.on('error', () => {})
      await client.query(
        "set synchronous_commit = on; set lock_timeout = '1s'; set statement_timeout = 0; set idle_in_transaction_session_timeout = 0",
      )
    },
  })
  pool.on('error', ignoreLostSession)
  return pool
}

/** The loss of a session is reported by the statement that needs it; the pool replaces the session. */
function ignoreLostSession(): void {}
