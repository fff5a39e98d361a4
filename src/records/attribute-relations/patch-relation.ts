import type { Caller } from '../../access/caller.ts'
import type { JsonValue } from '../../base/strict-json.ts'
import { Findings } from '../../errors/findings.ts'
import { AttributeRelation } from '../../model/records/attribute-relation.ts'
import { applyOperations } from '../../patch/apply-operations.ts'
import { type PatchOperation, parseOperations } from '../../patch/operations.ts'
import { patchRules } from '../../patch/rules.ts'
import type { CompanyRules } from '../../setup/rules/rules.ts'
import type { ReadTx, Tx } from '../../store/store.ts'
import type { RecordAccess } from '../shared/access/record-access.ts'
import {
  bumpOwnerVersion,
  deleteRelation,
  insertRelation,
  type RelationKey,
  updateRelation,
} from '../shared/master-data/relation-store.ts'
import { patchRefused } from '../shared/pipeline/refuse-patch.ts'
import { requireUnchanged } from '../shared/pipeline/require-unchanged.ts'
import { writeRecord } from '../shared/pipeline/write-record.ts'
import type { Service } from '../shared/service.ts'
import {
  connectionConflict,
  draftOf,
  type GivenRelation,
  journalRangesOf,
  keyFilterOf,
  keyOf,
  RelationDraft,
  relationNotFound,
  relationRow,
  storedDraft,
} from './attribute-relation.ts'
import { relationAccess } from './attribute-relation-document.ts'
import { type FoundRelation, findRelation } from './attribute-relation-store.ts'
import { checkChangedRelation, requireNoOverlap } from './check-relation.ts'

const RULES = patchRules(AttributeRelation.fields)

/** A changed relation and its new key. */
export interface PatchedRelation extends FoundRelation {
  readonly key: RelationKey
}

interface PatchRequest {
  readonly caller: Caller
  readonly companyId: string
  readonly requestId: string
  readonly body: JsonValue | undefined
  readonly key: RelationKey
  readonly ifMatch: string | undefined
}

/**
 * Changes one relation: all operations or none. A changed relation value changes the key, so the rules of a new
 * relation apply.
 */
export async function patchAttributeRelation(service: Service, request: PatchRequest): Promise<PatchedRelation> {
  const company = service.companies.require(request.companyId)
  const { key } = request
  const operations = parseOperations(request.body ?? null)
  const access = relationAccess(request.caller, company, 'update')

  return writeRecord(service, company.id, request, async (tx) => {
    const before = await access.find(tx, keyFilterOf(key), () => findRelation(tx, key))
    if (!before) throw relationNotFound(company, key)
    await requireUnchanged(tx, before, request.ifMatch, journalRangesOf(key), access)
    const stored = storedDraft(before)
    const draft = draftOf(apply(stored, operations, access))
    await requireValid(tx, company, draft, stored, access)
    const after = await save(tx, company, before, stored, draft, access)
    await access.requireVisible(tx, keyFilterOf(keyOf(draft)))
    return { ...access.redactBody(after), key: keyOf(draft) }
  })
}

function apply(stored: RelationDraft, operations: readonly PatchOperation[], access: RecordAccess): GivenRelation {
  const { record, failures } = applyOperations(access.schema(RelationDraft), RULES, stored, operations)
  if (failures) throw patchRefused(422, failures)
  return access.restoreHidden(record, stored)
}

async function requireValid(
  tx: ReadTx,
  company: CompanyRules,
  draft: RelationDraft,
  stored: RelationDraft,
  access: RecordAccess,
): Promise<void> {
  const findings = new Findings()
  await checkChangedRelation(tx, company, draft, stored, findings)
  if (findings.size > 0) throw access.refusal(draft, findings)
  if (draft.relationValue === stored.relationValue && draft.dateTo === stored.dateTo) return
  const relation = company.linkBetween(draft.attributeId, draft.relatedAttributeId)
  const isNew = draft.relationValue !== stored.relationValue
  await requireNoOverlap(tx, company, relation, draft, { except: stored.relationValue, isNew }, access)
}

/** Writes the changes, if any. A relation with a changed key keeps its position among the related values. */
async function save(
  tx: Tx,
  company: CompanyRules,
  before: FoundRelation,
  stored: RelationDraft,
  draft: RelationDraft,
  access: RecordAccess,
): Promise<FoundRelation> {
  const [old, now] = [relationRow(stored, before), relationRow(draft, before)]
  if (JSON.stringify(old) === JSON.stringify(now)) return before
  let last = tx
  if (draft.relationValue === stored.relationValue) await updateRelation(tx, old, now)
  else {
    await deleteRelation(tx, old)
    last = await tx.nextEntry()
    if ((await insertRelation(last, now)) === 'taken') {
      throw await connectionConflict(tx, company, draft, [draft.relationValue], access)
    }
  }
  await bumpOwnerVersion(last, now)
  const after = await findRelation(tx, keyOf(draft))
  if (!after) throw new Error('the relation cannot be found after its update')
  return after
}
