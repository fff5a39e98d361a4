// A setup as a flat list of items. Items are stored, compared and changed one by one.
import { hash } from 'node:crypto'
import { type ClientDefinition, type StoredSecret, secretsOf } from '../../access/caller.ts'
import { parseDateTime } from '../../base/dates.ts'
import type { SetupItemTable } from '../../sql/service-tables.ts'
import type {
  AttributeSetup,
  ClientSetup,
  CompanySetup,
  CustomersSetup,
  DocumentSetup,
  DocumentTypeSetup,
  RelationSetup,
  Setup,
  SubscriptionSetup,
  ValueListSetup,
} from '../file/setup-schema.ts'
import { definitionsOf } from '../rules/access-definitions.ts'
import type { StoredCompany } from '../rules/companies.ts'
import { columnAt, keyNamesOf } from '../rules/declared-properties.ts'
import { declaredTableName } from '../rules/declared-table.ts'
import { quotasOf } from '../rules/quotas.ts'
import { CompanyRules, type RelationOwner } from '../rules/rules.ts'
import { type ItemKind, itemOf, type SetupItem } from './setup-item.ts'

export function documentsIn(items: readonly SetupItem[]): DocumentSetup[] {
  return definitionsOf(items, 'document')
}

/** What the setup before has declared: it stays legal, because a later setup must still be readable. */
export interface InForce {
  readonly documents: readonly DocumentSetup[]
  /** By the id of their company. */
  readonly customers: ReadonlyMap<string, CustomersSetup>
}

export function inForce(items: readonly SetupItem[]): InForce {
  const customers = items.filter(({ kind }) => kind === 'customers')
  return {
    documents: documentsIn(items),
    customers: new Map(customers.map(({ companyId, definition }) => [companyId, definition as CustomersSetup])),
  }
}

/** The items of a checked setup. */
export async function itemsOf(setup: Setup, stored: readonly SetupItem[], tools: SecretTools): Promise<SetupItem[]> {
  const global = (kind: ItemKind, items: readonly { id: string }[] | undefined) =>
    (items ?? []).map((definition) => ({ companyId: '', kind, id: definition.id, definition }))
  const knownClients = definitionsOf<ClientDefinition>(stored, 'client')
  const documents = (setup.documents ?? []).map((definition) => ({ ...definition, id: definition.name }))
  return [
    ...(setup.companies ?? []).flatMap(itemsOfCompany),
    ...global('document', documents),
    ...global('indexes', builtInDocumentIndexes(setup)),
    ...global('role', setup.roles),
    ...global('user', setup.users),
    ...global('client', await clientDefinitions(setup.clients ?? [], knownClients, tools)),
    ...(setup.companies ?? []).flatMap((company) => subscriptionItems(company, tools.environment)),
    ...(setup.authentication ? [authenticationItem(setup.authentication)] : []),
  ]
}

/** One item per built-in document, with its entries from both sections. */
function builtInDocumentIndexes({ indexes = {}, textIndexes = {} }: Setup) {
  const names = new Set([...Object.keys(indexes), ...Object.keys(textIndexes)])
  return [...names].map((id) => ({ id, indexes: indexes[id] ?? [], textIndexes: textIndexes[id] ?? [] }))
}

function itemsOfCompany(company: CompanySetup): SetupItem[] {
  const {
    attributes,
    relations,
    documentTypes,
    valueLists,
    customers,
    attributeValues: _values,
    subscriptions: _subscriptions,
    ...definition
  } = company
  const item = (kind: ItemKind, id: string, part: object) => ({ companyId: company.id, kind, id, definition: part })
  return [
    item('company', company.id, definition),
    ...(customers ? [item('customers', customers.attributeId, customers)] : []),
    ...(attributes ?? []).map((attribute) => item('attribute', attribute.id, attribute)),
    ...(relations ?? []).map((relation) => item('relation', relation.id, relation)),
    ...(documentTypes ?? []).map((type) => item('documentType', type.id, type)),
    ...Object.entries(valueLists ?? {}).map(([name, codes]) => item('valueList', name, codes)),
  ]
}

/** Each with a hash of its secret, so that a change is seen. A key is random and long: a plain hash tells nothing. */
function subscriptionItems(
  { id: companyId, subscriptions = [] }: CompanySetup,
  environment: SecretTools['environment'],
): SetupItem[] {
  return subscriptions.map((subscription) => {
    const secretHash = hash('sha256', environment[subscription.secretEnv] ?? '')
    return { companyId, kind: 'subscription', id: subscription.id, definition: { ...subscription, secretHash } }
  })
}

function authenticationItem(authentication: NonNullable<Setup['authentication']>): SetupItem {
  const issuers = (authentication.issuers ?? []).map((issuer) => ({ userClaim: 'sub', ...issuer }))
  return { companyId: '', kind: 'authentication', id: 'authentication', definition: { ...authentication, issuers } }
}

/** The rules of a company from its setup alone, without stored items. */
export function rulesOfCompany(company: CompanySetup): CompanyRules {
  return companyRules(itemsOfCompany(company), [])
}

/** The rules of every company among the items, by company id. */
export function rulesFrom(items: readonly SetupItem[]): Map<string, CompanyRules> {
  const owners = relationOwnersIn(items)
  const byCompany = Map.groupBy(items, ({ companyId }) => companyId)
  const companies = items.filter((item) => item.kind === 'company')
  return new Map(companies.map(({ companyId: id }) => [id, companyRules(byCompany.get(id) ?? [], owners)]))
}

/** The companies among stored items. Their rules are made from the texts of these when they are needed. */
export function companiesIn(rows: readonly SetupItemTable[], documents: readonly SetupItem[]): StoredCompany[] {
  const owners = relationOwnersIn(documents)
  return [...Map.groupBy(rows, (row) => row.company_id).values()].flatMap((own) => {
    const company = own.find(({ kind }) => kind === 'company')
    return company ? [storedCompany(company, own, owners)] : []
  })
}

function storedCompany(
  company: SetupItemTable,
  rows: readonly SetupItemTable[],
  owners: readonly RelationOwner[],
): StoredCompany {
  const setup = JSON.parse(company.definition) as CompanySetup
  const { id, name, accent, figures, quotas, journal, holds = [], source } = setup
  const known = { id, name, accent, figures, holds, quotas: quotasOf(quotas), journalKept: journal?.keep }
  return { ...known, hasSource: source !== undefined, makeRules: () => companyRules(rows.map(itemOf), owners) }
}

function companyRules(companyItems: readonly SetupItem[], owners: readonly RelationOwner[]): CompanyRules {
  const definitions = <Definition>(kind: ItemKind) => definitionsOf<Definition>(companyItems, kind)
  return new CompanyRules(
    definitions<CompanySetup>('company')[0] as CompanySetup,
    definitions<AttributeSetup>('attribute'),
    definitions<RelationSetup>('relation'),
    definitions<CustomersSetup>('customers')[0],
    Object.fromEntries(
      companyItems
        .filter(({ kind }) => kind === 'valueList')
        .map(({ id, definition }) => [id, definition as ValueListSetup]),
    ),
    definitions<DocumentTypeSetup>('documentType'),
    owners,
  )
}

function relationOwnersIn(items: readonly SetupItem[]): RelationOwner[] {
  return documentsIn(items).flatMap((document) => {
    const { attributeId, relations, table } = document
    if (!relations || attributeId === undefined || table !== undefined) return []
    const [key = ''] = keyNamesOf(document)
    return [{ attributeId, table: declaredTableName(document), keyColumn: columnAt(document, key) }]
  })
}

/** Hashing of secrets. Injected, so that tests need not pay its cost. */
interface SecretTools {
  hashSecret(secret: string): Promise<string>
  verifySecret(secret: string, hash: string): Promise<boolean>
  readonly environment: Readonly<Record<string, string | undefined>>
}

/** A stored hash of a client stays when the secret in the environment matches it. */
async function clientDefinitions(
  clients: readonly ClientSetup[],
  stored: readonly ClientDefinition[],
  tools: SecretTools,
): Promise<ClientDefinition[]> {
  const definitions: ClientDefinition[] = []
  for (const { secretEnv, secretHash, secrets, ...client } of clients) {
    const known = stored.filter(({ id }) => id === client.id).flatMap(secretsOf)
    const hashOf = async (hash: string | undefined, variable = '') =>
      hash ?? (await hashFromEnvironment(tools, variable, known))
    if (secrets === undefined) definitions.push({ ...client, secretHash: await hashOf(secretHash, secretEnv) })
    else {
      const all: StoredSecret[] = []
      for (const { env, hash, until } of secrets) {
        all.push({
          hash: await hashOf(hash, env),
          ...(until === undefined ? {} : { until: parseDateTime(until) ?? '' }),
        })
      }
      definitions.push({ ...client, secrets: all })
    }
  }
  return definitions
}

async function hashFromEnvironment(
  tools: SecretTools,
  variable: string,
  known: readonly StoredSecret[],
): Promise<string> {
  const secret = tools.environment[variable]
  if (!secret) throw new Error(`the environment variable ${variable} is not set`)
  for (const { hash } of known) if (await tools.verifySecret(secret, hash)) return hash
  return tools.hashSecret(secret)
}

/** The definition of a subscription as a setup file has it. */
export function withoutHash({
  secretHash: _hash,
  ...subscription
}: SubscriptionSetup & { readonly secretHash: string }): SubscriptionSetup {
  return subscription
}
