// Checks roles, users, clients and trusted issuers.
import type { Setup } from '../read/setup-schema.ts'
import type { YamlSource } from '../read/yaml-source.ts'
import { checkReference, checkUnique } from './check.ts'
import { checkHash, checkSecrets } from './client-secrets.ts'
import { BUILT_IN_DOCUMENTS } from './documents.ts'

type Environment = Readonly<Record<string, string | undefined>>

export function checkAccess(setup: Setup, source: YamlSource, environment: Environment): void {
  const companies = new Map((setup.companies ?? []).map((company) => [company.id, company]))
  const roles = new Map((setup.roles ?? []).map((role) => [role.id, role]))
  const users = new Map((setup.users ?? []).map((user) => [user.id, user]))
  checkUnique(source, ['roles'], setup.roles, (role) => role.id, 'id')
  checkUnique(source, ['users'], setup.users, (user) => user.id, 'id')
  checkUnique(source, ['clients'], setup.clients, (client) => client.id, 'id')
  checkRoles(setup, source)
  const issuers = checkIssuers(setup, source, companies)
  for (const [index, user] of (setup.users ?? []).entries()) {
    const path = ['users', index]
    checkReference(source, [...path, 'defaultCompany'], 'company', user.defaultCompany, companies)
    checkReference(source, [...path, 'issuer'], 'issuer', user.issuer, issuers)
    if (user.passwordHash !== undefined) checkHash(user.passwordHash, [...path, 'passwordHash'], source)
    for (const [companyId, ids] of Object.entries(user.roles ?? {})) {
      checkReference(source, [...path, 'roles', companyId], 'company', companyId, companies)
      for (const [at, id] of ids.entries()) checkReference(source, [...path, 'roles', companyId, at], 'role', id, roles)
    }
  }
  for (const [index, client] of (setup.clients ?? []).entries()) {
    checkReference(source, ['clients', index, 'user'], 'user', client.user, users)
    if (/:/.test(client.id)) source.add(['clients', index, 'id'], 'a client id must not hold a colon')
    checkSecrets(client, ['clients', index], source, environment)
  }
}

function checkRoles(setup: Setup, source: YamlSource): void {
  const documents = new Set(['*', ...BUILT_IN_DOCUMENTS, ...(setup.documents ?? []).map((document) => document.name)])
  for (const [index, role] of (setup.roles ?? []).entries()) {
    for (const [at, name] of (role.objects ?? []).entries()) {
      checkReference(source, ['roles', index, 'objects', at], 'Enterprise Document', name, documents)
    }
  }
}

/** Checks companies and audiences of the trusted issuers; returns the issuers that a user may be bound to. */
function checkIssuers(setup: Setup, source: YamlSource, companies: ReadonlyMap<string, unknown>): ReadonlySet<string> {
  const issuers = setup.authentication?.issuers ?? []
  for (const [index, { companies: allowed = [], audience, mcpAudience }] of issuers.entries()) {
    if (mcpAudience === audience) {
      const message = 'a token must not open both the records and the tools of agents: another audience is expected'
      source.add(['authentication', 'issuers', index, 'mcpAudience'], message)
    }
    for (const [at, id] of allowed.entries()) {
      const path = ['authentication', 'issuers', index, 'companies', at]
      checkReference(source, path, 'company', id, companies)
    }
  }
  return new Set(issuers.map(({ issuer }) => issuer))
}
