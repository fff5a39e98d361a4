// Executes a query on an Enterprise Document: plans the query options and replies with the result.
import type { Caller, ReadRequest } from '../access/caller.ts'
import type { Clock } from '../base/clock.ts'
import type { QueryPairs } from '../base/text.ts'
import { andWhile, type Validity } from '../base/validity.ts'
import { invalidOption, notAuthorised } from '../errors/catalogue.ts'
import type { DocumentDefinition } from '../model/document.ts'
import { associatedWith, restricted } from '../model/restricted.ts'
import { namedLanguages } from '../model/titles.ts'
import { type ParquetFiles, parquetAnswer } from '../parquet/parquet-files.ts'
import type { AnsweredCollection } from '../parquet/parquet-routes.ts'
import { chooseFormat, languagesOf } from '../query/collection-format.ts'
import { columnTitles } from '../query/column-titles.ts'
import { type Planned, planOf } from '../query/known-plans.ts'
import { MAX_LIMIT } from '../query/options.ts'
import { QueryError } from '../query/parse/query-error.ts'
import { planValidAt } from '../query/valid-at.ts'
import type { Companies } from '../setup/rules/companies.ts'
import type { CompanyRules } from '../setup/rules/rules.ts'
import type { KeyFilter } from '../sql/rows/compiled-query.ts'
import {
  answerCollection,
  type CollectionRequest,
  countCollection,
  type PastCollections,
  validityOfAnswer,
  validityOfCount,
} from '../store/collection.ts'
import type { QueryCaller, Store } from '../store/store.ts'
import { answerSchema } from './answer-schema.ts'
import type { EnterpriseDocument } from './enterprise-document.ts'

export interface ObjectService {
  readonly store: Store
  readonly companies: Companies
  readonly clock: Clock
  readonly past: PastCollections
}

/** What answers whole collections, in every format. */
export interface CollectionService extends ObjectService {
  readonly parquet: ParquetFiles
}

interface ResolvedQuery extends Planned {
  readonly company: CompanyRules
  readonly definition: DocumentDefinition
  readonly scope: KeyFilter
}

interface DocumentQuery extends ReadRequest {
  /** The headers that select the format, and the language of descriptions. */
  readonly accept: string | undefined
  readonly acceptLanguage: string | undefined
}

/** The records of a query in the format of `$format` or `Accept`. */
export async function queryDocument(
  service: CollectionService,
  document: EnterpriseDocument,
  query: DocumentQuery,
): Promise<AnsweredCollection> {
  const { company, definition, options, plan, scope } = resolveQuery(service, document, query)
  const requested = { requested: options.format, accept: query.accept, acceptLanguage: query.acceptLanguage }
  const { format, isSchema, isParquet, style, contentType, fileName, validityOf } = chooseFormat(requested, {
    document: definition.name,
    company,
    clock: service.clock,
    hasSchema: true,
  })
  const languages = isSchema || style ? namedLanguages(query.acceptLanguage) : []
  const page = { contentType, fileName, nextOffset: options.offset + MAX_LIMIT, isPart: options.isPart }
  if (isSchema) {
    const { caller } = query
    const isWhole = options.select === undefined && !plan.grouping
    const schema = answerSchema(plan, isWhole, { definition, whole: document.common, company, caller, languages })
    const body = JSON.stringify(schema)
    return { ...page, validity: undefined, read: async () => ({ body, isCut: false }) }
  }
  const mayExport = format !== 'json' && query.caller.mayQuery(company.id, 'export', definition.name)
  const request: CollectionRequest = {
    companyId: company.id,
    plan,
    scope,
    language: company.valueLists.languageFor(languagesOf(query.acceptLanguage)),
    format,
    style,
    headings: style && languages.length > 0 ? columnTitles(plan, languages) : undefined,
    cap: mayExport ? undefined : MAX_LIMIT,
    caller: query.requester,
  }
  const { asOf } = options
  const readFor = async (requester: QueryCaller) => {
    const requested = { ...request, caller: requester }
    if (asOf !== undefined) return service.past.answer(requested, asOf)
    return recorded(document, await answerCollection(service.store, requested))
  }
  const found =
    asOf === undefined && (await documentValidity(document, company, () => validityOfAnswer(service.store, request)))
  const validity = found ? validityOf(found) : undefined
  if (!isParquet) return { ...page, validity, read: () => readFor(query.requester) }
  const subject = { plan, companyId: company.id, query: query.query }
  const file = (requester: QueryCaller) =>
    parquetAnswer(service.parquet.encoder, requester, subject, () => readFor(requester))
  return { ...page, validity, file, read: () => file(query.requester) }
}

/** Counts the records that match a filter. A limit or an offset is rejected with 400 (decision 6). */
export async function countDocument(service: ObjectService, document: EnterpriseDocument, query: ReadRequest) {
  const { company, options, plan, scope } = resolveQuery(service, document, query)
  if (options.isPart) throw invalidOption('A count takes no limit and no offset.')
  const request = { companyId: company.id, plan, scope, caller: query.requester }
  const { asOf } = options
  if (asOf !== undefined) return { validity: undefined, count: () => service.past.count(request, asOf) }
  const validity = await documentValidity(document, company, () => validityOfCount(service.store, request))
  return { validity, count: async () => recorded(document, await countCollection(service.store, request)) }
}

/** Without the change number for external tables, whose changes are not recorded. */
function recorded<Answer extends { readonly changeNumber: number }>({ common }: EnterpriseDocument, answer: Answer) {
  return common.isExternal ? { ...answer, changeNumber: undefined } : answer
}

type Found = Validity | undefined

/** The validity of a response; undefined for external tables, whose changes are not noticed. */
function documentValidity(
  { common, timeOf }: EnterpriseDocument,
  company: CompanyRules,
  validityOf: () => Found | Promise<Found>,
): Found | Promise<Found> {
  if (common.isExternal) return undefined
  if (!timeOf) return validityOf()
  const untilThen = (found: Found) => found && andWhile(found, () => timeOf(company))
  return Promise.resolve(validityOf()).then(untilThen)
}

function resolveQuery({ companies }: ObjectService, document: EnterpriseDocument, request: ReadRequest): ResolvedQuery {
  const company = companies.require(request.companyId)
  const unrestricted = document.of(company)
  requireReadable(request.caller, company.id, unrestricted.name)
  const rules = request.caller.rulesForQuery(company.id, unrestricted.name, associatedWith(unrestricted))
  const definition = rules ? restricted(unrestricted, rules) : unrestricted
  const { options, plan: requested } = planOrReject(definition, request.query)
  const plan = planValidAt(requested, options.validAt, company)
  const scope = document.scopeOf?.(request.query, plan) ?? []
  return { company, definition, scope: [[definition.companyColumn, company.id], ...scope], options, plan }
}

/** Throws 403 unless a role of the caller names the document. */
export function requireReadable(caller: Caller, companyId: string, document: string): void {
  if (!caller.mayQuery(companyId, 'read', document))
    throw notAuthorised(`no role of the caller in the company names the document ${document}`)
}

/** Maps errors in a query to 400, code 1020, with the position (decision 6). */
function planOrReject(definition: DocumentDefinition, query: QueryPairs): Planned {
  try {
    return planOf(definition, query)
  } catch (error) {
    if (error instanceof QueryError) throw invalidOption(error.message, error.reason, error.parts)
    throw error
  }
}
