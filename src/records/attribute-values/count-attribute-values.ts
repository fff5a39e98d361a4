import { invalidOption } from '../../errors/catalogue.ts'
import { unlessUnchanged } from '../../http/cache/conditional-requests.ts'
import type { Reply } from '../../http/reply/send.ts'
import type { ApiRequest } from '../../http/router.ts'
import { planOf } from '../../query/known-plans.ts'
import { countCollection, validityOfCount } from '../../store/collection.ts'
import { type ListService, listedDocument, orNotFound, requireListed, scopeOf } from './list-attribute-values.ts'

/**
 * Counts the values that the collection would return with the same filter. A limit or an offset is rejected with 400
 * (decision 6).
 */
export async function countAttributeValues(service: ListService, apiRequest: ApiRequest): Promise<Reply> {
  const company = service.companies.require(apiRequest.companyId)
  const attribute = requireListed(company, apiRequest)
  const { options, plan } = orNotFound(() =>
    planOf(listedDocument(service, apiRequest.caller, company), apiRequest.query),
  )
  if (options.limit !== undefined || options.offset !== 0) {
    throw invalidOption('A count takes no limit and no offset.')
  }
  const scope = scopeOf(company.id, attribute.id)
  const request = { companyId: company.id, plan, scope, caller: apiRequest.asker }
  return unlessUnchanged(apiRequest, await validityOfCount(service.store, request), async () => {
    const total = await countCollection(service.store, request)
    return { status: 200, headers: { 'x-erp-total-count': String(total) } }
  })
}
