// The first contact with the database: why there is none, in words that name the part of the address to be looked at.
import type { Socket } from 'node:net'
import pg from 'pg'

const CONNECT_TIMEOUT_MS = 2_000

/** Throws when the address leads to no database that lets us in. The driver's own words are the cause. */
export async function requireReachable(url: string): Promise<void> {
  const session = made(url)
  try {
    await new Promise((resolve, reject) => {
      // Told here alone when a password is asked for and there is none.
      session.on('error', reject)
      session.connect().then(resolve, reject)
    })
    await session.end()
  } catch (cause) {
    // A refused login may leave its socket open, and with it the process.
    socketOf(session)?.destroy()
    throw new Error(`--database: ${reasonOf(cause as Fault, session)}`, { cause })
  }
}

function made(url: string): pg.Client {
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

/** The types of `pg` leave it out. */
function socketOf(session: pg.Client): Socket | undefined {
  return (session as unknown as { connection?: { stream?: Socket } }).connection?.stream
}

type Fault = Error & { readonly code?: string }

/** By the codes of the system, of TLS and of PostgreSQL (SQLSTATE). */
function reasonOf(fault: Fault, { host, port, user, database, password }: pg.Client): string {
  const place = host.startsWith('/') ? `${host}/.s.PGSQL.${port}` : `${host}:${port}`
  switch (fault.code) {
    case 'ECONNREFUSED':
    case 'ENOENT':
      return `no PostgreSQL answers at ${place}`
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `there is no host ${host}`
    case 'ETIMEDOUT':
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return `no way leads to ${place}: is it behind a firewall?`
    case 'EACCES':
      return `this user may not use the socket ${place}`
    case '28P01':
      if (!password) return asksForPassword(place, user)
      return `the password of the role ${user} is wrong, or there is no such role`
    case '28000':
      return `PostgreSQL at ${place} refuses the role ${user}: ${fault.message}`
    case '3D000':
      return `there is no database ${database} at ${place}: create database ${database} owner ${user}`
    case '42501':
      return `the role ${user} may not use the database ${database}: ${fault.message}`
    case '53300':
      return `PostgreSQL at ${place} has no session left: ${fault.message}`
    case '57P03':
      return `PostgreSQL at ${place} is starting or stopping: try again`
  }
  return reasonOfMessage(fault, place, user)
}

function reasonOfMessage({ code = '', message }: Fault, place: string, user: string | undefined): string {
  if (/password must be a (non-empty )?string/.test(message)) {
    return asksForPassword(place, user)
  }
  if (/timeout expired/.test(message)) return `nothing answers at ${place} within ${CONNECT_TIMEOUT_MS / 1000} seconds`
  if (/does not support SSL/.test(message)) {
    return `PostgreSQL at ${place} offers no TLS, which the address asks for: sslmode=disable does without`
  }
  if (/CERT|SIGNED|SIGNATURE/.test(code)) {
    return `the certificate of ${place} is not trusted (${message}): name its authority with sslrootcert=FILE`
  }
  if (/Connection terminated|ECONNRESET/.test(`${message} ${code}`)) return `what answers at ${place} is no PostgreSQL`
  return `${place}: ${message}`
}

function asksForPassword(place: string, user: string | undefined): string {
  return `PostgreSQL at ${place} asks for a password of the role ${user}: write it in the address, or in PGPASSWORD`
}

/** Runs what brings the schema up to date, and tells a role without the right to make tables how it gets it. */
export async function withSchemaRights(pool: pg.Pool, bringUpToDate: () => Promise<void>): Promise<void> {
  try {
    await bringUpToDate()
  } catch (error) {
    const { code } = ((error as Error).cause ?? error) as Fault
    // No right in the schema, or in none of those that are looked through.
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
