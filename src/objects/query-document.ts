// Executes a query on an Enterprise Document: plans the query options and replies with the result.
import type { Caller, ReadRequest } from '../access/caller.ts'
import type { QueryPairs } from '../base/text.ts'
import { andWhile, type Validity } from '../base/validity.ts'
import { invalidOption, notAuthorised } from '../errors/catalogue.ts'
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
import type { KeyFilter } from '../store/compile/compiled-query.ts'
import type { AnswerFormat, Store } from '../store/store.ts'
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

export interface DocumentQuery extends ReadRequest {
  /** The headers that select the format, and the language of descriptions. */
  readonly accept: string | undefined
  readonly acceptLanguage: string | undefined
}

/** The records of a query in the format negotiated by `Accept`. */
export async function queryDocument(service: ObjectService, document: EnterpriseDocument, query: DocumentQuery) {
  const { company, definition, options, plan, scope } = resolveQuery(service, document, query)
  const format = negotiateFormat(query.accept)
  const page = { headers: { 'content-type': CONTENT_TYPES[format] }, nextOffset: options.offset + MAX_LIMIT }
  if (format === 'schema') {
    const body = JSON.stringify(schemaOfAnswer(plan, company))
    return { ...page, validity: undefined, read: async () => ({ body, isCut: false }) }
  }
  const mayExport = format !== 'json' && query.caller.mayQuery(company.id, 'export', definition.name)
  const request: CollectionRequest = {
    companyId: company.id,
    plan,
    scope,
    language: company.valueLists.languageFor(languagesOf(query.acceptLanguage)),
    format,
    cap: mayExport ? undefined : MAX_LIMIT,
    caller: query.asker,
  }
  const validity = await documentValidity(document, company, () => validityOfAnswer(service.store, request))
  return { ...page, validity, read: () => answerCollection(service.store, request) }
}

/** Counts the records that match a filter. A limit or an offset is rejected with 400 (decision 6). */
export async function countDocument(service: ObjectService, document: EnterpriseDocument, query: ReadRequest) {
  const { company, options, plan, scope } = resolveQuery(service, document, query)
  if (options.limit !== undefined || options.offset !== 0) {
    throw invalidOption('A count takes no limit and no offset.')
  }
  const request = { companyId: company.id, plan, scope, caller: query.asker }
  const validity = await documentValidity(document, company, () => validityOfCount(service.store, request))
  return { validity, count: () => countCollection(service.store, request) }
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

function resolveQuery({ companies }: ObjectService, document: EnterpriseDocument, request: ReadRequest): ResolvedQuery {
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

export type ResponseFormat = AnswerFormat | 'schema'

// Content negotiation by `Accept`. Unknown types get JSON; there is no 406 (decision 0).

const TYPES: Readonly<Record<string, ResponseFormat>> = {
  'application/json': 'json',
  'application/x-ndjson': 'ndjson',
  'text/csv': 'csv',
  'application/schema+json': 'schema',
}

export const CONTENT_TYPES: Readonly<Record<ResponseFormat, string>> = {
  json: 'application/json; charset=utf-8',
  ndjson: 'application/x-ndjson; charset=utf-8',
  csv: 'text/csv; charset=utf-8; header=present',
  schema: 'application/schema+json; charset=utf-8',
}

/** The known format with the highest weight in the header; the first of equal weights. */
export function negotiateFormat(accept: string | undefined): ResponseFormat {
  if (accept === undefined || accept === '*/*') return 'json'
  const preferred = preferences(accept).find(({ name }) => Object.hasOwn(TYPES, name))
  return (preferred && TYPES[preferred.name]) ?? 'json'
}

/** The languages of an `Accept-Language` header without regions, in descending order of weight. */
export function languagesOf(header: string | undefined): string[] {
  return header === undefined ? [] : preferences(header).map(({ name }) => name.split('-')[0] ?? '')
}

/** Maximum length that is parsed, longer than legitimate headers; the rest of a longer one is ignored. */
const MAX_HEADER = 500

function preferences(header: string): { name: string; weight: number }[] {
  return header
    .slice(0, MAX_HEADER)
    .split(',')
    .map((part) => {
      const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
      const weight = Number(parameters.find((text) => text.startsWith('q='))?.slice(2) ?? 1)
      return { name, weight: Number.isNaN(weight) ? 0 : weight }
    })
    .filter(({ weight }) => weight > 0)
    .sort((one, other) => other.weight - one.weight)
}
