import { coded } from '../../errors/catalogue.ts'
import type { QueryPairs } from '../../http/query-string.ts'
import { type CollectionOptions, MAX_LIMIT, readOptions } from '../../query/options.ts'
import { planCollection } from '../../query/plan.ts'
import { QueryError } from '../../query/query-error.ts'
import type { AttributeRules, CompanyRules } from '../../setup/rules.ts'
import type { Service } from '../shared/service.ts'
import { baseDataDocument } from './attribute-value-document.ts'
import { countValues, listValues } from './attribute-value-store.ts'

export interface ListRequest {
  readonly companyId: string
  readonly params: Readonly<Record<string, string>>
  readonly query: QueryPairs
  readonly path: string
}

export interface ListAnswer {
  readonly status: 200
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

/** The shortest item is `{}` and its comma: a body that is shorter cannot hold as many as one answer may. */
const SHORTEST_ITEM = 3

/** The base data of an attribute's values, as a JSON array that the database made. */
export async function listAttributeValues(service: Service, request: ListRequest): Promise<ListAnswer> {
  const company = service.companies.require(request.companyId)
  const attribute = requireListed(company, request)
  const options = readOptions(request.query)
  const plan = orNotFound(() => planCollection(baseDataDocument, options))
  const body = await listValues(service.store, company.id, attribute.id, plan)
  if (options.limit !== undefined || body.length < MAX_LIMIT * SHORTEST_ITEM) return { status: 200, body, headers: {} }
  const total = await countValues(service.store, company.id, attribute.id, plan.filter)
  return { status: 200, body, headers: total > options.offset + MAX_LIMIT ? truncated(request, options) : {} }
}

export function requireListed(company: CompanyRules, { params }: Pick<ListRequest, 'params'>): AttributeRules {
  const attributeId = params.attributeId ?? ''
  const attribute = company.attributes.get(attributeId)
  if (!attribute) throw coded(404, 1040, `Attribute with id ${attributeId} is not found`)
  return attribute
}

/** A wrong query is 404 on this collection, as its specification says (rule 5). */
export function orNotFound<Result>(plan: () => Result): Result {
  try {
    return plan()
  } catch (error) {
    if (error instanceof QueryError) throw coded(404, 1040, error.message, { cause: error })
    throw error
  }
}

/** Tells a caller who sent no limit that there is more, and where (decision 6). */
function truncated({ path, query }: ListRequest, { offset }: CollectionOptions): Record<string, string> {
  const others = query.filter(([name]) => !/^\$?(offset|skip)$/i.test(name))
  const next = new URLSearchParams([
    ...others.map(([name, value]): [string, string] => [name, value]),
    ['$offset', String(offset + MAX_LIMIT)],
  ])
  return { link: `<${path}?${next}>; rel="next"`, 'x-erp-truncated': 'true' }
}
