// The rules of an attribute relation (specification, attribute relations 2 to 4 and 7), for a new record and for a
// changed one alike.
import type { Findings } from '../../errors/findings.ts'
import type { CompanyRules, RelationRules } from '../../setup/rules.ts'
import type { ReadTx } from '../../store/store.ts'
import { isNotLegal, noManualMaintenance } from '../shared/messages.ts'
import { checkShareAndValidity } from '../shared/relation-rules.ts'
import type { Sight } from '../shared/sight.ts'
import { isLegalValue } from '../shared/value-store.ts'
import { connectedTo, keyOf, type RelationDraft, subjectNotFound } from './attribute-relation.ts'
import { listOverlaps } from './attribute-relation-store.ts'

const MANDATORY = ['attributeId', 'attributeValue', 'relatedAttributeId', 'relationValue'] as const

/** Gathers what is wrong with a new relation. */
export async function checkNewRelation(
  tx: ReadTx,
  company: CompanyRules,
  draft: RelationDraft,
  findings: Findings,
): Promise<void> {
  checkMandatory(draft, findings)
  checkMaintenance(company, draft, findings)
  await checkSubject(tx, company, draft, findings)
  await checkRelated(tx, company, draft, findings)
  checkShareAndValidity(draft, [], findings)
}

/**
 * Gathers what is wrong with a change. What is as in `stored` was legal when it was written and is left alone; another
 * relation value makes another relation, which must be allowed as a new one.
 */
export async function checkChangedRelation(
  tx: ReadTx,
  company: CompanyRules,
  draft: RelationDraft,
  stored: RelationDraft,
  findings: Findings,
): Promise<void> {
  checkMandatory(draft, findings)
  if (draft.relationValue !== stored.relationValue) {
    checkMaintenance(company, draft, findings)
    await checkRelated(tx, company, draft, findings)
  }
  checkShareAndValidity(draft, [], findings)
}

function checkMandatory(draft: RelationDraft, findings: Findings): void {
  for (const field of MANDATORY) {
    if (draft[field] !== '' || findings.has(field)) continue
    const name = field.slice(0, 1).toUpperCase() + field.slice(1)
    findings.add(field, 1010, `The ${name} field is required.`)
  }
}

/** Specification, prerequisites: of the related attribute `checkRelated` tells it, where a relation leads there. */
function checkMaintenance(company: CompanyRules, { attributeId }: RelationDraft, findings: Findings): void {
  const attribute = company.attributes.get(attributeId)
  if (attribute && !attribute.manual) findings.add('attributeId', 3010, noManualMaintenance(attribute))
}

/** Rule 3: the value that gets the relation must be there, and not be closed. */
async function checkSubject(
  tx: ReadTx,
  company: CompanyRules,
  draft: RelationDraft,
  findings: Findings,
): Promise<void> {
  const { attributeId, attributeValue } = draft
  if (company.attributes.has(attributeId)) {
    if (findings.has('attributeValue') || (await isLegalValue(tx, attributeId, attributeValue))) return
    findings.add('attributeValue', 1040, subjectNotFound(company, draft))
  } else if (!findings.has('attributeId')) {
    findings.add('attributeId', 1040, subjectNotFound(company, draft))
  }
}

/** Rule 4 and decision 3: the related attribute, the configured relation that leads to it, and its value. */
async function checkRelated(
  tx: ReadTx,
  company: CompanyRules,
  { attributeId, relatedAttributeId, relationValue }: RelationDraft,
  findings: Findings,
): Promise<void> {
  if (findings.has('relatedAttributeId')) return
  const related = company.attributes.get(relatedAttributeId)
  // Which relations an unknown attribute has nobody can say.
  const isLinked = !company.attributes.has(attributeId) || company.linkBetween(attributeId, relatedAttributeId)
  if (!related || !isLinked) findings.add('relatedAttributeId', 3010, 'Illegal value entered')
  else if (!related.manual) findings.add('relatedAttributeId', 3010, noManualMaintenance(related))
  if (!related || findings.has('relationValue') || (await isLegalValue(tx, relatedAttributeId, relationValue))) return
  findings.add('relationValue', 3010, isNotLegal(company, relatedAttributeId, relationValue))
}

/**
 * Refuses a second value at a time where the relation takes one; the value `except` is the relation's own. Where the caller
 * sees none that is in the way, one under the same key may be, of a relation that is new under it.
 */
export async function requireNoOverlap(
  tx: ReadTx,
  company: CompanyRules,
  relation: RelationRules | undefined,
  draft: RelationDraft,
  { except, isNew }: { readonly except: string; readonly isNew: boolean },
  sight: Sight,
): Promise<void> {
  if (!relation || relation.multiple) return
  const existing = await listOverlaps(tx, keyOf(draft), draft, except)
  if (existing.length === 0) return
  const twin = isNew ? [draft.relationValue] : []
  throw await connectedTo(tx, company, draft, [...existing, ...twin], sight)
}
