// Clients, users and roles as they are listed for people: nothing of a secret but when it ends.
import { type ClientDefinition, type RoleDefinition, secretsOf, type UserDefinition } from './caller.ts'
import type { AccessDefinitions } from './directory.ts'

export interface ListedSecret {
  readonly until: string | null
  readonly ended: boolean
}

export function describeClient(client: ClientDefinition, { users }: Pick<AccessDefinitions, 'users'>) {
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

export function describeUser(user: UserDefinition, clients: readonly ClientDefinition[]) {
  return {
    id: user.id,
    disabled: user.disabled === true,
    clients: clients.filter((client) => client.user === user.id).map(({ id }) => id),
    issuer: user.issuer ?? null,
    defaultCompany: user.defaultCompany,
    roles: user.roles ?? {},
  }
}

export function describeRole(role: RoleDefinition, users: readonly UserDefinition[]) {
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
