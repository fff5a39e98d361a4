// The stored setup, and `clients`, `users` and `roles`: who may do what under it; these print no hash of a secret.

import { describeClient, describeRole, describeUser, type ListedSecret } from '../../access/described-access.ts'
import type { AccessDefinitions } from '../../access/directory.ts'
import { openReadOnly } from '../../databases/open/open-read-only.ts'
import { readItemsBeside } from '../../setup/items/setup-item.ts'
import { accessFrom } from '../../setup/rules/access-definitions.ts'
import { type StoreFlags, storeOptions } from '../settings/settings.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { tableOf } from '../terminal/terminal-text.ts'

export interface ListSettings extends StoreFlags {
  readonly format: 'table' | 'json'
}

export async function listClients(settings: ListSettings, { stdout }: Terminal): Promise<void> {
  const access = await readAccess(settings)
  const clients = access.clients.map((client) => describeClient(client, access))
  const text = listing(settings, clients, ['client', 'user', 'state', 'secrets', 'company', 'roles'], (client) => [
    client.id,
    client.user,
    client.disabled ? 'disabled' : 'active',
    client.secrets.map(describeSecret).join(', '),
    client.defaultCompany,
    describeRoles(client.roles),
  ])
  stdout.write(text)
}

function describeSecret({ until, ended }: ListedSecret): string {
  if (until === null) return 'without end'
  return `${ended ? 'ended' : 'until'} ${until.replace(/:\d\d\.\d+Z$/, 'Z')}`
}

export async function listUsers(settings: ListSettings, { stdout }: Terminal): Promise<void> {
  const { users, clients } = await readAccess(settings)
  const described = users.map((user) => describeUser(user, clients))
  const text = listing(settings, described, ['user', 'state', 'clients', 'issuer', 'company', 'roles'], (user) => [
    user.id,
    user.disabled ? 'disabled' : 'active',
    user.clients.join(', '),
    user.issuer ?? '',
    user.defaultCompany,
    describeRoles(user.roles),
  ])
  stdout.write(text)
}

/** `EN: integration, reader; SV: reader`. */
function describeRoles(roles: Readonly<Record<string, readonly string[]>>): string {
  return Object.entries(roles)
    .map(([company, ids]) => `${company}: ${ids.join(', ')}`)
    .join('; ')
}

export async function listRoles(settings: ListSettings, { stdout }: Terminal): Promise<void> {
  const { roles, users } = await readAccess(settings)
  const described = roles.map((role) => describeRole(role, users))
  const text = listing(settings, described, ['role', 'apis', 'documents', 'rules', 'users'], (role) => [
    role.id,
    Object.entries(role.apis)
      .map(([api, operations]) => `${api}: ${operations.join(', ')}`)
      .join('; '),
    role.objects.join(', '),
    Object.keys(role.rules).join(', '),
    role.users.join(', '),
  ])
  stdout.write(text)
}

function listing<Row>(
  { format }: ListSettings,
  rows: readonly Row[],
  headings: readonly string[],
  cellsOf: (row: Row) => readonly string[],
): string {
  return format === 'json' ? `${JSON.stringify(rows, null, 2)}\n` : tableOf(headings, rows.map(cellsOf))
}

/** The stored clients, users and roles. Takes no lock, so it also works while the service runs. */
export async function readAccess(settings: StoreFlags): Promise<AccessDefinitions> {
  await using database = await openReadOnly(storeOptions(settings))
  return accessFrom(await readItemsBeside(database))
}

/** Takes no lock, so it also works while the service runs. */
export async function printStoredSetup(settings: StoreFlags, terminal: Terminal): Promise<void> {
  // The lists, and `token`, load neither YAML nor the schemas of a setup.
  const { printSetup } = await import('../../setup/apply/print-setup.ts')
  await using database = await openReadOnly(storeOptions(settings))
  terminal.stdout.write(printSetup(await readItemsBeside(database)))
}
