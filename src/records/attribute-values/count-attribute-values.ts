import { invalidOption } from '../../errors/catalogue.ts'
import { planOf } from '../../query/known-plans.ts'
import { countCollection } from '../../store/collection.ts'
import type { Service } from '../shared/service.ts'
import { type ListRequest, listedDocument, orNotFound, requireListed, scopeOf } from './list-attribute-values.ts'

/** How many values the collection would answer with the same filter. A limit or an offset makes no sense here: 400 (decision 6). */
export async function countAttributeValues(service: Service, request: ListRequest): Promise<number> {
  const company = service.companies.require(request.companyId)
  const attribute = requireListed(company, request)
  const { options, plan } = orNotFound(() => planOf(listedDocument(request.caller, company), request.query))
  if (options.limit !== undefined || options.offset !== 0) {
    throw invalidOption('A count takes no limit and no offset.')
  }
  return countCollection(service.store, company.id, plan, scopeOf(company.id, attribute.id))
}
