import type { ReadRequest } from '../../access/caller.ts'
import { coded, invalidOption } from '../../errors/catalogue.ts'
import type { DocumentDefinition } from '../../model/document.ts'
import { AttributeValue } from '../../model/records/attribute-value.ts'
import { restricted } from '../../model/restricted.ts'
import { namedLanguages } from '../../model/titles.ts'
import { type ParquetFiles, parquetAnswer } from '../../parquet/parquet-files.ts'
import type { AnsweredCollection } from '../../parquet/parquet-routes.ts'
import { chooseFormat, languagesOf } from '../../query/collection-format.ts'
import { columnTitles } from '../../query/column-titles.ts'
import { planOf } from '../../query/known-plans.ts'
import { MAX_LIMIT } from '../../query/options.ts'
import { QueryError } from '../../query/parse/query-error.ts'
import { planValidAt } from '../../query/valid-at.ts'
import type { KeyFilter } from '../../sql/rows/compiled-query.ts'
import {
  answerCollection,
  countCollection,
  type PastCollections,
  validityOfAnswer,
  validityOfCount,
} from '../../store/collection.ts'
import type { QueryCaller } from '../../store/store.ts'
import type { PastService } from '../shared/past-routes.ts'
import { baseDataOf } from './attribute-value.ts'

export interface ListService extends PastService {
  readonly past: PastCollections
  readonly parquet: ParquetFiles
  /** Adds the indexes of the current setup to a definition. The same definition always gives the same object. */
  readonly withIndexes: (definition: DocumentDefinition) => DocumentDefinition
}

interface ListRequest extends ReadRequest {
  readonly accept: string | undefined
  readonly acceptLanguage: string | undefined
}

/** Lists the base data of an attribute's values, in the format of `$format` or `Accept`. */
export async function listAttributeValues(
  service: ListService,
  read: ListRequest,
  attributeId: string,
): Promise<AnsweredCollection> {
  const { company, options, plan, scope } = resolveList(service, read, attributeId)
  const requested = { requested: options.format, accept: read.accept, acceptLanguage: read.acceptLanguage }
  const file = { document: `attribute-values-${attributeId}`, company, clock: service.clock }
  const { format, isParquet, style, contentType, fileName, validityOf } = chooseFormat(requested, file)
  const languages = style ? namedLanguages(read.acceptLanguage) : []
  const request = {
    companyId: company.id,
    plan,
    scope,
    language: company.valueLists.languageFor(languagesOf(read.acceptLanguage)),
    format,
    style,
    headings: style && languages.length > 0 ? columnTitles(plan, languages) : undefined,
    cap: MAX_LIMIT,
    caller: read.requester,
  }
  const page = { contentType, fileName, nextOffset: options.offset + MAX_LIMIT, isPart: options.isPart }
  const { asOf } = options
  const readFor = (caller: QueryCaller) => {
    const requested = { ...request, caller }
    return asOf === undefined ? answerCollection(service.store, requested) : service.past.answer(requested, asOf)
  }
  const validity = asOf === undefined ? validityOf(await validityOfAnswer(service.store, request)) : undefined
  if (!isParquet) return { ...page, validity, read: () => readFor(read.requester) }
  const subject = { plan, companyId: company.id, query: read.query }
  const makeFile = (requester: QueryCaller) =>
    parquetAnswer(service.parquet.encoder, requester, subject, () => readFor(requester))
  return { ...page, validity, file: makeFile, read: () => makeFile(read.requester) }
}

/** What is asked of the rows of one attribute, as far as the caller may see them. */
function resolveList(service: ListService, { caller, companyId, query }: ReadRequest, attributeId: string) {
  const company = service.companies.require(companyId)
  if (!company.attributes.has(attributeId)) throw coded(404, 1040, `Attribute with id ${attributeId} is not found`)
  const rules = caller.rulesFor(company.id, 'attribute-values:read')
  const definition = service.withIndexes(AttributeValue.document)
  const listed = baseDataOf(rules ? restricted(definition, rules) : definition)
  const { options, plan } = orNotFound(() => planOf(listed, query))
  const scope: KeyFilter = [
    ['company_id', company.id],
    ['attribute_id', attributeId],
  ]
  return { company, options, plan: planValidAt(plan, options.validAt, company), scope }
}

/** Maps errors in a query to 404, as rule 5 of the specification requires for this collection. */
function orNotFound<Result>(plan: () => Result): Result {
  try {
    return plan()
  } catch (error) {
    if (error instanceof QueryError) throw coded(404, 1040, error.message, { cause: error, parts: error.parts })
    throw error
  }
}

/**
 * Counts the values that the collection would return with the same filter. A limit or an offset is rejected with 400
 * (decision 6).
 */
export async function countAttributeValues(service: ListService, read: ReadRequest, attributeId: string) {
  const { company, options, plan, scope } = resolveList(service, read, attributeId)
  if (options.isPart) throw invalidOption('A count takes no limit and no offset.')
  const request = { companyId: company.id, plan, scope, caller: read.requester }
  const { asOf } = options
  if (asOf !== undefined) return { validity: undefined, count: () => service.past.count(request, asOf) }
  return {
    validity: await validityOfCount(service.store, request),
    count: () => countCollection(service.store, request),
  }
}
