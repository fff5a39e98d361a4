// The rules of roles: filters must make sense, and hidden names be there, in every company where the role is given.
import { nearestName } from '../../base/text.ts'
import type { DocumentDefinition, Properties, Property } from '../../model/document.ts'
import { bindFilter } from '../../query/bind.ts'
import { parseFilter } from '../../query/parse/filter.ts'
import { QueryError } from '../../query/query-error.ts'
import { ownDefinition } from '../own-document.ts'
import type { CompanyRules } from '../rules.ts'
import { rulesOfCompany } from '../setup-items.ts'
import type { DocumentSetup, Setup } from '../setup-schema.ts'
import type { SetupPath, YamlSource } from '../yaml-source.ts'
import { checkReference } from './check.ts'
import { BUILT_IN_DOCUMENTS } from './documents.ts'

/** A built-in Enterprise Document, as a company has it; given, because this room knows none of them. */
export type FindDocument = (name: string, company: CompanyRules) => DocumentDefinition | undefined

/** What says which properties the records of a company have. */
const SHAPING = [['id'], ['attributes'], ['relations'], ['customers'], ['valueLists']]

type RoleSetup = NonNullable<Setup['roles']>[number]
type RuleSetup = NonNullable<RoleSetup['rules']>[string]

export function checkRulesOfRoles(setup: Setup, source: YamlSource, findBuiltIn: FindDocument): void {
  const documents = setup.documents ?? []
  const sound = documents.filter((_document, at) => source.isSound(['documents', at]))
  const own = new Map(sound.map((document) => [document.name, definitionOf(document)]))
  const names = new Set([...BUILT_IN_DOCUMENTS, ...documents.map(({ name }) => name)])
  for (const [index, role] of (setup.roles ?? []).entries()) {
    const companies = companiesOf(setup, role, source)
    for (const [name, rule] of Object.entries(role.rules ?? {})) {
      const path = ['roles', index, 'rules', name]
      checkReference(source, path, 'Enterprise Document', name, names)
      const ownOne = own.get(name)
      const definitions = ownOne ? [ownOne] : companies.map((company) => findBuiltIn(name, company))
      checkRule(rule, new Set(definitions.filter((one) => one !== undefined)), path, source)
    }
  }
}

/** Its columns are known when it is served; its names are known now. A table that is there already has no `lastUpdated` of ours. */
function definitionOf(document: DocumentSetup): DocumentDefinition {
  const definition = ownDefinition(document)
  if (document.table === undefined) return definition
  const { lastUpdated: _ours, ...properties } = definition.properties
  return { ...definition, properties }
}

/** Where somebody has the role; of a role that nobody has, all. One in which something is wrong may have other properties. */
function companiesOf(setup: Setup, role: RoleSetup, source: YamlSource): CompanyRules[] {
  const given = new Set(
    (setup.users ?? []).flatMap(({ roles = {} }) =>
      Object.keys(roles).filter((companyId) => roles[companyId]?.includes(role.id)),
    ),
  )
  const companies = setup.companies ?? []
  const sound = companies.filter((_company, at) => SHAPING.every((part) => source.isSound(['companies', at, ...part])))
  return sound.filter(({ id }) => given.size === 0 || given.has(id)).map(rulesOfCompany)
}

/** What is wrong in several companies is told of the first. */
function checkRule(
  rule: RuleSetup,
  definitions: ReadonlySet<DocumentDefinition>,
  path: SetupPath,
  source: YamlSource,
): void {
  const tell = (place: SetupPath, problemIn: (definition: DocumentDefinition) => string | undefined): void => {
    for (const definition of definitions) {
      const problem = problemIn(definition)
      if (problem === undefined) continue
      source.add(place, problem)
      return
    }
  }
  const { filter, hidden = [] } = rule
  if (filter !== undefined) {
    const problem = definitions.size === 0 ? problemOfFilter(filter) : undefined
    if (problem !== undefined) source.add([...path, 'filter'], problem)
    tell([...path, 'filter'], (definition) => problemOfFilter(filter, definition))
  }
  for (const [at, name] of hidden.entries()) {
    tell([...path, 'hidden', at], (definition) => problemOfHidden(definition, name))
  }
}

/** Without a definition, of its grammar alone. */
function problemOfFilter(filter: string, definition?: DocumentDefinition): string | undefined {
  if (filter.includes('\0')) return 'a filter holds no U+0000'
  try {
    const parsed = parseFilter(filter)
    if (definition) bindFilter(definition, parsed)
    return undefined
  } catch (error) {
    if (error instanceof QueryError) return error.message
    throw error
  }
}

/** Groups and lists are hidden whole, or what is in a group by its path. */
function problemOfHidden(definition: DocumentDefinition, path: string): string | undefined {
  if (definition.key.some((name) => name.toLowerCase() === path.toLowerCase())) {
    return `'${path}' is a part of the key of ${definition.name}, which cannot be hidden`
  }
  let inside: Properties | undefined = definition.properties
  let above = definition.name
  for (const name of path.split('/')) {
    if (inside === undefined) return `nothing inside '${above}' can be hidden by itself: hide it whole`
    const found: string | undefined = Object.keys(inside).find((known) => known.toLowerCase() === name.toLowerCase())
    if (found === undefined) {
      const nearest = nearestName(name, Object.keys(inside))
      return `${above} has no property '${name}'${nearest ? `; did you mean '${nearest}'?` : ''}`
    }
    const property: Property | undefined = inside[found]
    inside = property?.kind === 'group' ? property.properties : undefined
    above = found
  }
  return undefined
}
