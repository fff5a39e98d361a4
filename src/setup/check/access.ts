// Checks roles, users, clients and trusted issuers.

import { MIN_SECRET_CHARACTERS } from '../../access/secrets.ts'
import { parseDateTime } from '../../base/dates.ts'
import type { ClientSetup, Setup } from '../file/setup-schema.ts'
import type { SetupPart, YamlSource } from '../file/yaml-source.ts'
import { checkReference, checkUnique } from './check.ts'
import { documentNames } from './role-restrictions.ts'

type Environment = Readonly<Record<string, string | undefined>>

export function checkAccess(setup: Setup, source: YamlSource, environment: Environment): void {
  const companies = new Map((setup.companies ?? []).map((company) => [company.id, company]))
  const roles = new Map((setup.roles ?? []).map((role) => [role.id, role]))
  const users = new Map((setup.users ?? []).map((user) => [user.id, user]))
  checkUnique(source.at('roles'), setup.roles, 'id')
  checkUnique(source.at('users'), setup.users, 'id')
  checkUnique(source.at('clients'), setup.clients, 'id')
  checkRoles(setup, source)
  const issuers = checkIssuers(setup, source, companies)
  for (const [index, user] of (setup.users ?? []).entries()) {
    const place = source.at('users', index)
    checkReference(place.at('defaultCompany'), 'company', user.defaultCompany, companies)
    checkReference(place.at('issuer'), 'issuer', user.issuer, issuers)
    for (const [at, id] of (Array.isArray(user.administrator) ? user.administrator : []).entries())
      checkReference(place.at('administrator', at), 'company', id, companies)
    if (user.passwordHash !== undefined) checkHash(user.passwordHash, place.at('passwordHash'))
    for (const [companyId, ids] of Object.entries(user.roles ?? {})) {
      checkReference(place.at('roles', companyId), 'company', companyId, companies)
      for (const [at, id] of ids.entries()) checkReference(place.at('roles', companyId, at), 'role', id, roles)
    }
  }
  for (const [index, client] of (setup.clients ?? []).entries()) {
    checkReference(source.at('clients', index, 'user'), 'user', client.user, users)
    if (/:/.test(client.id)) source.at('clients', index, 'id').add('a client id must not hold a colon')
    checkSecrets(client, source.at('clients', index), environment)
  }
}

function checkRoles(setup: Setup, source: YamlSource): void {
  const documents = new Set(['*', ...documentNames(setup)])
  for (const [index, role] of (setup.roles ?? []).entries()) {
    for (const [at, name] of (role.objects ?? []).entries()) {
      checkReference(source.at('roles', index, 'objects', at), 'Enterprise Document', name, documents)
    }
  }
}

/** Checks companies and audiences of the trusted issuers; returns the issuers that a user may be bound to. */
function checkIssuers(setup: Setup, source: YamlSource, companies: ReadonlyMap<string, unknown>): ReadonlySet<string> {
  const issuers = setup.authentication?.issuers ?? []
  for (const [index, { companies: allowed = [], audience, mcpAudience }] of issuers.entries()) {
    if (mcpAudience === audience) {
      const message = 'a token must not open both the records and the tools of agents: another audience is expected'
      source.at('authentication', 'issuers', index, 'mcpAudience').add(message)
    }
    for (const [at, id] of allowed.entries()) {
      const place = source.at('authentication', 'issuers', index, 'companies', at)
      checkReference(place, 'company', id, companies)
    }
  }
  return new Set(issuers.map(({ issuer }) => issuer))
}

const HASH = /^scrypt\$(\d{1,7})\$(\d{1,3})\$(\d{1,3})\$([A-Za-z0-9+/]+={0,2})\$([A-Za-z0-9+/]+={0,2})$/
/** Limit for 128 * N * r * p: scrypt needs 128 * N * r bytes for each secret that it checks. */
const MAX_HASH_BYTES = 128 * 1024 * 1024

/** Checks the secrets of clients. No message repeats a secret. */
function checkSecrets(client: ClientSetup, place: SetupPart, environment: Environment): void {
  const { secretEnv, secretHash, secrets = [] } = client
  if ([secretEnv, secretHash, client.secrets].filter((given) => given !== undefined).length !== 1) {
    place.add('expected either secretEnv or secretHash, or a list of secrets')
  }
  if (secretEnv !== undefined) checkEnvironment(secretEnv, place.at('secretEnv'), environment)
  if (secretHash !== undefined) checkHash(secretHash, place.at('secretHash'))
  for (const [index, { env, hash, until }] of secrets.entries()) {
    const here = place.at('secrets', index)
    if ((env === undefined) === (hash === undefined)) here.add('expected either env or hash')
    if (env !== undefined) checkEnvironment(env, here.at('env'), environment)
    if (hash !== undefined) checkHash(hash, here.at('hash'))
    if (until !== undefined && parseDateTime(until) === undefined)
      here.at('until').add('expected a date and time such as 2026-12-31T12:00:00Z')
  }
  if (hasTwin(secrets.map(({ env }) => env)) || hasTwin(secrets.map(({ hash }) => hash)))
    place.at('secrets').add('the same secret is there twice')
}

function hasTwin(given: readonly (string | undefined)[]): boolean {
  const present = given.filter((one) => one !== undefined)
  return new Set(present).size < present.length
}

function checkEnvironment(name: string, place: SetupPart, environment: Environment): void {
  const secret = environment[name]
  if (!secret) place.add(`the environment variable ${name} is not set`)
  else if (secret.length < MIN_SECRET_CHARACTERS)
    place.add(`the secret in ${name} is shorter than ${MIN_SECRET_CHARACTERS} characters`)
}

/** Whether scrypt can check the hash, with bounded memory. */
function checkHash(hash: string, place: SetupPart): void {
  const match = HASH.exec(hash)
  if (!match) {
    place.add('expected scrypt$N$r$p$salt$hash, salt and hash in base64')
    return
  }
  const [n = 0, r = 0, p = 0] = match.slice(1, 4).map(Number)
  if (n < 2 || (n & (n - 1)) !== 0) place.add(`N is ${n}: it must be a power of two`)
  if (r < 1 || p < 1 || 128 * n * r * p > MAX_HASH_BYTES) place.add('N, r and p ask for too much memory')
}
