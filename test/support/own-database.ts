// A database of a test's own on a server of PostgreSQL, and statements in it.
import pg from 'pg'
import { inject } from 'vitest'
import type { Rows } from './side-door.ts'

let made = 0

interface Wish {
  /** The server, as its superuser; by default that of the test run, of which programs of a test are told by their environment. */
  readonly admin?: string | undefined
  readonly password?: string
}

/** Gives the address of an empty database as its owner, an ordinary role, whom row-level security holds. */
export async function newDatabase({ admin, password = 'secret' }: Wish = {}): Promise<string> {
  const server = admin ?? process.env.TEST_POSTGRES ?? inject('postgresAdmin')
  const name = newName()
  await queryOn(
    `${server}/postgres`,
    `create role ${name} login password '${password}'`,
    `create database ${name} owner ${name}`,
  )
  return `${server.replace('postgres:postgres@', `${name}:${password}@`)}/${name}`
}

/** The address of another database with all that is in this one, which nobody uses now; it has the same owner. */
export async function copyOfDatabase(url: string): Promise<string> {
  const copy = new URL(url)
  const { pathname, username } = copy
  const name = newName()
  copy.pathname = 'postgres'
  await queryOn(asSuperuser(copy.href), `create database ${name} template ${pathname.slice(1)} owner ${username}`)
  copy.pathname = name
  return copy.href
}

/** The same address for the superuser of the test servers. */
export function asSuperuser(url: string): string {
  return url.replace(/\/\/.*@/, '//postgres:postgres@')
}

/** Runs statements one after the other on a session of their own; gives the rows of the last. */
export async function queryOn(url: string, ...texts: readonly string[]): Promise<Rows> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    let rows: Rows = []
    for (const text of texts) rows = (await client.query(text)).rows
    return rows
  } finally {
    await client.end()
  }
}

/** Also the only one among those of other runs on the server. */
function newName(): string {
  return `t${process.pid}_${Date.now() % 100_000_000}_${made++}`
}
