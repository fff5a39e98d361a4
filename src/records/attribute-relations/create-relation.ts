// How a new relation is checked and inserted.
import { coded } from '../../errors/catalogue.ts'
import type { Problem } from '../../errors/problem.ts'
import type { InsertNew, NewRecord } from '../engine/insert-record.ts'
import { keyOf } from '../engine/record.ts'
import { bumpOwnerVersion, insertRelation } from '../shared/master-data/relation-store.ts'
import { connectionConflict, type RelationDraft, relationRow } from './attribute-relation.ts'
import { findRelation } from './attribute-relation-store.ts'
import { checkRelation, requireNoOverlap } from './check-relation.ts'

/** The unique key lets one of two equal concurrent requests succeed. */
export const insertNewRelation: InsertNew = async (tx, _lookups, record) => {
  const { kind, company, access, findings } = record
  const draft = record.draft as unknown as RelationDraft
  await checkRelation({ tx, company, draft, findings }, undefined)
  if (findings.size > 0) throw rejection(record)
  const relation = company.linkBetween(draft.attributeId, draft.relatedAttributeId)
  if (!relation) throw new Error('no configured relation links the attributes: the draft was not checked')
  await requireNoOverlap(tx, company, relation, draft, { except: draft.relationValue, isNew: true }, access)
  const row = relationRow(draft, { relation_id: relation.id, unit_value: 0, created_no: 0 })
  if ((await insertRelation(tx, row)) === 'taken')
    throw await connectionConflict(tx, company, draft, [draft.relationValue], access)
  bumpOwnerVersion(tx, company, row)
  const key = keyOf(kind, draft)
  const created = await findRelation(tx, key)
  if (!created) throw new Error('the relation cannot be found after its insertion')
  return { ...created, key, draft }
}

/** A missing value is reported in the plain shape (rule 3), unless there are other findings. */
function rejection({ given, findings, access }: NewRecord): Problem {
  const [first, ...others] = findings.all
  if (first?.code === 1040 && others.length === 0 && !access.hides(first.path))
    return coded(422, first.code, first.message)
  return access.refusal(given, findings, { hasZone: true })
}
