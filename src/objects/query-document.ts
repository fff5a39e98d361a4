// Executes a query on an Enterprise Document: plans the query options and replies with the result.
import type { Caller } from '../access/caller.ts'
import { andWhile, type Validity } from '../base/validity.ts'
import { invalidOption, notAuthorised } from '../errors/catalogue.ts'
import { unlessUnchanged } from '../http/cache/conditional-requests.ts'
import type { QueryPairs } from '../http/query-string.ts'
import { truncated } from '../http/reply/next-page.ts'
import type { Reply } from '../http/reply/send.ts'
import type { ApiRequest } from '../http/router.ts'
import type { DocumentDefinition } from '../model/document.ts'
import { associatedWith, restricted } from '../model/restricted.ts'
import { type Planned, planOf } from '../query/known-plans.ts'
import { MAX_LIMIT } from '../query/options.ts'
import { QueryError } from '../query/query-error.ts'
import { schemaOfAnswer } from '../query/schema-of.ts'
import type { Companies } from '../setup/rules/companies.ts'
import type { CompanyRules } from '../setup/rules/rules.ts'
import {
  answerCollection,
  type CollectionRequest,
  countCollection,
  validityOfAnswer,
  validityOfCount,
} from '../store/collection.ts'
import type { KeyFilter, Store } from '../store/store.ts'
import { CONTENT_TYPES, languagesOf, negotiateFormat } from './accept.ts'
import type { EnterpriseDocument } from './enterprise-document.ts'

export interface ObjectService {
  readonly store: Store
  readonly companies: Companies
}

interface ResolvedQuery extends Planned {
  readonly company: CompanyRules
  readonly definition: DocumentDefinition
  readonly scope: KeyFilter
}

/** Replies with the records of a query in the format negotiated by `Accept`. */
export async function queryDocument(
  service: ObjectService,
  document: EnterpriseDocument,
  apiRequest: ApiRequest,
): Promise<Reply> {
  const { company, definition, options, plan, scope } = resolveQuery(service, document, apiRequest)
  const format = negotiateFormat(apiRequest.accept)
  const headers = { 'content-type': CONTENT_TYPES[format] }
  if (format === 'schema') return { status: 200, headers, body: JSON.stringify(schemaOfAnswer(plan, company)) }

  const mayExport = format !== 'json' && apiRequest.caller.mayQuery(company.id, 'export', definition.name)
  const request: CollectionRequest = {
    companyId: company.id,
    plan,
    scope,
    language: company.valueLists.languageFor(languagesOf(apiRequest.acceptLanguage)),
    format,
    cap: mayExport ? undefined : MAX_LIMIT,
    caller: apiRequest.asker,
  }
  const validity = await documentValidity(document, company, () => validityOfAnswer(service.store, request))
  return unlessUnchanged(apiRequest, validity, async () => {
    const { body, isCut } = await answerCollection(service.store, request)
    if (!isCut) return { status: 200, headers, body }
    const next = truncated(apiRequest.path, apiRequest.query, options.offset + MAX_LIMIT)
    return { status: 200, headers: { ...headers, ...next }, body }
  })
}

/** Counts the records that match a filter. A limit or an offset is rejected with 400 (decision 6). */
export async function countDocument(
  service: ObjectService,
  document: EnterpriseDocument,
  apiRequest: ApiRequest,
): Promise<Reply> {
  const { company, options, plan, scope } = resolveQuery(service, document, apiRequest)
  if (options.limit !== undefined || options.offset !== 0) {
    throw invalidOption('A count takes no limit and no offset.')
  }
  const request = { companyId: company.id, plan, scope, caller: apiRequest.asker }
  const validity = await documentValidity(document, company, () => validityOfCount(service.store, request))
  return unlessUnchanged(apiRequest, validity, async () => {
    const total = await countCollection(service.store, request)
    return { status: 200, headers: { 'x-erp-total-count': String(total) } }
  })
}

type Found = Validity | undefined

/** The validity of a response; undefined for external tables, whose changes are not noticed. */
async function documentValidity(
  document: EnterpriseDocument,
  company: CompanyRules,
  validityOf: () => Found | Promise<Validity>,
): Promise<Found> {
  const validity = document.common.isExternal ? undefined : await validityOf()
  const { timeOf } = document
  return validity && timeOf ? andWhile(validity, () => timeOf(company)) : validity
}

function resolveQuery({ companies }: ObjectService, document: EnterpriseDocument, request: ApiRequest): ResolvedQuery {
  const company = companies.require(request.companyId)
  const unrestricted = document.of(company)
  requireReadable(request.caller, company.id, unrestricted.name)
  const rules = request.caller.rulesForQuery(company.id, unrestricted.name, associatedWith(unrestricted))
  const definition = rules ? restricted(unrestricted, rules) : unrestricted
  const planned = planOrReject(definition, request.query)
  const scope = document.scopeOf?.(request.query, planned.plan) ?? []
  return { company, definition, scope: [[definition.companyColumn, company.id], ...scope], ...planned }
}

function requireReadable(caller: Caller, companyId: string, document: string): void {
  if (!caller.mayQuery(companyId, 'read', document)) throw notAuthorised()
}

/** Maps errors in a query to 400, code 1020, with the position (decision 6). */
function planOrReject(definition: DocumentDefinition, query: QueryPairs): Planned {
  try {
    return planOf(definition, query)
  } catch (error) {
    if (error instanceof QueryError) throw invalidOption(error.message)
    throw error
  }
}
