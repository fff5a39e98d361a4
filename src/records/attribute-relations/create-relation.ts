import type { Caller } from '../../access/caller.ts'
import type { JsonValue } from '../../base/strict-json.ts'
import { coded } from '../../errors/catalogue.ts'
import { Findings } from '../../errors/findings.ts'
import type { Problem } from '../../errors/problem.ts'
import { readRecord } from '../../model/read-record.ts'
import type { CompanyRules } from '../../setup/rules.ts'
import type { Tx } from '../../store/store.ts'
import { insertRelation, type RelationKey, touchOwner } from '../shared/relation-store.ts'
import type { Service } from '../shared/service.ts'
import type { Sight } from '../shared/sight.ts'
import { writeRecord } from '../shared/write-record.ts'
import { connectedTo, draftOf, type GivenRelation, keyOf, RelationDraft, rowOf, rowWith } from './attribute-relation.ts'
import { relationSight } from './attribute-relation-document.ts'
import { type FoundRelation, findRelation } from './attribute-relation-store.ts'
import { checkNewRelation, requireNoOverlap } from './check-relation.ts'

export interface CreateRequest {
  readonly caller: Caller
  readonly companyId: string
  readonly requestId: string
  readonly body: JsonValue | undefined
}

/** A relation that was created, and its key. */
export interface CreatedRelation extends FoundRelation {
  readonly key: RelationKey
}

/** Creates one relation. All findings are answered together; of two equal requests at once, the key lets one win. */
export async function createAttributeRelation(service: Service, request: CreateRequest): Promise<CreatedRelation> {
  const company = service.companies.require(request.companyId)
  const sight = relationSight(request.caller, company, 'create')
  const findings = new Findings()
  const given = readRecord(sight.schema(RelationDraft), request.body ?? null, findings)
  const draft = { ...draftOf(given), companyId: company.id }

  return writeRecord(service, company.id, request, async (tx) => {
    await checkNewRelation(tx, company, draft, findings)
    if (findings.size > 0) throw refused(given, findings, sight)
    const created = await insertChecked(tx, company, draft, sight)
    await sight.requireSeen(tx, rowWith(created.key))
    return sight.shownOf(created)
  })
}

/** A value that is not there is told in the plain shape (rule 3), unless other findings need their fields. */
function refused(given: GivenRelation, findings: Findings, sight: Sight): Problem {
  const [first, ...others] = findings.all
  if (first?.code === 1040 && others.length === 0 && !sight.hides(first.path))
    return coded(422, first.code, first.message)
  return sight.refused(given, findings)
}

async function insertChecked(
  tx: Tx,
  company: CompanyRules,
  draft: RelationDraft,
  sight: Sight,
): Promise<CreatedRelation> {
  const relation = company.linkBetween(draft.attributeId, draft.relatedAttributeId)
  if (!relation) throw new Error('the relation was not checked')
  await requireNoOverlap(tx, company, relation, draft, { except: draft.relationValue, isNew: true }, sight)
  const row = rowOf(draft, { relation_id: relation.id, unit_value: 0, created_no: 0 })
  if ((await insertRelation(tx, row)) === 'taken')
    throw await connectedTo(tx, company, draft, [draft.relationValue], sight)
  await touchOwner(tx, row)
  const key = keyOf(draft)
  const created = await findRelation(tx, key)
  if (!created) throw new Error('the relation is not there after it was inserted')
  return { ...created, key }
}
