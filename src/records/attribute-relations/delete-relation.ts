import type { Caller } from '../../access/caller.ts'
import { coded } from '../../errors/catalogue.ts'
import type { CompanyRules } from '../../setup/rules.ts'
import type { ReadTx } from '../../store/store.ts'
import { isMandatory, noManualMaintenance } from '../shared/messages.ts'
import { deleteRelation, type RelationKey, relationsOf } from '../shared/relation-store.ts'
import { requireUnchanged } from '../shared/require-unchanged.ts'
import { actorOf, type Service } from '../shared/service.ts'
import { changesOf, relationNotFound, rowOf, storedDraft } from './attribute-relation.ts'
import { type FoundRelation, findRelation } from './attribute-relation-store.ts'

export interface DeleteRequest {
  readonly caller: Caller
  readonly companyId: string
  readonly requestId: string
  readonly key: RelationKey
  readonly ifMatch: string | undefined
}

/** Removes a relation for good. What a patch of the value may not take away, this may not either. */
export async function deleteAttributeRelation(service: Service, request: DeleteRequest): Promise<void> {
  const company = service.companies.require(request.companyId)
  const { key } = request
  const attribute = company.attributes.get(key.attributeId)

  await service.store.write(company.id, actorOf(request), async (tx) => {
    const found = await findRelation(tx, key)
    if (!attribute || !found) throw relationNotFound(company, key)
    if (!attribute.manual) throw coded(422, 3010, noManualMaintenance(attribute))
    await requireUnchanged(tx, found, request.ifMatch, changesOf(key))
    await requireDispensable(tx, company, key, found)
    await deleteRelation(tx, rowOf(storedDraft(found), found))
  })
}

/** The last relation of a mandatory kind stays (decision 2). */
async function requireDispensable(
  tx: ReadTx,
  company: CompanyRules,
  { attributeId, attributeValue }: RelationKey,
  { relation_id }: FoundRelation,
): Promise<void> {
  const mandatory = company.mandatoryRelationsOf(attributeId).find((relation) => relation.id === relation_id)
  if (!mandatory) return
  const all = await relationsOf(tx, attributeId, attributeValue)
  if (all.filter((relation) => relation.relation_id === relation_id).length > 1) return
  throw coded(422, 3010, isMandatory(mandatory))
}
