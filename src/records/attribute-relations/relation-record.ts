// How single attribute relations are read, changed and deleted, where that differs from other kinds: a change may give
// a relation another key, and it is deleted for good.
import { coded } from '../../errors/catalogue.ts'
import { Findings } from '../../errors/findings.ts'
import { readStored } from '../../model/fill-record.ts'
import type { CompanyRules } from '../../setup/rules/rules.ts'
import type { ReadTx } from '../../store/store.ts'
import { KindRecords } from '../engine/kind-records.ts'
import { filterOf, keyOf } from '../engine/record.ts'
import {
  bumpOwnerVersion,
  deleteRelation,
  insertRelation,
  relationsOf,
  updateRelation,
} from '../shared/master-data/relation-store.ts'
import { isMandatory } from '../shared/messages.ts'
import type { RecordKey, RecordPatch, TargetRecord } from '../shared/record-type.ts'
import { connectionConflict, RELATIONS, RelationDraft, relationRow } from './attribute-relation.ts'
import { type FoundRelation, findRelation, relationReadings } from './attribute-relation-store.ts'
import { checkRelation, requireNoOverlap } from './check-relation.ts'

type Patch = RecordPatch<FoundRelation, RelationDraft>

export class RelationRecords extends KindRecords {
  override find(tx: ReadTx, _company: CompanyRules, key: RecordKey) {
    return findRelation(tx, key)
  }

  override readings() {
    return relationReadings
  }

  /** A changed related value means another relation, for which the rules of a new one hold. */
  override async check({ tx, company, access, stored, draft }: Patch) {
    const findings = new Findings()
    await checkRelation({ tx, company, draft, findings }, stored)
    if (findings.size > 0) throw access.refusal(draft, findings, { hasZone: true })
    if (draft.relationValue === stored.relationValue && draft.dateTo === stored.dateTo) return draft
    const relation = company.linkBetween(draft.attributeId, draft.relatedAttributeId)
    const isNew = draft.relationValue !== stored.relationValue
    await requireNoOverlap(tx, company, relation, draft, { except: stored.relationValue, isNew }, access)
    return draft
  }

  /** A relation with a changed key keeps its position among the related values. */
  override async save({ tx, company, access, found, stored, draft }: Patch) {
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
    const after = await findRelation(tx, this.keyAfter(draft))
    if (!after) throw new Error('the relation cannot be found after its update')
    return after
  }

  keyAfter(draft: RelationDraft): RecordKey {
    return keyOf(RELATIONS, draft)
  }

  /** Deletes the relation permanently, unless it is mandatory for the value. */
  override async remove(target: TargetRecord<FoundRelation>) {
    const { tx, company, found } = target
    const stored = readStored(RelationDraft, found.body)
    await requireDispensable(target, stored)
    const row = relationRow(stored, found)
    deleteRelation(tx, row)
    bumpOwnerVersion(tx, company, row)
  }
}

/**
 * Rejects the deletion of a value's last relation of a mandatory kind, which a patch of the value may not remove
 * either (decision 2).
 */
async function requireDispensable(
  { tx, company, access, found: { relation_id } }: TargetRecord<FoundRelation>,
  { attributeId, attributeValue, relationValue: removed }: RelationDraft,
): Promise<void> {
  const mandatory = company.mandatoryRelationsOf(attributeId).find((relation) => relation.id === relation_id)
  if (!mandatory) return
  for (const other of await relationsOf(tx, attributeId, attributeValue)) {
    const { related_attribute_id: relatedAttributeId, relation_value: relationValue } = other
    if (other.relation_id !== relation_id || relationValue === removed) continue
    const key = keyOf(RELATIONS, { attributeId, attributeValue, relatedAttributeId, relationValue })
    // A hidden relation does not count, so that the response does not disclose it.
    if (await access.isVisible(tx, filterOf(RELATIONS, key))) return
  }
  throw coded(422, 3010, isMandatory(mandatory))
}
