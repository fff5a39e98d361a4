// Contact points: the addresses and persons of a value or a customer.

import type { Static } from 'typebox'
import type { Findings } from '../../../errors/findings.ts'
import { integer, record, text } from '../../../model/schema.ts'
import { type BoundedField, TEXT_LENGTHS } from '../../../model/text-lengths.ts'
import type { CompanyRules } from '../../../setup/rules/rules.ts'
import { required } from '../required-field.ts'
import type { LegalValues } from './value-store.ts'

/** Name of the attribute whose values are the legal contact point types (specification, contact point). */
const TYPE_ATTRIBUTE = 'ADDRTYPE'

/** A group of texts with their maximum lengths. */
const bounded = <Name extends BoundedField>(...names: Name[]) =>
  record(
    Object.fromEntries(names.map((name) => [name, text({ maxLength: TEXT_LENGTHS[name] })])) as Record<
      Name,
      ReturnType<typeof text>
    >,
  )

export const ContactPoint = record(
  {
    additionalContactInfo: bounded('contactPerson', 'contactPosition', 'eMail', 'eMailCc', 'gtin', 'url'),
    address: bounded('countryCode', 'place', 'postcode', 'province', 'streetAddress'),
    contactPointType: text({ description: 'A value of the attribute ADDRTYPE; cannot be changed.' }),
    phoneNumbers: bounded(
      'telephone1',
      'telephone2',
      'telephone3',
      'telephone4',
      'telephone5',
      'telephone6',
      'telephone7',
    ),
    sortOrder: integer(),
  },
  { title: 'ContactPoint' },
)

export type ContactPoint = Static<typeof ContactPoint>

/**
 * Checks that the type of each contact point is legal. Those for which `isKnown` returns true are stored and not
 * checked again.
 */
export async function checkContactPoints(
  values: LegalValues,
  company: CompanyRules,
  points: readonly ContactPoint[],
  isKnown: (point: ContactPoint) => boolean,
  findings: Findings,
): Promise<void> {
  const types = company.attributeByName(TYPE_ATTRIBUTE)
  for (const [index, { contactPointType: type, ...rest }] of points.entries()) {
    const path = ['contactPoints', index, 'contactPointType']
    if (findings.has(path) || isKnown({ contactPointType: type, ...rest })) continue
    if (type === '') findings.add(path, 1010, required(path))
    else if (!types || !(await values.isLegalValue(types.id, type))) {
      findings.add(path, 3010, `${type} is not a legal ${TYPE_ATTRIBUTE}`)
    }
  }
}
