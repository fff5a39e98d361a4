import type { Caller } from '../../access/caller.ts'
import type { RelationKey } from '../shared/relation-store.ts'
import type { Service } from '../shared/service.ts'
import { relationNotFound, rowWith } from './attribute-relation.ts'
import { relationSight } from './attribute-relation-document.ts'
import { type FoundRelation, findRelation } from './attribute-relation-store.ts'

/** One relation by its key. Throws 404 naming the parts of the key. */
export async function readAttributeRelation(
  service: Service,
  caller: Caller,
  companyId: string,
  key: RelationKey,
): Promise<FoundRelation> {
  const company = service.companies.require(companyId)
  const sight = relationSight(caller, company, 'read')
  const tx = service.store.reading(company.id)
  const found = await sight.find(tx, rowWith(key), () => findRelation(tx, key))
  if (!found) throw relationNotFound(company, key)
  return sight.shownOf(found)
}
