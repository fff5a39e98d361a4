// Contact points: the addresses and persons of a value or a customer.
import { andThen, inTurn } from '../../../base/in-turn.ts'
import { type ContactPoint, TYPE_ATTRIBUTE } from '../../../model/records/contact-point.ts'
import { required } from '../required-field.ts'
import { isLegalCode } from './lookups.ts'
import { hasUnreadItem } from './unread-items.ts'
import type { Checking } from './value-store.ts'

/**
 * Checks that the type of each contact point is legal. A type that the record had is not checked again. A promise where
 * the database is asked.
 */
export function checkContactPoints(
  { values, company, findings }: Checking,
  { contactPoints }: WithPoints,
  stored: WithPoints | undefined,
): Promise<void> | undefined {
  if (contactPoints.length === 0) return undefined
  const types = company.attributeByName(TYPE_ATTRIBUTE)
  const storedTypes = new Set(stored?.contactPoints.map((point) => point.contactPointType))
  return inTurn(contactPoints, ({ contactPointType: type }, index) => {
    const path = ['contactPoints', index, 'contactPointType']
    if (findings.has(path) || storedTypes.has(type)) return undefined
    if (type === '') {
      findings.add(path, 1010, required(path))
      return undefined
    }
    return andThen(types !== undefined && values.isLegalValue(types.id, type), (isLegal): undefined => {
      if (!isLegal) findings.add(path, 3010, `${type} is not a legal ${TYPE_ATTRIBUTE}`)
    })
  })
}

interface WithPoints {
  readonly contactPoints: readonly ContactPoint[]
}

/**
 * Checks the contact points of a customer, or of a record that has them as customers do: their types and countries, and
 * that one has the General type.
 */
export function checkPointsOfRecord(
  checking: Checking,
  draft: WithPoints,
  stored: WithPoints | undefined,
): Promise<void> | undefined {
  const { company, findings } = checking
  const isUnread = hasUnreadItem(findings, 'contactPoints', draft.contactPoints, 'contactPointType')
  const general = company.generalContactPointType
  const hasGeneral = (one: WithPoints) => one.contactPoints.some((point) => point.contactPointType === general)
  const types = checkContactPoints(checking, draft, stored)
  const countries = andThen(types, () => checkCountries(checking, draft, stored))
  return andThen(countries, (): undefined => {
    if (isUnread || hasGeneral(draft) || (stored && !hasGeneral(stored))) return
    findings.add('contactPoints', 3010, 'A contact point of the General type is required.', stored ? 422 : 400)
  })
}

/** The legal countries of contact points are those of customers. */
function checkCountries(
  checking: Checking,
  draft: WithPoints,
  stored: WithPoints | undefined,
): Promise<void> | undefined {
  const { company, findings } = checking
  const countries = company.customers?.legalValues.countryCode
  if (!countries) return undefined
  const storedCountries = new Set(stored?.contactPoints.map((point) => point.address.countryCode))
  return inTurn(draft.contactPoints, ({ address: { countryCode } }, index) => {
    const path = ['contactPoints', index, 'address', 'countryCode']
    if (countryCode === '' || storedCountries.has(countryCode) || findings.has(path)) return undefined
    return andThen(isLegalCode(checking, countries, countryCode), (isLegal): undefined => {
      if (!isLegal) findings.add(path, 3010, 'Illegal value.')
    })
  })
}
