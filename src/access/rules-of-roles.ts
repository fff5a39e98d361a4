// What several roles together let somebody see: roles add rights and never take any away.
import type { DocumentRule, DocumentRules } from '../model/restricted.ts'

/** As a setup has it. */
export interface RuleDefinition {
  readonly filter?: string
  readonly hidden?: readonly string[]
}

interface RuledRole {
  readonly permissions: ReadonlySet<string>
  /** By the name of the Enterprise Document. */
  readonly rules?: Readonly<Record<string, RuleDefinition>>
}

/** The roles of one user in one company. */
export class RuledRoles {
  readonly #roles: readonly RuledRole[]
  readonly #known = new Map<string, DocumentRules | undefined>()

  constructor(roles: readonly RuledRole[]) {
    this.#roles = roles
  }

  /** What the roles leave out that have any of the permissions; the same object each time. */
  rulesFor(permissions: readonly string[]): DocumentRules | undefined {
    const key = permissions.join(' ')
    if (this.#known.has(key)) return this.#known.get(key)
    const allowing = this.#roles.filter((role) => permissions.some((one) => role.permissions.has(one)))
    // Without a role there is no rule either, which would mean that all is there.
    if (allowing.length === 0) throw new Error(`rules were asked for ${key}, which no role of the caller allows`)
    const rules = rulesOfRoles(allowing)
    this.#known.set(key, rules)
    return rules
  }
}

/**
 * A row is seen that any of the roles shows, and a property is hidden only when all of them hide it. Nothing when the
 * roles together leave nothing out.
 */
function rulesOfRoles(roles: readonly Pick<RuledRole, 'rules'>[]): DocumentRules | undefined {
  const [first] = roles
  const rules = new Map<string, DocumentRule>()
  // What one role says nothing of is not restricted by the others.
  for (const document of Object.keys(first?.rules ?? {})) {
    const together = roles.flatMap((role) => role.rules?.[document] ?? [])
    if (together.length < roles.length) continue
    const rule = { filters: filtersOf(together), hidden: hiddenByAll(together) }
    if (rule.filters || rule.hidden.size > 0) rules.set(document, rule)
  }
  return rules.size > 0 ? rules : undefined
}

function filtersOf(rules: readonly RuleDefinition[]): readonly string[] | undefined {
  const filters = rules.flatMap(({ filter }) => filter ?? [])
  return filters.length === rules.length ? [...new Set(filters)].sort() : undefined
}

/** What one role hides as a part of a group may be hidden by another with the whole group. */
function hiddenByAll(rules: readonly RuleDefinition[]): ReadonlySet<string> {
  const lists = rules.map(({ hidden = [] }) => new Set(hidden.map((path) => path.toLowerCase())))
  const paths = new Set(lists.flatMap((list) => [...list]))
  return new Set([...paths].filter((path) => lists.every((list) => isIn(list, path))).sort())
}

function isIn(hidden: ReadonlySet<string>, path: string): boolean {
  const parts = path.split('/')
  return parts.some((_part, at) => hidden.has(parts.slice(0, at + 1).join('/')))
}
