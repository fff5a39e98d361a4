import type { RelationKey } from '../shared/relation-store.ts'
import type { Service } from '../shared/service.ts'
import { relationNotFound } from './attribute-relation.ts'
import { type FoundRelation, findRelation } from './attribute-relation-store.ts'

/** One relation by its key. Throws 404 naming the parts of the key. */
export async function readAttributeRelation(
  service: Service,
  companyId: string,
  key: RelationKey,
): Promise<FoundRelation> {
  const company = service.companies.require(companyId)
  const found = await findRelation(service.store.reading(company.id), key)
  if (!found) throw relationNotFound(company, key)
  return found
}
