// Contact points: the addresses and persons of a value or a customer.
import type { Static } from 'typebox'
import type { Findings } from '../../errors/findings.ts'
import { integer, record, text } from '../../model/schema.ts'
import { type BoundedField, TEXT_LENGTHS } from '../../model/text-lengths.ts'
import type { CompanyRules } from '../../setup/rules.ts'
import type { LegalValues } from './value-store.ts'

/** The attribute of this name holds the legal contact point types (specification, contact point). */
const TYPE_ATTRIBUTE = 'ADDRTYPE'

/** Texts with their greatest lengths. */
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

/** The type of each contact point must be a legal one. `isKnown` says which are as they were stored already. */
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
    if (type === '') findings.add(path, 1010, 'The ContactPointType field is required.')
    else if (!types || !(await values.isLegalValue(types.id, type))) {
      findings.add(path, 3010, `${type} is not a legal ${TYPE_ATTRIBUTE}`)
    }
  }
}
