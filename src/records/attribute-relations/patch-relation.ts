import type { Caller } from '../../access/caller.ts'
import type { JsonValue } from '../../base/strict-json.ts'
import { Findings } from '../../errors/findings.ts'
import { applyOperations } from '../../patch/apply-operations.ts'
import { type PatchOperation, parseOperations } from '../../patch/operations.ts'
import type { PatchRule } from '../../patch/rules.ts'
import type { CompanyRules } from '../../setup/rules.ts'
import type { ReadTx, Tx } from '../../store/store.ts'
import { patchRefused } from '../shared/refuse-patch.ts'
import {
  deleteRelation,
  insertRelation,
  type RelationKey,
  touchOwner,
  updateRelation,
} from '../shared/relation-store.ts'
import { requireUnchanged } from '../shared/require-unchanged.ts'
import type { Service } from '../shared/service.ts'
import type { Sight } from '../shared/sight.ts'
import { writeRecord } from '../shared/write-record.ts'
import {
  changesOf,
  connectedTo,
  draftOf,
  type GivenRelation,
  keyOf,
  RelationDraft,
  relationNotFound,
  rowOf,
  rowWith,
  storedDraft,
} from './attribute-relation.ts'
import { relationSight } from './attribute-relation-document.ts'
import { type FoundRelation, findRelation } from './attribute-relation-store.ts'
import { checkChangedRelation, requireNoOverlap } from './check-relation.ts'

/** What a patch may change (specification, endpoints of attribute relations), and rule 7's words for the key. */
const RULES: readonly PatchRule[] = [
  { path: '/percentage', ops: ['replace'] },
  { path: '/dateTo', ops: ['replace'] },
  { path: '/relationValue', ops: ['replace'] },
  {
    path: '/attributeValue',
    ops: ['replace'],
    refusal: {
      code: 3010,
      message: 'Data was rejected because of errors which were detected during saving.',
    },
  },
]

/** A relation as it was changed, and its key by now. */
export interface PatchedRelation extends FoundRelation {
  readonly key: RelationKey
}

export interface PatchRequest {
  readonly caller: Caller
  readonly companyId: string
  readonly requestId: string
  readonly body: JsonValue | undefined
  readonly key: RelationKey
  readonly ifMatch: string | undefined
}

/** Changes one relation: all operations or none. A new relation value makes it another key, which goes through the rules of a new one. */
export async function patchAttributeRelation(service: Service, request: PatchRequest): Promise<PatchedRelation> {
  const company = service.companies.require(request.companyId)
  const { key } = request
  const operations = parseOperations(request.body ?? null)
  const sight = relationSight(request.caller, company, 'update')

  return writeRecord(service, company.id, request, async (tx) => {
    const before = await sight.find(tx, rowWith(key), () => findRelation(tx, key))
    if (!before) throw relationNotFound(company, key)
    await requireUnchanged(tx, before, request.ifMatch, changesOf(key), sight)
    const stored = storedDraft(before)
    const draft = draftOf(apply(stored, operations, sight))
    await requireValid(tx, company, draft, stored, sight)
    const after = await save(tx, company, before, stored, draft, sight)
    await sight.requireSeen(tx, rowWith(keyOf(draft)))
    return { ...sight.shownOf(after), key: keyOf(draft) }
  })
}

function apply(stored: RelationDraft, operations: readonly PatchOperation[], sight: Sight): GivenRelation {
  const { record, failures } = applyOperations(sight.schema(RelationDraft), RULES, stored, operations)
  if (failures) throw patchRefused(422, failures)
  return sight.kept(record, stored)
}

async function requireValid(
  tx: ReadTx,
  company: CompanyRules,
  draft: RelationDraft,
  stored: RelationDraft,
  sight: Sight,
): Promise<void> {
  const findings = new Findings()
  await checkChangedRelation(tx, company, draft, stored, findings)
  if (findings.size > 0) throw sight.refused(draft, findings)
  if (draft.relationValue === stored.relationValue && draft.dateTo === stored.dateTo) return
  const relation = company.linkBetween(draft.attributeId, draft.relatedAttributeId)
  const isNew = draft.relationValue !== stored.relationValue
  await requireNoOverlap(tx, company, relation, draft, { except: stored.relationValue, isNew }, sight)
}

/** Writes what has changed, if anything has; a changed key keeps its place among the related values. */
async function save(
  tx: Tx,
  company: CompanyRules,
  before: FoundRelation,
  stored: RelationDraft,
  draft: RelationDraft,
  sight: Sight,
): Promise<FoundRelation> {
  const [old, now] = [rowOf(stored, before), rowOf(draft, before)]
  if (JSON.stringify(old) === JSON.stringify(now)) return before
  let last = tx
  if (draft.relationValue === stored.relationValue) await updateRelation(tx, old, now)
  else {
    await deleteRelation(tx, old)
    last = await tx.next()
    if ((await insertRelation(last, now)) === 'taken') {
      throw await connectedTo(tx, company, draft, [draft.relationValue], sight)
    }
  }
  await touchOwner(last, now)
  const after = await findRelation(tx, keyOf(draft))
  if (!after) throw new Error('the relation is not there after it was changed')
  return after
}
