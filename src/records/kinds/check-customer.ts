// The rules of a customer (specification, customers 2 and 3), for a new record and for a changed one alike.

import type { FieldPath, Findings } from '../../errors/findings.ts'
import { CODED_FIELDS, Customer } from '../../model/records/customer.ts'
import type { CompanyRules } from '../../setup/rules/rules.ts'
import type { DraftChange, RecordSubject } from '../engine/record-kind.ts'
import { checkPointsOfRecord } from '../shared/master-data/contact-point.ts'
import { isLegalCode } from '../shared/master-data/lookups.ts'
import { checkRelatedValues } from '../shared/master-data/related-value.ts'
import type { LegalValues } from '../shared/master-data/value-store.ts'
import { type CustomerChange, checkCustomFields } from './check-custom-fields.ts'
import { checkFields } from './plain.ts'

/**
 * Checks a change and adds the findings. Fields that equal `stored` were legal when they were written and are not
 * checked again.
 */
export async function checkCustomer(
  values: LegalValues,
  company: CompanyRules,
  subject: RecordSubject | undefined,
  requested: DraftChange,
  findings: Findings,
): Promise<void> {
  const { given, draft: draftNow, stored: storedBefore, earlier } = requested
  const [draft, stored] = [draftNow as unknown as Customer, storedBefore as unknown as Customer | undefined]
  const change: CustomerChange = { given, draft, stored }
  checkFields(Customer, company, requested, findings)
  await checkCodes(values, company, draft, stored, findings)
  await checkPointsOfRecord(values, company, draft, stored, findings)
  if (subject) {
    const owner = { attribute: subject.attribute, attributeValue: draft.customerId }
    const related = { items: draft.relatedValues, stored: stored?.relatedValues, earlier }
    await checkRelatedValues(values, company, owner, related, findings)
  }
  await checkCustomFields(values, company, change, findings)
}

async function checkCodes(
  values: LegalValues,
  company: CompanyRules,
  draft: Customer,
  stored: Customer | undefined,
  findings: Findings,
): Promise<void> {
  for (const [field, legal] of Object.entries(company.customers?.legalValues ?? {})) {
    const path = CODED_FIELDS.get(field) ?? [field]
    const code = codeAt(draft, path)
    if (code === '' || (stored && code === codeAt(stored, path)) || findings.has(path)) continue
    if (!(await isLegalCode(values, company, legal, code))) findings.add(path, 3010, 'Illegal value.')
  }
}

function codeAt(record: Customer, path: FieldPath): string {
  return path.reduce<unknown>((part, name) => (part as Record<string, unknown>)[name as string], record) as string
}
