import type { ClientDefinition, RoleDefinition, UserDefinition } from '../../access/caller.ts'
import type { AccessDefinitions } from '../../access/directory.ts'
import type { TrustedIssuer } from '../../access/issuer-users.ts'

interface Item {
  readonly kind: string
  readonly definition: object
}

interface AuthenticationDefinition {
  readonly basic?: boolean
  readonly issuers?: readonly TrustedIssuer[]
}

/** The users, roles, clients and trusted issuers of a setup, for the directory of callers. */
export function accessFrom(items: readonly Item[]): AccessDefinitions {
  const authentication = definitionsOf<AuthenticationDefinition>(items, 'authentication')[0]
  return {
    roles: definitionsOf<RoleDefinition>(items, 'role'),
    users: definitionsOf<UserDefinition>(items, 'user'),
    clients: definitionsOf<ClientDefinition>(items, 'client'),
    basicAllowed: authentication?.basic ?? true,
    issuers: authentication?.issuers ?? [],
  }
}

export function definitionsOf<Definition>(items: readonly Item[], kind: string): Definition[] {
  return items.filter((item) => item.kind === kind).map((item) => item.definition as Definition)
}
