// Who is calling and what they may do, in one company at a time. Users, roles and clients come from the setup in force.
import { hash } from 'node:crypto'
import type { DocumentRules } from '../model/restricted.ts'
import { type RuleDefinition, RuledRoles } from './rules-of-roles.ts'

/** An API and an operation on it, such as `attribute-values:create`. */
export type Permission = `${string}:${'create' | 'read' | 'update' | 'delete' | 'export'}`

export interface RoleDefinition {
  readonly id: string
  readonly apis?: Readonly<Record<string, readonly string[]>>
  readonly objects?: readonly string[]
  /** What is left out for those who have the role, by Enterprise Document. */
  readonly rules?: Readonly<Record<string, RuleDefinition>>
}

export interface UserDefinition {
  readonly id: string
  readonly defaultCompany: string
  /** Company id -> role ids. */
  readonly roles?: Readonly<Record<string, readonly string[]>>
}

export interface ClientDefinition {
  readonly id: string
  readonly user: string
  readonly secretHash: string
}

export class Caller {
  readonly userId: string
  readonly clientId: string
  readonly defaultCompany: string
  /** The same text for all callers whose reads are answered alike while a setup is in force. */
  readonly rights: string
  /** Company id in lower case -> what the caller's roles there allow together. */
  readonly #permissions: ReadonlyMap<string, ReadonlySet<string>>
  /** Company id in lower case -> the caller's roles there, where one of them carries rules. */
  readonly #ruled: ReadonlyMap<string, RuledRoles>

  constructor(user: UserDefinition, clientId: string, roles: ReadonlyMap<string, RoleDefinition>) {
    this.userId = user.id
    this.clientId = clientId
    this.defaultCompany = user.defaultCompany
    this.rights = hash('sha256', JSON.stringify([user.defaultCompany, user.roles ?? {}]), 'base64url')
    this.#permissions = new Map(
      Object.entries(user.roles ?? {}).map(([companyId, ids]) => [companyId.toLowerCase(), permissionsOf(ids, roles)]),
    )
    this.#ruled = ruledRoles(user, roles)
  }

  /** Whether the caller has any role in the company (given in any letter case): otherwise it does not exist for them. */
  knows(companyId: string): boolean {
    return this.#permissions.has(companyId.toLowerCase())
  }

  may(companyId: string, permission: Permission): boolean {
    return this.#permissions.get(companyId.toLowerCase())?.has(permission) ?? false
  }

  /** Whether a role that allows the operation on object endpoints also names the Enterprise Document. */
  mayQuery(companyId: string, operation: 'read' | 'export', document: string): boolean {
    const allowed = this.#permissions.get(companyId.toLowerCase())
    return (allowed?.has(`objects:${operation}/${document}`) || allowed?.has(`objects:${operation}/*`)) ?? false
  }

  /** What is left out of the records of an API when the operation is done on them; nothing where all is there. */
  rulesFor(companyId: string, permission: Permission): DocumentRules | undefined {
    return this.#ruled.get(companyId.toLowerCase())?.rulesFor([permission])
  }

  /** The same for a query of an Enterprise Document. */
  rulesForQuery(companyId: string, document: string): DocumentRules | undefined {
    return this.#ruled.get(companyId.toLowerCase())?.rulesFor([`objects:read/${document}`, 'objects:read/*'])
  }

  mayAnywhere(permission: Permission): boolean {
    for (const allowed of this.#permissions.values()) if (allowed.has(permission)) return true
    return false
  }
}

function ruledRoles(user: UserDefinition, roles: ReadonlyMap<string, RoleDefinition>): Map<string, RuledRoles> {
  const ruled = new Map<string, RuledRoles>()
  for (const [companyId, ids] of Object.entries(user.roles ?? {})) {
    const own = ids.flatMap((id) => roles.get(id) ?? [])
    if (own.every(({ rules }) => rules === undefined)) continue
    const withPermissions = own.map((role) => ({ ...role, permissions: permissionsOf([role.id], roles) }))
    ruled.set(companyId.toLowerCase(), new RuledRoles(withPermissions))
  }
  return ruled
}

function permissionsOf(roleIds: readonly string[], roles: ReadonlyMap<string, RoleDefinition>): ReadonlySet<string> {
  const permissions = new Set<string>()
  for (const id of roleIds) {
    const role = roles.get(id)
    for (const [api, operations] of Object.entries(role?.apis ?? {})) {
      for (const operation of operations) {
        permissions.add(`${api}:${operation}`)
        if (api !== 'objects') continue
        for (const document of role?.objects ?? []) permissions.add(`objects:${operation}/${document}`)
      }
    }
  }
  return permissions
}
