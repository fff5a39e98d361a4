// People who sign in at the console: the company of the tests with some who have passwords, and their sessions.
import { scryptSync } from 'node:crypto'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Answer, World } from './world.ts'

export const PASSWORD = 'correct horse battery'
/** What the console's own pages send. */
export const OWN_HEADERS = { 'x-requested-with': 'tabularium-console' }

/** A setup file: Ada administers, Bo reads, Cleo is disabled. The hash costs little to check. */
export function companyWithPeople(): string {
  const salt = Buffer.from('salt of the tests')
  const key = scryptSync(PASSWORD, salt, 32, { N: 1_024, r: 8, p: 1 })
  const hash = `scrypt$1024$8$1$${salt.toString('base64')}$${key.toString('base64')}`
  const people = `users:
  - { id: ada, name: Ada Berg, defaultCompany: EN, roles: { EN: [integration] }, passwordHash: "${hash}", administrator: true }
  - { id: bo, defaultCompany: EN, roles: { EN: [reader] }, passwordHash: "${hash}" }
  - { id: cleo, defaultCompany: EN, roles: { EN: [reader] }, passwordHash: "${hash}", disabled: true }
`
  const file = join(mkdtempSync(join(tmpdir(), 'tabularium-people-')), 'company.yaml')
  writeFileSync(file, readFileSync('test/fixtures/company.yaml', 'utf8').replace(/^users:\n/m, people))
  return file
}

interface SignIn {
  readonly password?: string
  readonly headers?: Record<string, string>
  readonly from?: string
}

export function signIn(
  world: World,
  user: string,
  { password = PASSWORD, headers = OWN_HEADERS, from }: SignIn = {},
): Promise<Answer> {
  const sent = { method: 'POST', url: '/console/api/session', body: { user, password }, headers } as const
  return world.send(from === undefined ? sent : { ...sent, from })
}

/** The headers of a request of somebody who has signed in. */
export async function signedIn(world: World, user: string) {
  const { status, headers } = await signIn(world, user)
  expect(status).toBe(201)
  return { ...OWN_HEADERS, cookie: String(headers['set-cookie']).split(';')[0] ?? '' }
}
