// The authenticated caller and its permissions per company. Users, roles and clients come from the setup in force.
import { hash } from 'node:crypto'
import type { Flow } from '../base/concurrency/fair-queue.ts'
import type { QueryPairs } from '../base/text.ts'
import { type DocumentRule, type DocumentRules, NO_ROWS } from '../model/restricted.ts'
import type { QueryCaller } from '../store/store.ts'
import { RoleRestrictions, type RuleDefinition } from './role-restrictions.ts'

/** An API and an operation on it, for example `attribute-values:create`. */
export type Permission = `${string}:${'create' | 'read' | 'update' | 'delete' | 'export'}`

export interface RoleDefinition {
  readonly id: string
  readonly apis?: Readonly<Record<string, readonly string[]>>
  readonly objects?: readonly string[]
  /** Access restrictions of the role, by Enterprise Document. */
  readonly rules?: Readonly<Record<string, RuleDefinition>>
}

export interface UserDefinition {
  readonly id: string
  readonly defaultCompany: string
  /** Role ids by company id. */
  readonly roles?: Readonly<Record<string, readonly string[]>>
  /** The only trusted issuer that may name the user. */
  readonly issuer?: string
  /** Whether nobody is identified as this user. */
  readonly disabled?: boolean
  /** For the console; absent: nobody signs in as this user by a password. */
  readonly passwordHash?: string
  /** As people call the user. */
  readonly name?: string
  /** Whether the user administers the service in the console, or the companies that the user administers there. */
  readonly administrator?: boolean | readonly string[]
}

export interface ClientDefinition {
  readonly id: string
  readonly user: string
  /** The only secret, which never ends. */
  readonly secretHash?: string
  readonly secrets?: readonly StoredSecret[]
  readonly disabled?: boolean
}

export interface StoredSecret {
  readonly hash: string
  /** When it ends, as a stored date-time. */
  readonly until?: string
}

/** All secrets of a client, also those that have ended. */
export function secretsOf({ secretHash, secrets = [] }: ClientDefinition): readonly StoredSecret[] {
  return secretHash === undefined ? secrets : [{ hash: secretHash }, ...secrets]
}

/** A read of records on behalf of a caller. */
export interface ReadRequest {
  readonly caller: Caller
  readonly companyId: string
  readonly query: QueryPairs
  readonly requester: QueryCaller
}

interface CallerOrigin {
  readonly actor?: Caller | undefined
  readonly setupVersion?: number | undefined
}

export class Caller {
  readonly userId: string
  /** Identifies the caller; see `issuerClientId` for callers with a token of a trusted issuer. */
  readonly clientId: string
  readonly defaultCompany: string
  /** Who has asked (RFC 8693, 4.1): the caller itself, or the administrator who sees what this client sees. */
  readonly actor: Caller
  /** The key for fair sharing of resources among callers: that of the actor. */
  readonly flow: Flow
  /** Whether the user is an administrator, which is no right to any record. */
  readonly isAdministrator: boolean
  /** The version of the setup that its rights are of; undefined for the program itself. */
  readonly setupVersion: number | undefined
  /** The same text for all callers that get the same response to the same read under the current setup. */
  readonly rights: string
  /** By company id in lower case: all permissions of the caller's roles there. */
  readonly #permissions: ReadonlyMap<string, ReadonlySet<string>>
  /** By company id in lower case. */
  readonly #roles: ReadonlyMap<string, readonly string[]>
  /** By company id in lower case: the roles' restrictions, if any of the caller's roles there has some. */
  readonly #restrictions: ReadonlyMap<string, RoleRestrictions>
  /** By company, and document or permission: the rules with those of the documents that records lead to. */
  readonly #rulesWithAssociated = new Map<string, DocumentRules | undefined>()

  constructor(
    user: UserDefinition,
    clientId: string,
    roles: ReadonlyMap<string, RoleDefinition>,
    { actor, setupVersion }: CallerOrigin = {},
  ) {
    this.userId = user.id
    this.clientId = clientId
    this.defaultCompany = user.defaultCompany
    this.actor = actor ?? this
    this.isAdministrator = user.administrator === true
    this.setupVersion = setupVersion
    this.flow = actor?.flow ?? { group: user.defaultCompany, member: clientId || user.id }
    this.rights = hash('sha256', JSON.stringify([user.defaultCompany, user.roles ?? {}]), 'base64url')
    this.#roles = new Map(Object.entries(user.roles ?? {}).map(([companyId, ids]) => [companyId.toLowerCase(), ids]))
    this.#permissions = new Map(
      Object.entries(user.roles ?? {}).map(([companyId, ids]) => [companyId.toLowerCase(), permissionsOf(ids, roles)]),
    )
    this.#restrictions = restrictionsOf(user, roles)
  }

  /** The client that an administrator sees as; undefined for whoever asks for himself. */
  get actedAs(): string | undefined {
    return this.actor === this ? undefined : this.clientId
  }

  /** The program itself, in one company: it sees all records, and may write those of these documents. */
  static ofProgram(id: string, companyId: string, clientId: string, documents: readonly string[]): Caller {
    const apis = Object.fromEntries(documents.map((name) => [name, ['create', 'read', 'update']]))
    const user = { id, defaultCompany: companyId, roles: { [companyId]: [id] } }
    return new Caller(user, clientId, new Map([[id, { id, apis }]]))
  }

  /** Whether the caller has any role in the company, whose id is matched case-insensitively. */
  knows(companyId: string): boolean {
    return this.#permissions.has(companyId.toLowerCase())
  }

  /** The companies in which the caller has a role, in lower case. */
  get companyIds(): Iterable<string> {
    return this.#permissions.keys()
  }

  /** All permissions of the caller's roles there, with those of documents as `objects:read/customers`. */
  permissionsIn(companyId: string): ReadonlySet<string> {
    return this.#permissions.get(companyId.toLowerCase()) ?? new Set()
  }

  /** Whether the caller has one of these roles there. The program itself, which has none, acts for who runs it. */
  hasRole(companyId: string, ids: readonly string[]): boolean {
    if (this.setupVersion === undefined) return true
    return this.#roles.get(companyId.toLowerCase())?.some((id) => ids.includes(id)) ?? false
  }

  may(companyId: string, permission: Permission): boolean {
    return this.#permissions.get(companyId.toLowerCase())?.has(permission) ?? false
  }

  /** Whether a role allows the operation on the Enterprise Document at the object endpoints. */
  mayQuery(companyId: string, operation: 'read' | 'export', document: string): boolean {
    const allowed = this.#permissions.get(companyId.toLowerCase())
    return (allowed?.has(`objects:${operation}/${document}`) || allowed?.has(`objects:${operation}/*`)) ?? false
  }

  /** The restrictions on an API's records for the permission; undefined if there are none. */
  rulesFor(companyId: string, permission: Permission): DocumentRules | undefined {
    return this.#restrictions.get(companyId.toLowerCase())?.rulesFor([permission])
  }

  /** The same with the restrictions on their lines: no lines at all of documents that the caller may not read. */
  rulesWithLines(companyId: string, permission: Permission, documents: readonly string[]): DocumentRules | undefined {
    const key = `${companyId.toLowerCase()} ${permission}`
    if (this.#rulesWithAssociated.has(key)) return this.#rulesWithAssociated.get(key)
    const own = [...(this.rulesFor(companyId, permission) ?? [])].filter(([name]) => !documents.includes(name))
    const ofLines = documents.flatMap((name): [string, DocumentRule][] => {
      const mayRead = readingOf(name).some((one) => this.permissionsIn(companyId).has(one))
      const rule = mayRead ? this.rulesForReference(companyId, name)?.get(name) : NO_ROWS
      return rule ? [[name, rule]] : []
    })
    const rules = internedRules(new Map([...own, ...ofLines]))
    this.#rulesWithAssociated.set(key, rules)
    return rules
  }

  /** The restrictions on records of a document that the caller's own records may refer to. */
  rulesForReference(companyId: string, document: string): DocumentRules | undefined {
    return this.#restrictions.get(companyId.toLowerCase())?.rulesForReference(readingOf(document))
  }

  /**
   * The restrictions on a query of an Enterprise Document, with those on each associated document: the ones of a query
   * of that document itself, or no rows at all if the caller may not query it.
   */
  rulesForQuery(companyId: string, document: string, associated: readonly string[]): DocumentRules | undefined {
    const rules = this.#queryRules(companyId, document)
    return associated.length === 0 ? rules : this.#withAssociated(companyId, document, associated, rules)
  }

  #queryRules(companyId: string, document: string): DocumentRules | undefined {
    return this.#restrictions.get(companyId.toLowerCase())?.rulesFor([`objects:read/${document}`, 'objects:read/*'])
  }

  #withAssociated(
    companyId: string,
    document: string,
    associated: readonly string[],
    own: DocumentRules | undefined,
  ): DocumentRules | undefined {
    const key = `${companyId.toLowerCase()} ${document}`
    if (this.#rulesWithAssociated.has(key)) return this.#rulesWithAssociated.get(key)
    const ruleOf = (name: string) =>
      this.mayQuery(companyId, 'read', name) ? this.#queryRules(companyId, name)?.get(name) : NO_ROWS
    const all = [[document, own?.get(document)], ...associated.map((name) => [name, ruleOf(name)] as const)] as const
    const rules = internedRules(new Map(all.flatMap(([name, rule]) => (rule ? [[name, rule]] : []))))
    this.#rulesWithAssociated.set(key, rules)
    return rules
  }

  mayAnywhere(permission: Permission): boolean {
    for (const allowed of this.#permissions.values()) if (allowed.has(permission)) return true
    return false
  }
}

/** What allows to read records of a document, singly or in queries. */
function readingOf(document: string): readonly string[] {
  return [`${document}:read`, `objects:read/${document}`, 'objects:read/*']
}

const noRowsRules = new Map<string, DocumentRules>()

/**
 * Undefined if there is no restriction. If every rule is NO_ROWS, all callers with the same documents share one object,
 * and with it the caches that are keyed by it.
 */
function internedRules(rules: ReadonlyMap<string, DocumentRule>): DocumentRules | undefined {
  if (rules.size === 0) return undefined
  if ([...rules.values()].some((rule) => rule !== NO_ROWS)) return rules
  const names = [...rules.keys()].join(' ')
  const interned = noRowsRules.get(names) ?? rules
  noRowsRules.set(names, interned)
  return interned
}

function restrictionsOf(
  user: UserDefinition,
  roles: ReadonlyMap<string, RoleDefinition>,
): Map<string, RoleRestrictions> {
  const restrictions = new Map<string, RoleRestrictions>()
  for (const [companyId, ids] of Object.entries(user.roles ?? {})) {
    const userRoles = ids.flatMap((id) => roles.get(id) ?? [])
    if (userRoles.every(({ rules }) => rules === undefined)) continue
    const withPermissions = userRoles.map((role) => ({ ...role, permissions: permissionsOf([role.id], roles) }))
    restrictions.set(companyId.toLowerCase(), new RoleRestrictions(withPermissions))
  }
  return restrictions
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
