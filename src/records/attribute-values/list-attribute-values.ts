import type { Caller } from '../../access/caller.ts'
import { coded } from '../../errors/catalogue.ts'
import type { Call } from '../../http/edge.ts'
import { truncated } from '../../http/next-page.ts'
import { unlessUnchanged } from '../../http/repeats.ts'
import type { Reply } from '../../http/send.ts'
import type { DocumentDefinition } from '../../model/document.ts'
import { restricted } from '../../model/restricted.ts'
import { planOf } from '../../query/known-plans.ts'
import { MAX_LIMIT } from '../../query/options.ts'
import { QueryError } from '../../query/query-error.ts'
import type { AttributeRules, CompanyRules } from '../../setup/rules.ts'
import { answerCollection, validityOfAnswer } from '../../store/collection.ts'
import type { Scope } from '../../store/store.ts'
import type { Service } from '../shared/service.ts'
import { attributeValueDocument, baseDataOf } from './attribute-value-document.ts'

export interface ListService extends Service {
  /** Adds to a definition the indexes that the setup in force has given it; gives the same object for the same. */
  readonly withIndexes: (definition: DocumentDefinition) => DocumentDefinition
}

/** The base data of an attribute's values, as a JSON array that the database made. */
export async function listAttributeValues(service: ListService, call: Call): Promise<Reply> {
  const company = service.companies.require(call.companyId)
  const attribute = requireListed(company, call)
  const { options, plan } = orNotFound(() => planOf(listedDocument(service, call.caller, company), call.query))
  const scope = scopeOf(company.id, attribute.id)
  const wish = {
    companyId: company.id,
    plan,
    scope,
    language: '',
    format: 'json',
    cap: MAX_LIMIT,
    asker: call.asker,
  } as const
  return unlessUnchanged(call, await validityOfAnswer(service.store, wish), async () => {
    const { body, isCut } = await answerCollection(service.store, wish)
    return { status: 200, body, headers: isCut ? truncated(call.path, call.query, options.offset + MAX_LIMIT) : {} }
  })
}

/** What the caller sees of the values. */
export function listedDocument(service: ListService, caller: Caller, company: CompanyRules): DocumentDefinition {
  const rules = caller.rulesFor(company.id, 'attribute-values:read')
  const definition = service.withIndexes(attributeValueDocument)
  return baseDataOf(rules ? restricted(definition, rules) : definition)
}

export function requireListed(company: CompanyRules, { params }: Pick<Call, 'params'>): AttributeRules {
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

/** The rows of one attribute of a company. */
export function scopeOf(companyId: string, attributeId: string): Scope {
  return [
    ['company_id', companyId],
    ['attribute_id', attributeId],
  ]
}
