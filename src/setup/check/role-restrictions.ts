// Checks the restrictions of roles: filters must be valid and hidden properties exist wherever the role is granted.
import { didYouMean } from '../../base/text.ts'
import type { DocumentDefinition, Properties, Property } from '../../model/document.ts'
import { bindFilter } from '../../query/bind.ts'
import { parseFilter } from '../../query/parse/filter.ts'
import { QueryError } from '../../query/parse/query-error.ts'
import type { CompanySetup, DocumentSetup, Setup } from '../file/setup-schema.ts'
import type { SetupPart, YamlSource } from '../file/yaml-source.ts'
import { rulesOfCompany } from '../items/setup-items.ts'
import { declaredRecordsOf } from '../rules/declared-record.ts'
import { declaredDefinition } from '../rules/external-document.ts'
import type { CompanyRules } from '../rules/rules.ts'
import { checkReference } from './check.ts'
import { BUILT_IN_DOCUMENTS } from './documents.ts'

/** Finds a built-in Enterprise Document for a company. Injected, because this module does not know them. */
export type FindDocument = (name: string, company: CompanyRules) => DocumentDefinition | undefined

/** The parts of a company that determine the properties of its records. */
const SCHEMA_PARTS = ['id', 'attributes', 'relations', 'customers', 'valueLists']

const isSound = (company: SetupPart): boolean => SCHEMA_PARTS.every((part) => company.at(part).isValid)

/** Finds the built-in documents of a company, unless something is wrong with what determines their properties. */
export function findOf(company: CompanySetup, place: SetupPart, findBuiltIn: FindDocument) {
  return (name: string) => (isSound(place) ? findBuiltIn(name, rulesOfCompany(company)) : undefined)
}

type RoleSetup = NonNullable<Setup['roles']>[number]
type RuleSetup = NonNullable<RoleSetup['rules']>[string]

export function checkRoleRestrictions(setup: Setup, source: YamlSource, findBuiltIn: FindDocument): void {
  const customDocuments = namesOfDeclared(setup, source)
  const names = documentNames(setup)
  for (const [index, role] of (setup.roles ?? []).entries()) {
    const companies = companiesOf(setup, role, source)
    for (const [name, rule] of Object.entries(role.rules ?? {})) {
      const place = source.at('roles', index, 'rules', name)
      checkReference(place, 'Enterprise Document', name, names)
      const declaredDocument = customDocuments.get(name)
      const definitions = declaredDocument ? [declaredDocument] : companies.map((company) => findBuiltIn(name, company))
      checkRule(rule, new Set(definitions.filter((one) => one !== undefined)), place)
    }
  }
}

/** Whatever a setup may ask of. */
export const documentNames = ({ documents = [] }: Setup): ReadonlySet<string> =>
  new Set([...BUILT_IN_DOCUMENTS, ...documents.map(({ name }) => name)])

/** The definitions of the documents that a setup declares, without those in which something is wrong. */
export function namesOfDeclared(
  { documents = [] }: Setup,
  source: YamlSource,
): ReadonlyMap<string, DocumentDefinition> {
  const valid = documents.filter((_document, at) => source.at('documents', at).isValid)
  const records = declaredRecordsOf(valid)
  return new Map(
    valid.map((document) => [
      document.name,
      records.get(document.name)?.record.document ?? externalDefinition(document),
    ]),
  )
}

/** Property names are known now; columns only when the document is served. An external table has no `lastUpdated`. */
function externalDefinition({ table: _external, ...declared }: DocumentSetup): DocumentDefinition {
  const definition = declaredDefinition(declared)
  const { lastUpdated: _serviceOwned, ...properties } = definition.properties
  return { ...definition, properties }
}

/** The valid companies where a user has the role, or all valid ones if no user has it. */
function companiesOf(setup: Setup, role: RoleSetup, source: YamlSource): CompanyRules[] {
  const granted = new Set(
    (setup.users ?? []).flatMap(({ roles = {} }) =>
      Object.keys(roles).filter((companyId) => roles[companyId]?.includes(role.id)),
    ),
  )
  const companies = setup.companies ?? []
  const valid = companies.filter((_company, at) => isSound(source.at('companies', at)))
  return valid.filter(({ id }) => granted.size === 0 || granted.has(id)).map(rulesOfCompany)
}

/** A problem of several companies is reported once, for the first of them. */
function checkRule(rule: RuleSetup, definitions: ReadonlySet<DocumentDefinition>, place: SetupPart): void {
  const report = (at: SetupPart, problemIn: (definition: DocumentDefinition) => string | undefined): void => {
    for (const definition of definitions) {
      const problem = problemIn(definition)
      if (problem === undefined) continue
      at.add(problem)
      return
    }
  }
  const { filter, hidden = [] } = rule
  if (filter !== undefined) {
    const problem = definitions.size === 0 ? problemOfFilter(filter) : undefined
    if (problem !== undefined) place.at('filter').add(problem)
    report(place.at('filter'), (definition) => problemOfFilter(filter, definition))
  }
  for (const [at, name] of hidden.entries()) {
    report(place.at('hidden', at), (definition) => problemOfHidden(definition, name))
  }
}

/** Without a definition, only the syntax is checked. */
export function problemOfFilter(filter: string, definition?: DocumentDefinition): string | undefined {
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

/** A path may name a group, a list, or a property in a group. */
function problemOfHidden(definition: DocumentDefinition, path: string): string | undefined {
  if (definition.key.some((name) => name.toLowerCase() === path.toLowerCase())) {
    return `'${path}' is a part of the key of ${definition.name}, which cannot be hidden`
  }
  let properties: Properties | undefined = definition.properties
  let parent = definition.name
  for (const name of path.split('/')) {
    if (properties === undefined) return `nothing inside '${parent}' can be hidden by itself: hide it whole`
    const found: string | undefined = Object.keys(properties).find(
      (known) => known.toLowerCase() === name.toLowerCase(),
    )
    if (found === undefined) return `${parent} has no property '${name}'${didYouMean(name, Object.keys(properties))}`
    const property: Property | undefined = properties[found]
    properties = property?.kind === 'group' ? property.properties : undefined
    parent = found
  }
  return undefined
}
