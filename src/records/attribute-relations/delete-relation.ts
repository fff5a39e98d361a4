import type { Caller } from '../../access/caller.ts'
import { coded } from '../../errors/catalogue.ts'
import type { CompanyRules } from '../../setup/rules/rules.ts'
import type { ReadTx } from '../../store/store.ts'
import type { RecordAccess } from '../shared/access/record-access.ts'
import {
  bumpOwnerVersion,
  deleteRelation,
  type RelationKey,
  relationsOf,
} from '../shared/master-data/relation-store.ts'
import { isMandatory } from '../shared/messages.ts'
import { requireUnchanged } from '../shared/pipeline/require-unchanged.ts'
import { writeRecord } from '../shared/pipeline/write-record.ts'
import type { Service } from '../shared/service.ts'
import { journalRangesOf, keyFilterOf, relationNotFound, relationRow, storedDraft } from './attribute-relation.ts'
import { relationAccess } from './attribute-relation-document.ts'
import { type FoundRelation, findRelation } from './attribute-relation-store.ts'

interface DeleteRequest {
  readonly caller: Caller
  readonly companyId: string
  readonly requestId: string
  readonly key: RelationKey
  readonly ifMatch: string | undefined
}

/** Deletes a relation permanently, unless it is mandatory for the value. */
export async function deleteAttributeRelation(service: Service, request: DeleteRequest): Promise<void> {
  const company = service.companies.require(request.companyId)
  const { key } = request
  const access = relationAccess(request.caller, company, 'delete')

  await writeRecord(service, company.id, { ...request, isRemoval: true }, async (tx) => {
    const found = await access.find(tx, keyFilterOf(key), () => findRelation(tx, key))
    if (!found) throw relationNotFound(company, key)
    await requireUnchanged(tx, found, request.ifMatch, journalRangesOf(key), access)
    await requireDispensable(tx, company, key, found, access)
    const row = relationRow(storedDraft(found), found)
    await deleteRelation(tx, row)
    await bumpOwnerVersion(tx, row)
  })
}

/**
 * Rejects the deletion of a value's last relation of a mandatory kind, which a patch of the value may not remove
 * either (decision 2).
 */
async function requireDispensable(
  tx: ReadTx,
  company: CompanyRules,
  key: RelationKey,
  { relation_id }: FoundRelation,
  access: RecordAccess,
): Promise<void> {
  const { attributeId, attributeValue } = key
  const mandatory = company.mandatoryRelationsOf(attributeId).find((relation) => relation.id === relation_id)
  if (!mandatory) return
  for (const other of await relationsOf(tx, attributeId, attributeValue)) {
    const { related_attribute_id: relatedAttributeId, relation_value: relationValue } = other
    if (other.relation_id !== relation_id || relationValue === key.relationValue) continue
    // A hidden relation does not count, so that the response does not disclose it.
    if (await access.isVisible(tx, keyFilterOf({ attributeId, attributeValue, relatedAttributeId, relationValue })))
      return
  }
  throw coded(422, 3010, isMandatory(mandatory))
}
