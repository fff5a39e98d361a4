// What must hold before the first request: a login, durable commits. Error messages name what is wrong.

import type { Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import type { Observe } from '../../../observe/observation.ts'
import type { OpenSettings } from '../../driver.ts'

/** How long starts and commands wait for a session with a database that is there: its machine may be busy. */
export const CONNECT_PATIENCE_MS = 30_000
const TRY_AGAIN_MS = 500
const REPORTED_MS = 2_000
/** The database has no session left, or is starting. */
const NOT_YET = ['53300', '57P03']

/**
 * Throws when the URL leads to no database that accepts the login. The driver's error is the cause. Waits for one that
 * is slow or not ready yet.
 */
export async function requireReachable(url: string, observe: Observe = () => {}): Promise<void> {
  const message = 'the database does not answer yet: the start waits for it'
  const report = setTimeout(() => observe({ kind: 'store-warning', message }), REPORTED_MS)
  try {
    await reach(url, performance.now() + CONNECT_PATIENCE_MS)
  } finally {
    clearTimeout(report)
  }
}

async function reach(url: string, until: number): Promise<void> {
  for (;;) {
    try {
      return await connectOnce(url, until - performance.now())
    } catch (error) {
      const { code = '' } = (error as Error).cause as Fault
      if (!NOT_YET.includes(code) || performance.now() + TRY_AGAIN_MS > until) throw error
      await wait(TRY_AGAIN_MS)
    }
  }
}

async function connectOnce(url: string, timeoutMs: number): Promise<void> {
  const session = createClient(url, timeoutMs)
  try {
    await new Promise((resolve, reject) => {
      // Only this event reports that a password is required but missing.
      session.on('error', reject)
      session.connect().then(resolve, reject)
    })
    await session.end()
  } catch (cause) {
    // A rejected login may leave its socket open, which keeps the process alive.
    socketOf(session)?.destroy()
    throw new Error(`--database: ${reasonOf(cause as Fault, session)}`, { cause })
  }
}

function createClient(url: string, connectionTimeoutMillis: number): pg.Client {
  try {
    return new pg.Client({ connectionString: url, connectionTimeoutMillis })
  } catch (cause) {
    const { code, path } = cause as NodeJS.ErrnoException
    const reason =
      code === 'ENOENT'
        ? `there is no file ${path}`
        : 'the address cannot be read: special characters of a password are percent-encoded, such as %40 for @'
    throw new Error(`--database: ${reason}`, { cause })
  }
}

/** The socket, which the types of `pg` omit. */
function socketOf(session: pg.Client): Socket | undefined {
  return (session as unknown as { connection?: { stream?: Socket } }).connection?.stream
}

type Fault = Error & { readonly code?: string }

/** The reason by the error codes of the system, of TLS and of PostgreSQL (SQLSTATE). */
function reasonOf(fault: Fault, { host, port, user, database, password }: pg.Client): string {
  const address = host.startsWith('/') ? `${host}/.s.PGSQL.${port}` : `${host}:${port}`
  switch (fault.code) {
    case 'ECONNREFUSED':
    case 'ENOENT':
      return `no PostgreSQL answers at ${address}`
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `there is no host ${host}`
    case 'ETIMEDOUT':
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return `no way leads to ${address}: is it behind a firewall?`
    case 'EACCES':
      return `this user may not use the socket ${address}`
    case '28P01':
      if (!password) return passwordRequired(address, user)
      return `the password of the role ${user} is wrong, or there is no such role`
    case '28000':
      return `PostgreSQL at ${address} refuses the role ${user}: ${fault.message}`
    case '3D000':
      return `there is no database ${database} at ${address}: create database ${database} owner ${user}`
    case '42501':
      return `the role ${user} may not use the database ${database}: ${fault.message}`
    case '53300':
      return `PostgreSQL at ${address} has no session left: ${fault.message}`
    case '57P03':
      return `PostgreSQL at ${address} is starting or stopping: try again`
  }
  return reasonOfMessage(fault, address, user)
}

function reasonOfMessage({ code = '', message }: Fault, address: string, user: string | undefined): string {
  if (/password must be a (non-empty )?string/.test(message)) {
    return passwordRequired(address, user)
  }
  if (/timeout expired/.test(message))
    return `nothing answers at ${address} within ${CONNECT_PATIENCE_MS / 1000} seconds`
  if (/does not support SSL/.test(message)) {
    return `PostgreSQL at ${address} offers no TLS, which the address asks for: sslmode=disable does without`
  }
  if (/CERT|SIGNED|SIGNATURE/.test(code)) {
    return `the certificate of ${address} is not trusted (${message}): name its authority with sslrootcert=FILE`
  }
  if (/Connection terminated|ECONNRESET/.test(`${message} ${code}`))
    return `what answers at ${address} is no PostgreSQL`
  return `${address}: ${message}`
}

function passwordRequired(address: string, user: string | undefined): string {
  return `PostgreSQL at ${address} asks for a password of the role ${user}: write it in the address, or in PGPASSWORD`
}

/** Throws when commits would not be durable. */
export async function requireDurable(pool: pg.Pool): Promise<void> {
  for (const setting of ['fsync', 'full_page_writes']) {
    const { rows } = await pool.query<Record<string, string>>(`show ${setting}`)
    if (rows[0]?.[setting] === 'off')
      throw new Error(`PostgreSQL runs with ${setting} = off: acknowledged writes could be lost`)
  }
}

/** Warns when row-level security does not limit the role. That of the owner is no fault but in a service. */
export async function reportUnlimited(pool: pg.Pool, { isService, observe }: OpenSettings): Promise<void> {
  const { rows } = await pool.query<{ bypasses: boolean; isLimited: boolean }>(
    `select rolsuper or rolbypassrls as bypasses, row_security_active('journal_counter') as "isLimited"
     from pg_roles where rolname = current_user`,
  )
  const [role] = rows
  if (role?.bypasses) {
    observe({ kind: 'store-warning', message: 'the database role bypasses row-level security; use an ordinary role' })
  } else if (isService && !role?.isLimited) {
    const message =
      'the database role owns the tables, so row-level security does not limit it; use that of `tabularium migrate --grant-to`'
    observe({ kind: 'store-warning', message })
  }
}
