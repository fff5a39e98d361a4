// The rules of a customer (specification, customers 2 and 3), for a new record and for a changed one alike.

import { OPEN_FROM } from '../../base/dates.ts'
import { andThen, inTurn } from '../../base/in-turn.ts'
import { memo } from '../../base/memo.ts'
import { isLongerThan } from '../../base/text.ts'
import type { FieldPath } from '../../errors/findings.ts'
import { CODED_FIELDS, Customer } from '../../model/records/customer.ts'
import type { CompanyRules, CustomFieldRules } from '../../setup/rules/rules.ts'
import { checkFields } from '../engine/plain-kind.ts'
import type { DraftChange, RecordSubject } from '../engine/record-kind.ts'
import { tooLong } from '../shared/check-lengths.ts'
import { checkPointsOfRecord } from '../shared/master-data/contact-point.ts'
import { isLegalCode } from '../shared/master-data/lookups.ts'
import { checkRelatedValues } from '../shared/master-data/related-value.ts'
import type { Checking } from '../shared/master-data/value-store.ts'
import { outOfRange } from '../shared/messages.ts'
import { required } from '../shared/required-field.ts'

/**
 * Checks a change and adds the findings. Fields that equal `stored` were legal when they were written and are not
 * checked again. A promise where the database is asked.
 */
export function checkCustomer(
  checking: Checking,
  subject: RecordSubject | undefined,
  requested: DraftChange,
): Promise<void> | undefined {
  const { given, draft: draftNow, stored: storedBefore, earlier } = requested
  const [draft, stored] = [draftNow as unknown as Customer, storedBefore as unknown as Customer | undefined]
  const change: CustomerChange = { given, draft, stored }
  checkFields(Customer, checking.company, requested, checking.findings)
  const codes = checkCodes(checking, draft, stored)
  const points = andThen(codes, () => checkPointsOfRecord(checking, draft, stored))
  const relations = andThen(points, () => {
    if (!subject) return undefined
    const owner = { attribute: subject.attribute, attributeValue: draft.customerId }
    const related = { items: draft.relatedValues, stored: stored?.relatedValues, earlier }
    return checkRelatedValues(checking, owner, related)
  })
  return andThen(relations, () => checkCustomFields(checking, change))
}

function checkCodes(checking: Checking, draft: Customer, stored: Customer | undefined): Promise<void> | undefined {
  const { company, findings } = checking
  return inTurn(codesOf(company), ({ path, legal }) => {
    const code = codeAt(draft, path)
    if (code === '' || (stored && code === codeAt(stored, path)) || findings.has(path)) return undefined
    return andThen(isLegalCode(checking, legal, code), (isLegal): undefined => {
      if (!isLegal) findings.add(path, 3010, 'Illegal value.')
    })
  })
}

/** The fields of customers whose codes are checked, each with its legal values. */
const codesOf = memo(({ customers }: CompanyRules) =>
  Object.entries(customers?.legalValues ?? {}).map(([field, legal]) => ({
    path: CODED_FIELDS.get(field) ?? [field],
    legal,
  })),
)

function codeAt(record: Customer, path: FieldPath): string {
  return path.reduce<unknown>((part, name) => (part as Record<string, unknown>)[name as string], record) as string
}

/** A customer to be checked. */
interface CustomerChange {
  readonly given: { readonly customFieldGroups?: Readonly<Record<string, object>> }
  readonly draft: Customer
  /** Undefined for a new record. */
  readonly stored: Customer | undefined
}

/** Checks the fields of every group and adds the findings (specification, customers 2: 422, code 3010). */
function checkCustomFields(checking: Checking, { given, draft, stored }: CustomerChange): Promise<void> | undefined {
  const { company, findings } = checking
  return inTurn(company.customers?.customFieldGroups ?? [], ({ name, fields }) => {
    const groupGiven = given.customFieldGroups?.[name] ?? {}
    return inTurn(fields, (field) => {
      const path = ['customFieldGroups', name, field.name]
      if (findings.has(path)) return undefined
      const value = draft.customFieldGroups[name]?.[field.name]
      if (stored && value === stored.customFieldGroups[name]?.[field.name]) return undefined
      const isGiven = Object.hasOwn(groupGiven, field.name) && !isEmpty(field, value)
      const add = (problem: string | undefined): undefined => {
        if (problem !== undefined) findings.add(path, 3010, problem)
      }
      return andThen(isGiven ? problemOf(checking, field, value) : problemOfAbsent(field), add)
    })
  })
}

/** Whether a value is an empty text or the date that an absent value is returned as. */
function isEmpty({ type }: CustomFieldRules, value: unknown): boolean {
  return value === '' || (type === 'date-time' && value === OPEN_FROM)
}

function problemOfAbsent(field: CustomFieldRules): string | undefined {
  return field.required ? required(field.name) : undefined
}

function problemOf(
  checking: Checking,
  field: CustomFieldRules,
  value: unknown,
): string | undefined | Promise<string | undefined> {
  const { name, maxLength, minimum, maximum, legalValues } = field
  if (typeof value === 'string' && isLongerThan(value, maxLength)) return tooLong(name, maxLength)
  const isBelow = minimum !== undefined && typeof value === 'number' && value < minimum
  const isAbove = maximum !== undefined && typeof value === 'number' && value > maximum
  const legality = !legalValues || isLegalCode(checking, legalValues, String(value))
  const problemBy = (isLegal: boolean) => {
    if (isLegal && !isBelow && !isAbove) return undefined
    // An absent number is returned as 0, which therefore is legal outside of a range or the legal values.
    if (value === 0) return problemOfAbsent(field)
    return isBelow || isAbove ? outOfRange(name, field) : 'Illegal value.'
  }
  return legality instanceof Promise ? legality.then(problemBy) : problemBy(legality)
}
