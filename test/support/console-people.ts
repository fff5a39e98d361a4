// People who sign in at the console: the company of the tests with some who have passwords, and their sessions.
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { PASSWORD, PASSWORD_HASH } from './passwords.ts'
import type { Answer, World } from './world.ts'

/** What the console's own pages send. */
export const OWN_HEADERS = { 'x-requested-with': 'tabularium-console' }

/** A setup file: Ada administers, Bo reads, Cleo is disabled. */
export function companyWithPeople(): string {
  const people = `users:
  - { id: ada, name: Ada Berg, defaultCompany: EN, roles: { EN: [integration] }, passwordHash: "${PASSWORD_HASH}", administrator: true }
  - { id: bo, defaultCompany: EN, roles: { EN: [reader] }, passwordHash: "${PASSWORD_HASH}" }
  - { id: cleo, defaultCompany: EN, roles: { EN: [reader] }, passwordHash: "${PASSWORD_HASH}", disabled: true }
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
