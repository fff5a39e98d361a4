// What must hold before the first request: a login, durable commits, visible rows. Error messages name what is wrong.

import type { Socket } from 'node:net'
import pg from 'pg'
import type { Observe } from '../../../../observe/observation.ts'
import { binding } from './company-transaction.ts'

const CONNECT_TIMEOUT_MS = 2_000

/** Throws when the URL leads to no database that accepts the login. The driver's error is the cause. */
export async function requireReachable(url: string): Promise<void> {
  const session = createClient(url)
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

function createClient(url: string): pg.Client {
  try {
    return new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS })
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
    return `nothing answers at ${address} within ${CONNECT_TIMEOUT_MS / 1000} seconds`
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

/** Runs a migration; an error message tells a role without the right to create tables how to get it. */
export async function withSchemaRights(pool: pg.Pool, migrateSchema: () => Promise<unknown>): Promise<void> {
  try {
    await migrateSchema()
  } catch (error) {
    const { code } = ((error as Error).cause ?? error) as Fault
    // No right in the schema, or no schema of the search path is accessible.
    if (code !== '42501' && code !== '3F000') throw error
    const { rows } = await pool.query<{ role: string; schema: string }>(
      `select quote_ident(current_user) as role, quote_ident(coalesce(current_schema(), 'public')) as schema`,
    )
    const { role = '', schema = '' } = rows[0] ?? {}
    throw new Error(
      `--database: the role ${role} may not make tables in the schema ${schema}: grant create, usage on schema ${schema} to ${role}`,
      { cause: error },
    )
  }
}

/**
 * Throws when a transaction, which must be open, that is bound to a company of the setup cannot read its journal
 * counter, which every company has. Row-level security hides rows without an error: a wrong role or policy would make
 * every company look empty.
 */
export async function requireVisibleRows(session: Pick<pg.Client, 'query'>): Promise<void> {
  const table = await session.query<{ isThere: boolean }>(`select to_regclass('setup_item') is not null as "isThere"`)
  if (!table.rows[0]?.isThere) return
  const { rows } = await session.query<{ company: string }>(
    "select distinct company_id as company from setup_item where kind = 'company' order by 1",
  )
  const hidden: string[] = []
  for (const { company } of rows) {
    if (await isHidden(session, company)) hidden.push(company)
  }
  if (hidden.length === 0) return
  const { rows: me } = await session.query<{ name: string }>('select current_user as name')
  throw new Error(
    `the database role ${me[0]?.name} reads nothing of ${hidden.length === 1 ? 'the company' : 'the companies'} ${hidden.join(', ')}, which the setup has: row-level security hides their rows. Use the role that owns the tables, with its policies as the service has made them, and no pooler that shares sessions between transactions`,
  )
}

/** A server may be away that has the company: then its requests say so, and those of others need not wait. */
const UNREACHABLE = /^(08|57|58)/

async function isHidden(session: Pick<pg.Client, 'query'>, company: string): Promise<boolean> {
  await session.query('savepoint visible')
  try {
    await session.query(binding(company))
    const { rows } = await session.query('select 1 from journal_counter where company_id = $1', [company])
    return rows.length === 0
  } catch (error) {
    if (!UNREACHABLE.test((error as Fault).code ?? '')) throw error
    await session.query('rollback to visible')
    return false
  }
}

/** Throws when commits would not be durable. */
export async function requireDurable(pool: pg.Pool, observe: Observe): Promise<void> {
  for (const setting of ['fsync', 'full_page_writes', 'synchronous_commit']) {
    const { rows } = await pool.query<Record<string, string>>(`show ${setting}`)
    if (rows[0]?.[setting] === 'off')
      throw new Error(`PostgreSQL runs with ${setting} = off: acknowledged writes could be lost`)
  }
  const { rows } = await pool.query<{ free: boolean }>(
    'select rolsuper or rolbypassrls as free from pg_roles where rolname = current_user',
  )
  if (!rows[0]?.free) return
  const message = 'the database role bypasses row-level security; use an ordinary role'
  observe({ kind: 'store-warning', message })
}
