// The connection pools; each session has its limits set.
import pg from 'pg'
import type { OpenSettings } from '../../driver.ts'
import { guardSession } from './guard-session.ts'
import { CONNECT_PATIENCE_MS } from './require-usable.ts'
import { readBackendId, type Session } from './session.ts'
import { PreparedStatements, UnnamedStatements } from './statements.ts'

/** One client may use at most ten of them; two are for others (`sessions.ts`). */
const POOL_SIZE = 12
/**
 * How long a session may take to begin. Whoever asks for one was admitted, so that few wait, and a busy machine alone
 * fails none.
 */
const CONNECT_TIMEOUT_MS = 10_000
/** A database that takes longer to answer is not ready. */
const PROBE_TIMEOUT_MS = 2_000
/** Every session has it: a plan that looks expensive would be compiled for seconds, and then run in milliseconds. */
export const NO_COMPILATION = 'jit = off'
/**
 * Durable commits, and timeouts: lock waits are shorter than statements, and idle transactions are ended. They are set
 * by SQL, because poolers refuse options at the start of a session.
 */
const limitsOf = (queryTimeoutMs: number) => ({
  synchronous_commit: 'on',
  lock_timeout: '5s',
  idle_in_transaction_session_timeout: '10s',
  statement_timeout: String(queryTimeoutMs),
})

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

export function openPools(url: string, settings: Pick<OpenSettings, 'queryTimeoutMs' | 'isPooled'>): Pools {
  const config: pg.PoolConfig = {
    connectionString: url,
    max: POOL_SIZE,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: 'tabularium',
    types: VALUE_TYPES,
    // Statements that do not depend on earlier results are pipelined.
    pipeline: true,
    // Awaited before the session is handed out.
    onConnect: async (client) => {
      client.on('error', ignoreLostSession)
      const session = client as Session
      session.guard = guardSession(client)
      await (settings.isPooled ? usePooled : useOwn)(session, settings.queryTimeoutMs)
    },
  }
  const pools = {
    pool: new pg.Pool(config),
    probe: new pg.Pool({ ...config, max: 1, connectionTimeoutMillis: PROBE_TIMEOUT_MS }),
  }
  for (const one of Object.values(pools)) one.on('error', ignoreLostSession)
  return pools
}

async function useOwn(session: Session, queryTimeoutMs: number): Promise<void> {
  session.statements = new PreparedStatements(session)
  const limits = Object.entries(limitsOf(queryTimeoutMs)).map(([name, value]) => `set ${name} = '${value}'`)
  await session.query([`set ${PASS_ON}`, `set ${NO_COMPILATION}`, ...limits].join('; '))
  const { rows } = await session.query(`select to_regclass('pg_dist_partition') is null as "isAlone"`)
  session.isAlone = rows[0]?.isAlone === true
  await readBackendId(session)
}

function usePooled(session: Session, queryTimeoutMs: number): void {
  const limits = Object.entries(limitsOf(queryTimeoutMs)).map(
    ([name, value]) => `set_config('${name}', '${value}', true)`,
  )
  session.statements = new UnnamedStatements([
    `set local ${PASS_ON}`,
    `set local ${NO_COMPILATION}`,
    `select ${limits.join(', ')}`,
  ])
}

/**
 * A pool of one session for migrations: they may take any time, but wait only briefly for a lock, because everyone
 * queues behind a waiting migration.
 */
export function openMigrationPool(url: string): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: 1,
    connectionTimeoutMillis: CONNECT_PATIENCE_MS,
    application_name: 'tabularium migration',
    types: VALUE_TYPES,
    onConnect: async (client) => {
      client.on('error', () => {})
      await client.query(
        `set ${NO_COMPILATION}; set synchronous_commit = on; set lock_timeout = '1s'; set statement_timeout = 0; set idle_in_transaction_session_timeout = 0`,
      )
    },
  })
  pool.on('error', ignoreLostSession)
  return pool
}

/** The loss of a session is reported by the statement that needs it; the pool replaces the session. */
function ignoreLostSession(): void {}

/**
 * Makes the extension pass on to other servers what a transaction sets: its company and its limits. Where the extension
 * is not there, the setting is taken and means nothing.
 */
export const PASS_ON = "citus.propagate_set_commands = 'local'"
