// `clients`, `users` and `roles`: who may do what under the stored setup. No hash of a secret is printed.
import { type ClientDefinition, type RoleDefinition, secretsOf, type UserDefinition } from '../../../access/caller.ts'
import type { AccessDefinitions } from '../../../access/directory.ts'
import type { StoreFlags } from '../../settings/settings.ts'
import { tableOf } from '../../terminal/table.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { readAccess } from './read-access.ts'

export interface ListSettings extends StoreFlags {
  readonly format: 'table' | 'json'
}

export async function listClients(settings: ListSettings, { stdout }: Terminal): Promise<void> {
  const access = await readAccess(settings)
  const clients = access.clients.map((client) => describeClient(client, access))
  const text = textOf(settings, clients, ['client', 'user', 'state', 'secrets', 'company', 'roles'], (client) => [
    client.id,
    client.user,
    client.disabled ? 'disabled' : 'active',
    client.secrets.map(describeSecret).join(', '),
    client.defaultCompany,
    describeRoles(client.roles),
  ])
  stdout.write(text)
}

interface ListedSecret {
  readonly until: string | null
  readonly ended: boolean
}

function describeClient(client: ClientDefinition, { users }: AccessDefinitions) {
  const user = users.find(({ id }) => id === client.user)
  const now = new Date().toISOString()
  return {
    id: client.id,
    user: client.user,
    /** By itself or by its user. */
    disabled: client.disabled === true || user?.disabled === true,
    secrets: secretsOf(client).map(
      ({ until }): ListedSecret => ({ until: until ?? null, ended: until !== undefined && until <= now }),
    ),
    defaultCompany: user?.defaultCompany ?? '',
    roles: user?.roles ?? {},
  }
}

function describeSecret({ until, ended }: ListedSecret): string {
  if (until === null) return 'without end'
  return `${ended ? 'ended' : 'until'} ${until.replace(/:\d\d\.\d+Z$/, 'Z')}`
}

export async function listUsers(settings: ListSettings, { stdout }: Terminal): Promise<void> {
  const { users, clients } = await readAccess(settings)
  const described = users.map((user) => describeUser(user, clients))
  const text = textOf(settings, described, ['user', 'state', 'clients', 'issuer', 'company', 'roles'], (user) => [
    user.id,
    user.disabled ? 'disabled' : 'active',
    user.clients.join(', '),
    user.issuer ?? '',
    user.defaultCompany,
    describeRoles(user.roles),
  ])
  stdout.write(text)
}

function describeUser(user: UserDefinition, clients: readonly ClientDefinition[]) {
  return {
    id: user.id,
    disabled: user.disabled === true,
    clients: clients.filter((client) => client.user === user.id).map(({ id }) => id),
    issuer: user.issuer ?? null,
    defaultCompany: user.defaultCompany,
    roles: user.roles ?? {},
  }
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
  const text = textOf(settings, described, ['role', 'apis', 'documents', 'rules', 'users'], (role) => [
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

function describeRole(role: RoleDefinition, users: readonly UserDefinition[]) {
  return {
    id: role.id,
    apis: role.apis ?? {},
    objects: role.objects ?? [],
    rules: role.rules ?? {},
    users: users
      .filter((user) => Object.values(user.roles ?? {}).some((ids) => ids.includes(role.id)))
      .map(({ id }) => id),
  }
}

function textOf<Row>(
  { format }: ListSettings,
  rows: readonly Row[],
  headings: readonly string[],
  cellsOf: (row: Row) => readonly string[],
): string {
  return format === 'json' ? `${JSON.stringify(rows, null, 2)}\n` : tableOf(headings, rows.map(cellsOf))
}
