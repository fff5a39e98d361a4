// Why a request of a client is allowed or refused. The functions that decide the request are asked.
import { Caller, type ClientDefinition, type UserDefinition } from '../access/caller.ts'
import { type AccessDefinitions, Directory } from '../access/directory.ts'
import { systemClock } from '../base/clock.ts'
import { didYouMean } from '../base/text.ts'
import type { ChangeService } from '../changes/feed/change-service.ts'
import { changeRoutes } from '../changes/feed/routes.ts'
import { Problem } from '../errors/problem.ts'
import { reasonOf } from '../errors/reason.ts'
import { authorise, requirePossible } from '../http/pipeline/authorise.ts'
import { ANY_CALLER, type Method, permitOf } from '../http/route/route.ts'
import { type FoundRoute, RouteLookup } from '../http/route/route-lookup.ts'
import { associatedWith } from '../model/restricted.ts'
import { DeclaredDocuments } from '../objects/declared-documents.ts'
import type { EnterpriseDocument } from '../objects/enterprise-document.ts'
import { type OwnRule, queryableDocuments, rulesOf } from '../objects/own-access.ts'
import { requireReadable } from '../objects/query-document.ts'
import { readItemsBeside, type SetupItem } from '../setup/items/setup-item.ts'
import { documentsIn } from '../setup/items/setup-items.ts'
import { accessFrom } from '../setup/rules/access-definitions.ts'
import type { ReadOnlyDatabase } from '../store/audit/audit-store.ts'
import { subscriptionActionRoutes } from '../subscriptions/delivery/routes.ts'
import { subscriptionRoutes } from '../subscriptions/routes.ts'
import type { SubscriptionService } from '../subscriptions/subscription-service.ts'
import { type RecordService, recordRoutes } from './record-routes.ts'
import { builtInDocuments } from './setup/built-in-documents.ts'

export interface AskedRequest {
  readonly clientId: string
  /** Undefined: the user's default company. */
  readonly companyId: string | undefined
  readonly method: Method
  /** Without base path and query. */
  readonly path: string
}

export interface Explanation {
  /** Absent if the request is allowed. */
  readonly refusal?: { readonly status: number; readonly reason: string }
  readonly userId: string
  readonly companyId: string
  /** What a role must have: a permission, and for a query the name of the document. */
  readonly needs: readonly string[]
  /** Those of the user's roles in the company that alone allow the request. */
  readonly givenBy: readonly string[]
  /** All roles of the setup that would. */
  readonly wouldBeGivenBy: readonly string[]
  readonly rules: readonly OwnRule[]
  /** Associated documents of which nothing is shown. */
  readonly withoutAssociated: readonly string[]
}

/**
 * Routes pass it to their handlers, none of which is called; what `asOf` covers is asked for their descriptions, and
 * the documents of the setup for their addresses.
 */
function serviceOf(custom: DeclaredDocuments): RecordService {
  return { past: { covers: () => true }, own: custom } as unknown as RecordService
}

const NO_CHANGES = {} as ChangeService
const NO_SUBSCRIPTIONS = {} as SubscriptionService

/** Reads the setup that is in force, by which the returned function explains requests. */
export async function explainerOf(database: ReadOnlyDatabase): Promise<(requested: AskedRequest) => Explanation> {
  const items = await readItemsBeside(database)
  const custom = new DeclaredDocuments(database)
  await custom.replace(documentsIn(items))
  const builtIn = builtInDocuments(systemClock, () => custom)
  const routes = new RouteLookup()
  recordRoutes(routes, serviceOf(custom), { builtIn, custom, withIndexes: (definition) => definition })
  changeRoutes(routes, NO_CHANGES)
  subscriptionRoutes(routes, NO_SUBSCRIPTIONS)
  subscriptionActionRoutes(routes, NO_SUBSCRIPTIONS)
  const access = accessFrom(items)
  return (requested) => {
    requireCompany(items, requested.companyId)
    const found = routes.find(requested.method, requested.path)
    return explain(access, found, [...builtIn, ...custom.all], requested)
  }
}

function requireCompany(items: readonly SetupItem[], companyId: string | undefined): void {
  const ids = items.filter(({ kind }) => kind === 'company').map(({ id }) => id)
  if (companyId === undefined || ids.some((id) => id.toLowerCase() === companyId.toLowerCase())) return
  throw new Error(`there is no company ${companyId}; those that are set up are ${ids.join(', ')}`)
}

function explain(
  access: AccessDefinitions,
  found: FoundRoute | undefined,
  documents: readonly EnterpriseDocument[],
  requested: AskedRequest,
): Explanation {
  const { client, user } = accountOf(access, requested.clientId)
  const roles = new Map(access.roles.map((role) => [role.id, role]))
  const companyId = requested.companyId ?? user.defaultCompany
  const document = /\/objects\/([^/]+)\/?$/.exec(requested.path)?.[1]
  const decide = (caller: Caller | undefined) => decisionOn(caller, found, document, requested)
  const directory = new Directory()
  directory.replace(access)
  const caller = directory.callerOfClient(client.id)
  const refusal = decide(caller)
  const alone = (role: string) =>
    decide(new Caller({ ...user, roles: { [companyId]: [role] } }, client.id, roles)) === undefined
  const own = Object.entries(user.roles ?? {}).find(([id]) => id.toLowerCase() === companyId.toLowerCase())?.[1] ?? []
  return {
    ...(refusal ? { refusal } : {}),
    userId: user.id,
    companyId,
    needs: found
      ? [permitOf(found.route, found.params), ...(document === undefined ? [] : [`objects: ${document}`])]
      : [],
    givenBy: own.filter(alone),
    wouldBeGivenBy: access.roles.map(({ id }) => id).filter(alone),
    ...(caller && found && !refusal ? effectOf(caller, companyId, found, document, documents) : NO_EFFECT),
  }
}

function accountOf(
  { clients, users }: AccessDefinitions,
  clientId: string,
): { client: ClientDefinition; user: UserDefinition } {
  const client = clients.find(({ id }) => id === clientId)
  const user = users.find(({ id }) => id === client?.user)
  if (!client || !user) {
    const ids = clients.map(({ id }) => id)
    throw new Error(`there is no client '${clientId}'${didYouMean(clientId, ids)}`)
  }
  return { client, user }
}

/** Why the request is refused; undefined if it is not. */
function decisionOn(
  caller: Caller | undefined,
  found: FoundRoute | undefined,
  document: string | undefined,
  { companyId, path }: AskedRequest,
): Explanation['refusal'] {
  if (!caller) return { status: 401, reason: 'the client is disabled, or its user is' }
  if (!found) return { status: 404, reason: 'there is no such address that needs rights' }
  try {
    requirePossible(caller, found.route, found.params, path)
    const authorised = authorise(caller, found.route, found.params, companyId)
    if (document !== undefined) requireReadable(caller, authorised, document)
    return undefined
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { status: error.status, reason: reasonOf(error) }
  }
}

const NO_EFFECT = { rules: [], withoutAssociated: [] }

function effectOf(
  caller: Caller,
  companyId: string,
  { route, params }: FoundRoute,
  document: string | undefined,
  documents: readonly EnterpriseDocument[],
): Pick<Explanation, 'rules' | 'withoutAssociated'> {
  const permit = permitOf(route, params)
  if (permit === ANY_CALLER) return NO_EFFECT
  const names = documents.map(({ common }) => common.name)
  const found = documents.find(({ common }) => common.name === document)
  const associated = found ? [...new Set(associatedWith(found.common))] : []
  const concerned = [document, ...associated]
  const rules = rulesOf(caller, companyId, queryableDocuments(caller, companyId, names)).filter(
    (rule) => rule.operations.includes(permit) && (document === undefined || concerned.includes(rule.document)),
  )
  return { rules, withoutAssociated: associated.filter((name) => !caller.mayQuery(companyId, 'read', name)) }
}
