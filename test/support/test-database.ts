// A new PostgreSQL database for a test, and statements in it.
import pg from 'pg'
import { inject } from 'vitest'
import { CLUSTER, newDistributedDatabase } from './cluster.ts'
import type { Rows } from './direct-connection.ts'

let made = 0

/** As files: by the log of the server, which is the default, costs four times its processor time. */
const AS_FILES = 'strategy file_copy'

interface Wish {
  /**
   * The server, as its superuser; by default that of the test run, whose address child processes get by environment.
   */
  readonly admin?: string | undefined
  readonly password?: string
}

/**
 * Creates an empty database; returns its address for its owner, an ordinary role to which row-level security applies.
 */
export async function newDatabase({ admin, password = 'secret' }: Wish = {}): Promise<string> {
  const name = newName()
  if (admin === undefined && CLUSTER.length > 0) return newDistributedDatabase(name)
  const server = admin ?? process.env.TEST_POSTGRES ?? inject('postgresAdmin')
  await queryOn(
    `${server}/postgres`,
    `create role ${name} login password '${password}'`,
    `create database ${name} owner ${name} ${AS_FILES}`,
  )
  return `${server.replace('postgres:postgres@', `${name}:${password}@`)}/${name}`
}

/** Copies a database that has no open sessions; returns the copy's address, which has the same owner. */
export async function copyOfDatabase(url: string): Promise<string> {
  const copy = new URL(url)
  const { pathname, username } = copy
  const name = newName()
  copy.pathname = 'postgres'
  await queryOn(
    asSuperuser(copy.href),
    `create database ${name} template ${pathname.slice(1)} owner ${username} ${AS_FILES}`,
  )
  copy.pathname = name
  return copy.href
}

/** The same address for the superuser of the test servers. */
export function asSuperuser(url: string): string {
  return url.replace(/\/\/.*@/, '//postgres:postgres@')
}

/** Runs statements in sequence on a session of their own; returns the rows of the last. */
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

/** A unique name, also among those of other test runs on the server. */
function newName(): string {
  return `t${process.pid}_${Date.now() % 100_000_000}_${made++}`
}
