// A setup as a flat list of items: what is stored, compared and changed one by one.
import type { SetupItemTable } from '../store/tables.ts'
import { CompanyRules } from './rules.ts'
import type {
  AttributeSetup,
  CompanySetup,
  CustomersSetup,
  DocumentTypeSetup,
  RelationSetup,
  Setup,
  ValueListSetup,
} from './setup-schema.ts'

export type ItemKind =
  | 'company'
  | 'attribute'
  | 'relation'
  | 'documentType'
  | 'valueList'
  | 'customers'
  | 'role'
  | 'user'
  | 'client'
  | 'document'
  /** Of a built-in document. */
  | 'indexes'
  | 'authentication'

export interface SetupItem {
  /** Empty for what belongs to no company. */
  readonly companyId: string
  readonly kind: ItemKind
  readonly id: string
  readonly definition: object
}

/** How secrets become hashes; given, so that a comparison can be tested without their cost. */
export interface SecretTools {
  hashSecret(secret: string): Promise<string>
  verifySecret(secret: string, hash: string): Promise<boolean>
  readonly environment: Readonly<Record<string, string | undefined>>
}

/** The items of a checked setup. A secret from the environment that fits the stored hash keeps that hash. */
export async function itemsOf(setup: Setup, stored: readonly SetupItem[], tools: SecretTools): Promise<SetupItem[]> {
  const global = (kind: ItemKind, items: readonly { id: string }[] | undefined) =>
    (items ?? []).map((definition) => ({ companyId: '', kind, id: definition.id, definition }))
  const documents = (setup.documents ?? []).map((definition) => ({ ...definition, id: definition.name }))
  return [
    ...(setup.companies ?? []).flatMap(itemsOfCompany),
    ...global('document', documents),
    ...global('indexes', indexesOfBuiltIn(setup)),
    ...global('role', setup.roles),
    ...global('user', setup.users),
    ...(await clientItems(setup.clients ?? [], stored, tools)),
    ...(setup.authentication ? [authenticationItem(setup.authentication)] : []),
  ]
}

/** What a built-in document is named for in either section, is all that it has. */
function indexesOfBuiltIn({ indexes = {}, textIndexes = {} }: Setup) {
  const names = new Set([...Object.keys(indexes), ...Object.keys(textIndexes)])
  return [...names].map((id) => ({ id, indexes: indexes[id] ?? [], textIndexes: textIndexes[id] ?? [] }))
}

function itemsOfCompany(company: CompanySetup): SetupItem[] {
  const { attributes, relations, documentTypes, valueLists, customers, attributeValues: _values, ...own } = company
  const item = (kind: ItemKind, id: string, definition: object) => ({ companyId: company.id, kind, id, definition })
  return [
    item('company', company.id, own),
    ...(customers ? [item('customers', customers.attributeId, customers)] : []),
    ...(attributes ?? []).map((attribute) => item('attribute', attribute.id, attribute)),
    ...(relations ?? []).map((relation) => item('relation', relation.id, relation)),
    ...(documentTypes ?? []).map((type) => item('documentType', type.id, type)),
    ...Object.entries(valueLists ?? {}).map(([name, codes]) => item('valueList', name, codes)),
  ]
}

async function clientItems(
  clients: NonNullable<Setup['clients']>,
  stored: readonly SetupItem[],
  tools: SecretTools,
): Promise<SetupItem[]> {
  const items: SetupItem[] = []
  for (const { id, user, secretEnv, secretHash } of clients) {
    const known = stored.find((item) => item.kind === 'client' && item.id === id)?.definition as
      | { secretHash: string }
      | undefined
    const hash = secretHash ?? (await hashFromEnvironment(tools, secretEnv ?? '', known?.secretHash))
    items.push({ companyId: '', kind: 'client', id, definition: { id, user, secretHash: hash } })
  }
  return items
}

async function hashFromEnvironment(tools: SecretTools, variable: string, known: string | undefined): Promise<string> {
  const secret = tools.environment[variable]
  if (!secret) throw new Error(`the environment variable ${variable} is not set`)
  return known !== undefined && (await tools.verifySecret(secret, known)) ? known : tools.hashSecret(secret)
}

function authenticationItem(authentication: NonNullable<Setup['authentication']>): SetupItem {
  const issuers = (authentication.issuers ?? []).map((issuer) => ({ userClaim: 'sub', ...issuer }))
  return { companyId: '', kind: 'authentication', id: 'authentication', definition: { ...authentication, issuers } }
}

/** A stored item as it was set up. */
export function itemOf(row: SetupItemTable): SetupItem {
  return { companyId: row.company_id, kind: row.kind as ItemKind, id: row.id, definition: JSON.parse(row.definition) }
}

/** The rules of a company as its setup alone says them. */
export function rulesOfCompany(company: CompanySetup): CompanyRules {
  const items = itemsOfCompany(company)
  return companyRules(items[0] as SetupItem, items)
}

/** The rules of every company among the items, by its id. */
export function rulesFrom(items: readonly SetupItem[]): Map<string, CompanyRules> {
  const companies = items.filter((item) => item.kind === 'company')
  return new Map(companies.map((item) => [item.companyId, companyRules(item, items)]))
}

function companyRules(company: SetupItem, items: readonly SetupItem[]): CompanyRules {
  const own = items.filter((item) => item.companyId === company.companyId)
  const definitions = <Definition>(kind: ItemKind) =>
    own.filter((item) => item.kind === kind).map((item) => item.definition as Definition)
  return new CompanyRules(
    company.definition as CompanySetup,
    definitions<AttributeSetup>('attribute'),
    definitions<RelationSetup>('relation'),
    definitions<CustomersSetup>('customers')[0],
    Object.fromEntries(
      own.filter(({ kind }) => kind === 'valueList').map(({ id, definition }) => [id, definition as ValueListSetup]),
    ),
    definitions<DocumentTypeSetup>('documentType'),
  )
}
