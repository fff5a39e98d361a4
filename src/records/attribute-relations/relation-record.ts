// How single attribute relations are read, changed and deleted.
import { coded } from '../../errors/catalogue.ts'
import { Findings } from '../../errors/findings.ts'
import { AttributeRelation } from '../../model/records/attribute-relation.ts'
import { patchRules } from '../../patch/rules.ts'
import {
  bumpOwnerVersion,
  deleteRelation,
  insertRelation,
  type RelationKey,
  relationsOf,
  updateRelation,
} from '../shared/master-data/relation-store.ts'
import { isMandatory } from '../shared/messages.ts'
import type { RecordType, TargetRecord } from '../shared/record-type.ts'
import {
  connectionConflict,
  draftOf,
  journalKey,
  journalRangesOf,
  keyFilterOf,
  keyOf,
  RelationDraft,
  relationAccess,
  relationNotFound,
  relationRow,
  storedDraft,
} from './attribute-relation.ts'
import { type FoundRelation, findRelation, relationReadings } from './attribute-relation-store.ts'
import { checkChangedRelation, requireNoOverlap } from './check-relation.ts'

export const relationRecord: RecordType<RelationKey, RelationKey, FoundRelation, RelationDraft> = {
  access: relationAccess,
  keyOf: (_company, key) => key,
  filterOf: keyFilterOf,
  find: (tx, _company, key) => findRelation(tx, key),
  readings: () => relationReadings,
  notFound: relationNotFound,
  redacted: (access, found) => access.redactBody(found),
  journalKey,
  journalRanges: (_company, key) => journalRangesOf(key),
  schema: () => RelationDraft,
  patchRules: patchRules(AttributeRelation.fields),
  patchStatus: () => 422,
  stored: (_company, found) => storedDraft(found),
  draftOf: (_company, given) => draftOf(given),

  /** A changed related value means another relation, for which the rules of a new one hold. */
  async check({ tx, company, access, stored, draft }) {
    const findings = new Findings()
    await checkChangedRelation({ tx, company, draft, findings }, stored)
    if (findings.size > 0) throw access.refusal(draft, findings, { hasZone: true })
    if (draft.relationValue === stored.relationValue && draft.dateTo === stored.dateTo) return draft
    const relation = company.linkBetween(draft.attributeId, draft.relatedAttributeId)
    const isNew = draft.relationValue !== stored.relationValue
    await requireNoOverlap(tx, company, relation, draft, { except: stored.relationValue, isNew }, access)
    return draft
  },

  /** A relation with a changed key keeps its position among the related values. */
  async save({ tx, company, access, found, stored, draft }) {
    const [old, now] = [relationRow(stored, found), relationRow(draft, found)]
    let last = tx
    if (draft.relationValue === stored.relationValue) updateRelation(tx, old, now)
    else {
      deleteRelation(tx, old)
      last = tx.nextEntry()
      if ((await insertRelation(last, now)) === 'taken') {
        throw await connectionConflict(tx, company, draft, [draft.relationValue], access)
      }
    }
    bumpOwnerVersion(last, company, now)
    const after = await findRelation(tx, keyOf(draft))
    if (!after) throw new Error('the relation cannot be found after its update')
    return after
  },

  keyAfter: keyOf,

  /** Deletes the relation permanently, unless it is mandatory for the value. */
  async remove(subject) {
    const { tx, company, found } = subject
    await requireDispensable(subject)
    const row = relationRow(storedDraft(found), found)
    deleteRelation(tx, row)
    bumpOwnerVersion(tx, company, row)
  },
}

/**
 * Rejects the deletion of a value's last relation of a mandatory kind, which a patch of the value may not remove
 * either (decision 2).
 */
async function requireDispensable({
  tx,
  company,
  access,
  key,
  found: { relation_id },
}: TargetRecord<RelationKey, FoundRelation>): Promise<void> {
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
