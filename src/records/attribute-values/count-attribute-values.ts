import { invalidOption } from '../../errors/catalogue.ts'
import type { Call } from '../../http/edge.ts'
import { unlessUnchanged } from '../../http/repeats.ts'
import type { Reply } from '../../http/send.ts'
import { planOf } from '../../query/known-plans.ts'
import { countCollection, validityOfCount } from '../../store/collection.ts'
import { type ListService, listedDocument, orNotFound, requireListed, scopeOf } from './list-attribute-values.ts'

/** How many values the collection would answer with the same filter. A limit or an offset makes no sense here: 400 (decision 6). */
export async function countAttributeValues(service: ListService, call: Call): Promise<Reply> {
  const company = service.companies.require(call.companyId)
  const attribute = requireListed(company, call)
  const { options, plan } = orNotFound(() => planOf(listedDocument(service, call.caller, company), call.query))
  if (options.limit !== undefined || options.offset !== 0) {
    throw invalidOption('A count takes no limit and no offset.')
  }
  const scope = scopeOf(company.id, attribute.id)
  const wish = { companyId: company.id, plan, scope, asker: call.asker }
  return unlessUnchanged(call, await validityOfCount(service.store, wish), async () => {
    const total = await countCollection(service.store, wish)
    return { status: 200, headers: { 'x-erp-total-count': String(total) } }
  })
}
