// Who is calling and what they may do, in one company at a time. Users, roles and clients come from the setup in force.
import { hash } from 'node:crypto'
import type { Flow } from '../base/fair-queue.ts'
import { type DocumentRule, type DocumentRules, NO_ROWS } from '../model/restricted.ts'
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
  /** The foreign issuer that alone may name the user. */
  readonly issuer?: string
}

export interface ClientDefinition {
  readonly id: string
  readonly user: string
  readonly secretHash: string
}

export class Caller {
  readonly userId: string
  /** Tells the caller from all others; see `foreignClientId` for those of foreign issuers. */
  readonly clientId: string
  readonly defaultCompany: string
  /** By which what all callers have in common is shared out. */
  readonly flow: Flow
  /** The same text for all callers whose reads are answered alike while a setup is in force. */
  readonly rights: string
  /** Company id in lower case -> what the caller's roles there allow together. */
  readonly #permissions: ReadonlyMap<string, ReadonlySet<string>>
  /** Company id in lower case -> the caller's roles there, where one of them carries rules. */
  readonly #ruled: ReadonlyMap<string, RuledRoles>
  /** By company and document: the rules with those of the documents that it is associated with. */
  readonly #alongAssociations = new Map<string, DocumentRules | undefined>()

  constructor(user: UserDefinition, clientId: string, roles: ReadonlyMap<string, RoleDefinition>) {
    this.userId = user.id
    this.clientId = clientId
    this.defaultCompany = user.defaultCompany
    this.flow = { group: user.defaultCompany, member: clientId || user.id }
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

  /**
   * The same for a query of an Enterprise Document; of each that its associations lead to, what a query of that one would
   * leave out, and all of it where the caller may not query that one.
   */
  rulesForQuery(companyId: string, document: string, associated: readonly string[]): DocumentRules | undefined {
    const rules = this.#queryRules(companyId, document)
    return associated.length === 0 ? rules : this.#withAssociated(companyId, document, associated, rules)
  }

  #queryRules(companyId: string, document: string): DocumentRules | undefined {
    return this.#ruled.get(companyId.toLowerCase())?.rulesFor([`objects:read/${document}`, 'objects:read/*'])
  }

  #withAssociated(
    companyId: string,
    document: string,
    associated: readonly string[],
    own: DocumentRules | undefined,
  ): DocumentRules | undefined {
    const key = `${companyId.toLowerCase()} ${document}`
    if (this.#alongAssociations.has(key)) return this.#alongAssociations.get(key)
    const ruleOf = (name: string) =>
      this.mayQuery(companyId, 'read', name) ? this.#queryRules(companyId, name)?.get(name) : NO_ROWS
    const all = [[document, own?.get(document)], ...associated.map((name) => [name, ruleOf(name)] as const)] as const
    const rules = shared(new Map(all.flatMap(([name, rule]) => (rule ? [[name, rule]] : []))))
    this.#alongAssociations.set(key, rules)
    return rules
  }

  mayAnywhere(permission: Permission): boolean {
    for (const allowed of this.#permissions.values()) if (allowed.has(permission)) return true
    return false
  }
}

const withoutRows = new Map<string, DocumentRules>()

/** Nothing where nothing is left out; the same object for all callers who see nothing of the same documents alone. */
function shared(rules: ReadonlyMap<string, DocumentRule>): DocumentRules | undefined {
  if (rules.size === 0) return undefined
  if ([...rules.values()].some((rule) => rule !== NO_ROWS)) return rules
  const names = [...rules.keys()].join(' ')
  const known = withoutRows.get(names) ?? rules
  withoutRows.set(names, known)
  return known
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
