import type { Caller } from '../../access/caller.ts'
import type { RelationKey } from '../shared/master-data/relation-store.ts'
import type { Service } from '../shared/service.ts'
import { keyFilterOf, relationNotFound } from './attribute-relation.ts'
import { relationAccess } from './attribute-relation-document.ts'
import { type FoundRelation, findRelation } from './attribute-relation-store.ts'

/** Returns one relation by its key. Throws 404 with the parts of the key. */
export async function readAttributeRelation(
  service: Service,
  caller: Caller,
  companyId: string,
  key: RelationKey,
): Promise<FoundRelation> {
  const company = service.companies.require(companyId)
  const access = relationAccess(caller, company, 'read')
  const tx = service.store.reading(company.id)
  const found = await access.find(tx, keyFilterOf(key), () => findRelation(tx, key))
  if (!found) throw relationNotFound(company, key)
  return access.redactBody(found)
}
