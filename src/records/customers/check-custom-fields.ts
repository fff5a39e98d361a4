// Custom fields: what a company's setup says of them. All findings stand in the group that they are about.
import { OPEN_FROM } from '../../base/dates.ts'
import { capitalised, isLongerThan } from '../../base/text.ts'
import type { Findings } from '../../errors/findings.ts'
import type { CompanyRules, CustomFieldRules } from '../../setup/rules.ts'
import { tooLong } from '../shared/check-lengths.ts'
import { isLegalCode } from '../shared/legal-values.ts'
import type { LegalValues } from '../shared/value-store.ts'
import type { CustomerChange } from './customer.ts'
import { required } from './messages.ts'

/** Gathers what is wrong with the fields of every group (specification, customers 2: 422, code 3010). */
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
      const wrong = isGiven ? await problemOf(values, company, field, value) : problemOfAbsent(field)
      if (wrong !== undefined) findings.add(path, 3010, wrong)
    }
  }
}

/** An empty text, or the date that an absent one reads as. */
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
  const wrong =
    problemOfText(field, value) ?? problemOfNumber(field, value) ?? (await illegal(values, company, field, value))
  // An absent number is answered as 0, which neither a range nor legal values need to hold.
  return wrong !== undefined && value === 0 ? problemOfAbsent(field) : wrong
}

function problemOfText({ name, maxLength }: CustomFieldRules, value: unknown): string | undefined {
  if (typeof value !== 'string' || !isLongerThan(value, maxLength)) return undefined
  return tooLong(name, maxLength)
}

function problemOfNumber({ name, minimum, maximum }: CustomFieldRules, value: unknown): string | undefined {
  if (typeof value !== 'number') return undefined
  const isBelow = minimum !== undefined && value < minimum
  const isAbove = maximum !== undefined && value > maximum
  if (!isBelow && !isAbove) return undefined
  const range = [minimum === undefined ? '' : `at least ${minimum}`, maximum === undefined ? '' : `at most ${maximum}`]
  return `The field ${capitalised(name)} must be ${range.filter(Boolean).join(' and ')}.`
}

async function illegal(
  values: LegalValues,
  company: CompanyRules,
  { legalValues }: CustomFieldRules,
  value: unknown,
): Promise<string | undefined> {
  if (!legalValues || (await isLegalCode(values, company, legalValues, String(value)))) return undefined
  return 'Illegal value.'
}
