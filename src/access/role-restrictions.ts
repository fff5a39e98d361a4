// Combines the restrictions of several roles. Roles are additive: what one of them makes visible is visible.
import type { DocumentRule, DocumentRules } from '../model/restricted.ts'

/** A restriction as it is written in a setup. */
export interface RuleDefinition {
  readonly filter?: string
  readonly hidden?: readonly string[]
}

interface RestrictedRole {
  readonly permissions: ReadonlySet<string>
  /** By the name of the Enterprise Document. */
  readonly rules?: Readonly<Record<string, RuleDefinition>>
}

/** The roles of one user in one company. */
export class RoleRestrictions {
  readonly #roles: readonly RestrictedRole[]
  readonly #cache = new Map<string, DocumentRules | undefined>()

  constructor(roles: readonly RestrictedRole[]) {
    this.#roles = roles
  }

  /** The combined restrictions of the roles that have any of the permissions; the same object each time. */
  rulesFor(permissions: readonly string[]): DocumentRules | undefined {
    const key = permissions.join(' ')
    if (this.#cache.has(key)) return this.#cache.get(key)
    const permitted = this.#roles.filter((role) => permissions.some((permission) => role.permissions.has(permission)))
    // Without a role there would be no restriction, which would make everything visible.
    if (permitted.length === 0) throw new Error(`no role of the caller has the permission ${key}`)
    const rules = rulesOfRoles(permitted)
    this.#cache.set(key, rules)
    return rules
  }

  /** As `rulesFor`; the restrictions of all roles together where none of them has any of the permissions. */
  rulesForReference(permissions: readonly string[]): DocumentRules | undefined {
    const isPermitted = this.#roles.some((role) => permissions.some((permission) => role.permissions.has(permission)))
    if (isPermitted) return this.rulesFor(permissions)
    if (!this.#cache.has('')) this.#cache.set('', rulesOfRoles(this.#roles))
    return this.#cache.get('')
  }
}

/**
 * A row is visible if any role makes it visible; a property is hidden only if all roles hide it. Undefined if nothing
 * is restricted.
 */
function rulesOfRoles(roles: readonly Pick<RestrictedRole, 'rules'>[]): DocumentRules | undefined {
  const [first] = roles
  const rules = new Map<string, DocumentRule>()
  // A document that one role does not restrict is not restricted at all, so the rules of the first are enough.
  for (const document of Object.keys(first?.rules ?? {})) {
    const restrictions = roles.flatMap((role) => role.rules?.[document] ?? [])
    if (restrictions.length < roles.length) continue
    const rule = { filters: filtersOf(restrictions), hidden: hiddenByAll(restrictions) }
    if (rule.filters || rule.hidden.size > 0) rules.set(document, rule)
  }
  return rules.size > 0 ? rules : undefined
}

function filtersOf(rules: readonly RuleDefinition[]): readonly string[] | undefined {
  const filters = rules.flatMap(({ filter }) => filter ?? [])
  return filters.length === rules.length ? [...new Set(filters)].sort() : undefined
}

/** The paths that every role hides. A role that hides a group hides every path inside it. */
function hiddenByAll(rules: readonly RuleDefinition[]): ReadonlySet<string> {
  const lists = rules.map(({ hidden = [] }) => new Set(hidden.map((path) => path.toLowerCase())))
  const paths = new Set(lists.flatMap((list) => [...list]))
  return new Set([...paths].filter((path) => lists.every((list) => isHidden(list, path))).sort())
}

function isHidden(hidden: ReadonlySet<string>, path: string): boolean {
  const segments = path.split('/')
  return segments.some((_segment, index) => hidden.has(segments.slice(0, index + 1).join('/')))
}
