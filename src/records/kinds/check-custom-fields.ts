// Custom fields: what a company's setup says of them. All findings stand in the group that they are about.

import { OPEN_FROM } from '../../base/dates.ts'
import { isLongerThan } from '../../base/text.ts'
import type { Findings } from '../../errors/findings.ts'
import type { Customer } from '../../model/records/customer.ts'
import type { CompanyRules, CustomFieldRules } from '../../setup/rules/rules.ts'
import { tooLong } from '../shared/check-lengths.ts'
import { isLegalCode } from '../shared/master-data/lookups.ts'
import type { LegalValues } from '../shared/master-data/value-store.ts'
import { outOfRange } from '../shared/messages.ts'
import { required } from '../shared/required-field.ts'

/** A customer to be checked. */
export interface CustomerChange {
  readonly given: { readonly customFieldGroups?: Readonly<Record<string, object>> }
  readonly draft: Customer
  /** Undefined for a new record. */
  readonly stored: Customer | undefined
}

/** Checks the fields of every group and adds the findings (specification, customers 2: 422, code 3010). */
export async function checkCustomFields(
  values: LegalValues,
  company: CompanyRules,
  { given, draft, stored }: CustomerChange,
  findings: Findings,
): Promise<void> {
  for (const { name, fields } of company.customers?.customFieldGroups ?? []) {
    const groupGiven = given.customFieldGroups?.[name] ?? {}
    for (const field of fields) {
      const path = ['customFieldGroups', name, field.name]
      if (findings.has(path)) continue
      const value = draft.customFieldGroups[name]?.[field.name]
      if (stored && value === stored.customFieldGroups[name]?.[field.name]) continue
      const isGiven = Object.hasOwn(groupGiven, field.name) && !isEmpty(field, value)
      const problem = isGiven ? await problemOf(values, company, field, value) : problemOfAbsent(field)
      if (problem !== undefined) findings.add(path, 3010, problem)
    }
  }
}

/** Whether a value is an empty text or the date that an absent value is returned as. */
function isEmpty({ type }: CustomFieldRules, value: unknown): boolean {
  return value === '' || (type === 'date-time' && value === OPEN_FROM)
}

function problemOfAbsent(field: CustomFieldRules): string | undefined {
  return field.required ? required(field.name) : undefined
}

async function problemOf(
  values: LegalValues,
  company: CompanyRules,
  field: CustomFieldRules,
  value: unknown,
): Promise<string | undefined> {
  const { name, maxLength, minimum, maximum, legalValues } = field
  if (typeof value === 'string' && isLongerThan(value, maxLength)) return tooLong(name, maxLength)
  const isBelow = minimum !== undefined && typeof value === 'number' && value < minimum
  const isAbove = maximum !== undefined && typeof value === 'number' && value > maximum
  const isLegal = !legalValues || (await isLegalCode(values, company, legalValues, String(value)))
  if (isLegal && !isBelow && !isAbove) return undefined
  // An absent number is returned as 0, which therefore is legal outside of a range or the legal values.
  if (value === 0) return problemOfAbsent(field)
  return isBelow || isAbove ? outOfRange(name, field) : 'Illegal value.'
}
