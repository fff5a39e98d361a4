import { invalidOption } from '../../errors/catalogue.ts'
import { readOptions } from '../../query/options.ts'
import { planFilter } from '../../query/plan.ts'
import type { Service } from '../shared/service.ts'
import { baseDataDocument } from './attribute-value-document.ts'
import { countValues } from './attribute-value-store.ts'
import { type ListRequest, orNotFound, requireListed } from './list-attribute-values.ts'

/** How many values the collection would answer with the same filter. A limit or an offset makes no sense here: 400 (decision 6). */
export async function countAttributeValues(service: Service, request: ListRequest): Promise<number> {
  const company = service.companies.require(request.companyId)
  const attribute = requireListed(company, request)
  const options = readOptions(request.query)
  if (options.limit !== undefined || options.offset !== 0) {
    throw invalidOption('A count takes no limit and no offset.')
  }
  const filter = orNotFound(() => planFilter(baseDataDocument, options.filter))
  return countValues(service.store, company.id, attribute.id, filter)
}
