// The rules of an attribute relation (specification, attribute relations 2 to 4 and 7), for a new record and for a
// changed one alike.

import type { Findings } from '../../errors/findings.ts'
import { AttributeRelation } from '../../model/records/attribute-relation.ts'
import type { CompanyRules, RelationRules } from '../../setup/rules/rules.ts'
import type { ReadTx } from '../../store/store.ts'
import { checkShareAndValidity } from '../shared/master-data/related-value.ts'
import { isLegalValue } from '../shared/master-data/value-store.ts'
import { isNotLegal, noManualMaintenance } from '../shared/messages.ts'
import type { RecordAccess } from '../shared/record-access.ts'
import { requireTexts } from '../shared/required-field.ts'
import { connectionConflict, type RelationDraft, subjectNotFound } from './attribute-relation.ts'
import { listOverlaps } from './attribute-relation-store.ts'

/** A relation to be checked, and where what is wrong with it is noted. */
interface CheckedRelation {
  readonly tx: ReadTx
  readonly company: CompanyRules
  readonly draft: RelationDraft
  readonly findings: Findings
}

/**
 * Checks a relation and adds the findings. Fields of a changed one that equal `stored` were legal when they were
 * written and are not checked again; another relation value means another relation, which must be legal as a new one.
 */
export async function checkRelation(relation: CheckedRelation, stored: RelationDraft | undefined): Promise<void> {
  const { draft, findings } = relation
  requireTexts(AttributeRelation.schema, draft, findings)
  if (draft.relationValue !== stored?.relationValue) {
    checkMaintenance(relation)
    if (!stored) await checkSubject(relation)
    await checkRelated(relation)
  }
  checkShareAndValidity(draft, [], findings)
}

/** Checks the attribute (specification, prerequisites). `checkRelated` does the same for the related attribute. */
function checkMaintenance({ company, draft, findings }: CheckedRelation): void {
  const attribute = company.attributes.get(draft.attributeId)
  if (attribute && !attribute.manual) findings.add('attributeId', 3010, noManualMaintenance(attribute))
}

/** Checks rule 3: the value that gets the relation must exist and must not be closed. */
async function checkSubject({ tx, company, draft, findings }: CheckedRelation): Promise<void> {
  const { attributeId, attributeValue } = draft
  if (company.attributes.has(attributeId)) {
    if (findings.has('attributeValue') || (await isLegalValue(tx, attributeId, attributeValue))) return
    findings.add('attributeValue', 1040, subjectNotFound(company, draft))
  } else if (!findings.has('attributeId')) {
    findings.add('attributeId', 1040, subjectNotFound(company, draft))
  }
}

/** Checks the related attribute, the configured relation to it, and its value (rule 4 and decision 3). */
async function checkRelated({ tx, company, draft, findings }: CheckedRelation): Promise<void> {
  const { attributeId, relatedAttributeId, relationValue } = draft
  if (findings.has('relatedAttributeId')) return
  const related = company.attributes.get(relatedAttributeId)
  // The relations of an unknown attribute are unknown too: that is not a second finding.
  const isLinked = !company.attributes.has(attributeId) || company.linkBetween(attributeId, relatedAttributeId)
  if (!related || !isLinked) findings.add('relatedAttributeId', 3010, 'Illegal value entered')
  else if (!related.manual) findings.add('relatedAttributeId', 3010, noManualMaintenance(related))
  if (!related || findings.has('relationValue') || (await isLegalValue(tx, relatedAttributeId, relationValue))) return
  findings.add('relationValue', 3010, isNotLegal(company, relatedAttributeId, relationValue))
}

/**
 * Rejects overlapping validity where the relation allows one value at a time; `except` is the value of the relation
 * itself. If all conflicting relations are hidden from the caller, a visible relation with the key of a new one is
 * reported.
 */
export async function requireNoOverlap(
  tx: ReadTx,
  company: CompanyRules,
  relation: RelationRules | undefined,
  draft: RelationDraft,
  { except, isNew }: { readonly except: string; readonly isNew: boolean },
  access: RecordAccess,
): Promise<void> {
  if (!relation || relation.multiple) return
  const existing = await listOverlaps(tx, draft, except)
  if (existing.length === 0) return
  const sameKey = isNew ? [draft.relationValue] : []
  throw await connectionConflict(tx, company, draft, [...existing, ...sameKey], access)
}
