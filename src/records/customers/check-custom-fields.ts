// Custom fields: what a company's setup says of them. All findings stand in the group that they are about.
import { capitalised } from '../../base/text.ts'
import type { Findings } from '../../errors/findings.ts'
import type { CompanyRules, CustomFieldRules } from '../../setup/rules.ts'
import type { ReadTx } from '../../store/store.ts'
import { isLegalCode } from '../shared/legal-values.ts'
import type { Customer } from './customer.ts'
import { tooLong } from './messages.ts'

/** Gathers what is wrong with the fields of every group (specification, customers 2: 422, code 3010). */
export async function checkCustomFields(
  tx: ReadTx,
  company: CompanyRules,
  draft: Customer,
  stored: Customer | undefined,
  findings: Findings,
): Promise<void> {
  for (const { name, fields } of company.customers?.customFieldGroups ?? []) {
    for (const field of fields) {
      const path = ['customFieldGroups', name, field.name]
      if (findings.has(path)) continue
      const value = draft.customFieldGroups[name]?.[field.name]
      if (stored && value === stored.customFieldGroups[name]?.[field.name]) continue
      const wrong = await problemOf(tx, company, field, value)
      if (wrong !== undefined) findings.add(path, 3010, wrong)
    }
  }
}

async function problemOf(
  tx: ReadTx,
  company: CompanyRules,
  field: CustomFieldRules,
  value: unknown,
): Promise<string | undefined> {
  const { name, required, maxLength, legalValues } = field
  if (value === '' || value === undefined) return required ? `The ${capitalised(name)} field is required.` : undefined
  if (typeof value === 'string') {
    if (maxLength !== undefined && value.length > maxLength) return tooLong(name, maxLength)
    if (legalValues && !(await isLegalCode(tx, company, legalValues, value))) return 'Illegal value.'
  }
  return typeof value === 'number' ? problemOfNumber(field, value) : undefined
}

/** A number that was left out is 0, which a range need not hold. */
function problemOfNumber({ name, required, minimum, maximum }: CustomFieldRules, value: number): string | undefined {
  const isBelow = minimum !== undefined && value < minimum
  const isAbove = maximum !== undefined && value > maximum
  if (!isBelow && !isAbove) return undefined
  if (value === 0) return required ? `The ${capitalised(name)} field is required.` : undefined
  const range = [minimum === undefined ? '' : `at least ${minimum}`, maximum === undefined ? '' : `at most ${maximum}`]
  return `The field ${capitalised(name)} must be ${range.filter(Boolean).join(' and ')}.`
}
