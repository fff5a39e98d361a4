import { coded } from '../../errors/catalogue.ts'
import { Findings } from '../../errors/findings.ts'
import type { Problem } from '../../errors/problem.ts'
import { readRecord } from '../../model/read-record.ts'
import type { CompanyRules } from '../../setup/rules/rules.ts'
import type { Tx } from '../../store/store.ts'
import { bumpOwnerVersion, insertRelation, type RelationKey } from '../shared/master-data/relation-store.ts'
import type { RecordAccess } from '../shared/record-access.ts'
import type { Service } from '../shared/service.ts'
import { type CreateRequest, writeRecord } from '../shared/write-record.ts'
import {
  connectionConflict,
  draftOf,
  type GivenRelation,
  keyFilterOf,
  keyOf,
  RelationDraft,
  relationAccess,
  relationRow,
} from './attribute-relation.ts'
import { type FoundRelation, findRelation } from './attribute-relation-store.ts'
import { checkNewRelation, requireNoOverlap } from './check-relation.ts'

/** A created relation and its key. */
export interface CreatedRelation extends FoundRelation {
  readonly key: RelationKey
}

/**
 * Creates one relation and reports all findings together. Of two equal concurrent requests, the unique key lets one
 * succeed.
 */
export async function createAttributeRelation(service: Service, request: CreateRequest): Promise<CreatedRelation> {
  const company = service.companies.require(request.companyId)
  const access = relationAccess(request.caller, company, 'create')
  const findings = new Findings()
  const given = readRecord(access.schema(RelationDraft), request.body ?? null, findings)
  const draft = { ...draftOf(given), companyId: company.id }

  return writeRecord(service, company.id, request, async (tx) => {
    await checkNewRelation({ tx, company, draft, findings })
    if (findings.size > 0) throw rejection(given, findings, access)
    const created = await insertChecked(tx, company, draft, access)
    await access.requireVisible(tx, keyFilterOf(created.key))
    return access.redactBody(created)
  })
}

/** A missing value is reported in the plain shape (rule 3), unless there are other findings. */
function rejection(given: GivenRelation, findings: Findings, access: RecordAccess): Problem {
  const [first, ...others] = findings.all
  if (first?.code === 1040 && others.length === 0 && !access.hides(first.path))
    return coded(422, first.code, first.message)
  return access.refusal(given, findings, { hasZone: true })
}

async function insertChecked(
  tx: Tx,
  company: CompanyRules,
  draft: RelationDraft,
  access: RecordAccess,
): Promise<CreatedRelation> {
  const relation = company.linkBetween(draft.attributeId, draft.relatedAttributeId)
  if (!relation) throw new Error('no configured relation links the attributes: the draft was not checked')
  await requireNoOverlap(tx, company, relation, draft, { except: draft.relationValue, isNew: true }, access)
  const row = relationRow(draft, { relation_id: relation.id, unit_value: 0, created_no: 0 })
  if ((await insertRelation(tx, row)) === 'taken')
    throw await connectionConflict(tx, company, draft, [draft.relationValue], access)
  bumpOwnerVersion(tx, company, row)
  const key = keyOf(draft)
  const created = await findRelation(tx, key)
  if (!created) throw new Error('the relation cannot be found after its insertion')
  return { ...created, key }
}
