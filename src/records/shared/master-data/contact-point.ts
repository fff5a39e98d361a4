// Contact points: the addresses and persons of a value or a customer.
import type { Findings } from '../../../errors/findings.ts'
import { type ContactPoint, TYPE_ATTRIBUTE } from '../../../model/records/contact-point.ts'
import type { CompanyRules } from '../../../setup/rules/rules.ts'
import { required } from '../required-field.ts'
import { isLegalCode } from './lookups.ts'
import type { LegalValues } from './value-store.ts'

/** Checks that the type of each contact point is legal. A type that the record had is not checked again. */
export async function checkContactPoints(
  values: LegalValues,
  company: CompanyRules,
  { contactPoints }: WithPoints,
  stored: WithPoints | undefined,
  findings: Findings,
): Promise<void> {
  const types = company.attributeByName(TYPE_ATTRIBUTE)
  const storedTypes = new Set(stored?.contactPoints.map((point) => point.contactPointType))
  for (const [index, { contactPointType: type }] of contactPoints.entries()) {
    const path = ['contactPoints', index, 'contactPointType']
    if (findings.has(path) || storedTypes.has(type)) continue
    if (type === '') findings.add(path, 1010, required(path))
    else if (!types || !(await values.isLegalValue(types.id, type))) {
      findings.add(path, 3010, `${type} is not a legal ${TYPE_ATTRIBUTE}`)
    }
  }
}

interface WithPoints {
  readonly contactPoints: readonly ContactPoint[]
}

/**
 * Checks the contact points of a customer, or of a record that has them as customers do: their types and countries, and
 * that one has the General type.
 */
export async function checkPointsOfRecord(
  values: LegalValues,
  company: CompanyRules,
  draft: WithPoints,
  stored: WithPoints | undefined,
  findings: Findings,
): Promise<void> {
  if (findings.has('contactPoints') && draft.contactPoints.length === 0) return
  await checkContactPoints(values, company, draft, stored, findings)
  await checkCountries(values, company, draft, stored, findings)
  const general = company.generalContactPointType
  const hasGeneral = (one: WithPoints) => one.contactPoints.some((point) => point.contactPointType === general)
  if (hasGeneral(draft) || (stored && !hasGeneral(stored))) return
  findings.add('contactPoints', 3010, 'A contact point of the General type is required.', stored ? 422 : 400)
}

/** The legal countries of contact points are those of customers. */
async function checkCountries(
  values: LegalValues,
  company: CompanyRules,
  draft: WithPoints,
  stored: WithPoints | undefined,
  findings: Findings,
): Promise<void> {
  const countries = company.customers?.legalValues.countryCode
  if (!countries) return
  const storedCountries = new Set(stored?.contactPoints.map((point) => point.address.countryCode))
  for (const [index, { address }] of draft.contactPoints.entries()) {
    const path = ['contactPoints', index, 'address', 'countryCode']
    const { countryCode } = address
    if (countryCode === '' || storedCountries.has(countryCode) || findings.has(path)) continue
    if (!(await isLegalCode(values, company, countries, countryCode))) findings.add(path, 3010, 'Illegal value.')
  }
}
