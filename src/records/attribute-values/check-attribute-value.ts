// The rules of an attribute value (specification, attribute values 1 and 7), for new and changed records.
import { andThen } from '../../base/in-turn.ts'
import type { Findings } from '../../errors/findings.ts'
import type { AttributeValue } from '../../model/records/attribute-value.ts'
import type { AttributeRules, CompanyRules } from '../../setup/rules/rules.ts'
import type { DraftChange, RecordSubject } from '../engine/record-kind.ts'
import { checkLengths } from '../shared/check-lengths.ts'
import { checkContactPoints } from '../shared/master-data/contact-point.ts'
import { checkRelatedValues } from '../shared/master-data/related-value.ts'
import type { Checking } from '../shared/master-data/value-store.ts'
import { isNotLegal } from '../shared/messages.ts'

const STATUSES = new Set(['N', 'P', 'C'])

/**
 * Checks a draft and adds the findings. Fields that equal those stored were legal when they were written and are not
 * checked again. A promise where the database is asked.
 */
export function checkAttributeValue(
  checking: Checking,
  subject: RecordSubject | undefined,
  { draft: draftNow, stored: storedBefore, earlier }: DraftChange,
): Promise<void> | undefined {
  const { company, findings } = checking
  const [draft, stored] = [draftNow, storedBefore] as unknown as [AttributeValue, AttributeValue | undefined]
  checkPeriods(company, draft, stored, findings)
  checkLengths(draft, stored, company.textLengths, (path, message) => findings.add(path, 3010, message))
  // No more is known of a value of an attribute that there is not.
  if (!subject) return undefined
  const { attribute } = subject
  if (!STATUSES.has(draft.status)) findings.add('status', 3010, 'Illegal value entered')
  const asked = checkOwner(checking, attribute, draft, stored)
  const points = andThen(asked, () => {
    if (draft.contactPoints.length <= (stored?.contactPoints.length ?? 0) || attribute.contactPoints)
      return checkContactPoints(checking, draft, stored)
    findings.add('contactPoints', 3010, `Attribute ${attribute.name} does not allow contact points`)
    return undefined
  })
  const owner = { attribute, attributeValue: draft.attributeValue }
  const related = { items: draft.relatedValues, stored: stored?.relatedValues, earlier }
  return andThen(points, () => checkRelatedValues(checking, owner, related))
}

function checkPeriods(
  company: CompanyRules,
  { periodFrom, periodTo }: AttributeValue,
  stored: AttributeValue | undefined,
  findings: Findings,
): void {
  if (stored === undefined && !findings.has('periodFrom') && !company.isLegalPeriod(periodFrom)) {
    findings.add('periodFrom', 3010, 'Illegal period')
  }
  if (periodTo === stored?.periodTo || findings.has('periodTo')) return
  if (!company.isLegalPeriod(periodTo) || periodTo < periodFrom) findings.add('periodTo', 3010, 'Illegal period')
}

function checkOwner(
  { values, company, findings }: Checking,
  attribute: AttributeRules,
  { owner }: AttributeValue,
  stored: AttributeValue | undefined,
): Promise<void> | undefined {
  const ownerAttribute = attribute.owner
  if (owner === '' || owner === stored?.owner || ownerAttribute === undefined || findings.has('owner')) return undefined
  return andThen(values.isLegalValue(ownerAttribute, owner), (isLegal): undefined => {
    if (!isLegal) findings.add('owner', 3010, isNotLegal(company, ownerAttribute, owner))
  })
}
