import type { Caller } from '../../access/caller.ts'
import { coded } from '../../errors/catalogue.ts'
import type { CompanyRules } from '../../setup/rules.ts'
import type { ReadTx } from '../../store/store.ts'
import { isMandatory } from '../shared/messages.ts'
import { deleteRelation, type RelationKey, relationsOf, touchOwner } from '../shared/relation-store.ts'
import { requireUnchanged } from '../shared/require-unchanged.ts'
import type { Service } from '../shared/service.ts'
import type { Sight } from '../shared/sight.ts'
import { writeRecord } from '../shared/write-record.ts'
import { changesOf, relationNotFound, rowOf, rowWith, storedDraft } from './attribute-relation.ts'
import { relationSight } from './attribute-relation-document.ts'
import { type FoundRelation, findRelation } from './attribute-relation-store.ts'

export interface DeleteRequest {
  readonly caller: Caller
  readonly companyId: string
  readonly requestId: string
  readonly key: RelationKey
  readonly ifMatch: string | undefined
}

/** Removes a relation for good, unless the value must have it. */
export async function deleteAttributeRelation(service: Service, request: DeleteRequest): Promise<void> {
  const company = service.companies.require(request.companyId)
  const { key } = request
  const sight = relationSight(request.caller, company, 'delete')

  await writeRecord(service, company.id, { ...request, isRemoval: true }, async (tx) => {
    const found = await sight.find(tx, rowWith(key), () => findRelation(tx, key))
    if (!found) throw relationNotFound(company, key)
    await requireUnchanged(tx, found, request.ifMatch, changesOf(key), sight)
    await requireDispensable(tx, company, key, found, sight)
    const row = rowOf(storedDraft(found), found)
    await deleteRelation(tx, row)
    await touchOwner(tx, row)
  })
}

/** The last relation of a mandatory kind stays: a patch of the value may not take it away either (decision 2). */
async function requireDispensable(
  tx: ReadTx,
  company: CompanyRules,
  key: RelationKey,
  { relation_id }: FoundRelation,
  sight: Sight,
): Promise<void> {
  const { attributeId, attributeValue } = key
  const mandatory = company.mandatoryRelationsOf(attributeId).find((relation) => relation.id === relation_id)
  if (!mandatory) return
  for (const other of await relationsOf(tx, attributeId, attributeValue)) {
    const { related_attribute_id: relatedAttributeId, relation_value: relationValue } = other
    if (other.relation_id !== relation_id || relationValue === key.relationValue) continue
    // Another one that the caller does not see is none: nothing tells that it is there.
    if (await sight.seesNow(tx, rowWith({ attributeId, attributeValue, relatedAttributeId, relationValue }))) return
  }
  throw coded(422, 3010, isMandatory(mandatory))
}
