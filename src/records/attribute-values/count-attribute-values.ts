import type { ReadRequest } from '../../access/caller.ts'
import { invalidOption } from '../../errors/catalogue.ts'
import { planOf } from '../../query/known-plans.ts'
import { countCollection, validityOfCount } from '../../store/collection.ts'
import { type ListService, listedDocument, orNotFound, requireListed, scopeOf } from './list-attribute-values.ts'

/**
 * Counts the values that the collection would return with the same filter. A limit or an offset is rejected with 400
 * (decision 6).
 */
export async function countAttributeValues(service: ListService, read: ReadRequest, attributeId: string) {
  const company = service.companies.require(read.companyId)
  const attribute = requireListed(company, attributeId)
  const { options, plan } = orNotFound(() => planOf(listedDocument(service, read.caller, company), read.query))
  if (options.limit !== undefined || options.offset !== 0) {
    throw invalidOption('A count takes no limit and no offset.')
  }
  const scope = scopeOf(company.id, attribute.id)
  const request = { companyId: company.id, plan, scope, caller: read.asker }
  return {
    validity: await validityOfCount(service.store, request),
    count: () => countCollection(service.store, request),
  }
}
