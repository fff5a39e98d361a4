// Contact points: the addresses and persons of a value or a customer, stored as JSON in the order of these members.
import type { Static } from 'typebox'
import { group, integer, jsonList, text } from '../record-definition.ts'
import { type Fields, objectOf } from '../record-fields.ts'

/** The attribute whose values are the legal types of contact points (specification, contact point). */
export const TYPE_ATTRIBUTE = 'ADDRTYPE'

const fields = {
  additionalContactInfo: group({
    contactPerson: text({ max: 255 }),
    contactPosition: text({ max: 255 }),
    eMail: text({ max: 255 }),
    eMailCc: text({ max: 255 }),
    gtin: text({ max: 25 }),
    url: text({ max: 255 }),
  }),
  address: group({
    countryCode: text({ max: 25 }),
    place: text({ max: 40 }),
    postcode: text({ max: 15 }),
    province: text({ max: 40 }),
    streetAddress: text({ max: 160 }),
  }),
  contactPointType: text({
    isRequired: true,
    codes: { attributeName: TYPE_ATTRIBUTE },
    description: `A value of the attribute ${TYPE_ATTRIBUTE}; cannot be changed.`,
  }),
  phoneNumbers: group(
    {
      telephone1: text({ max: 35 }),
      telephone2: text({ max: 35 }),
      telephone3: text({ max: 35 }),
      telephone4: text({ max: 35 }),
      telephone5: text({ max: 35 }),
      telephone6: text({ max: 35 }),
      telephone7: text({ max: 35 }),
    },
    { aliases: ['phoneNumber'] },
  ),
  sortOrder: integer({ aliases: ['sequenceNumber'] }),
} satisfies Fields

export const ContactPoint = { fields, schema: objectOf(fields, { title: 'ContactPoint' }) }

export type ContactPoint = Static<typeof ContactPoint.schema>

/** The contact points of a record. Everything of one may change except its type, which is its key (decision 2). */
export const contactPoints = (description: string, isRequired = false) => ({
  ...jsonList(ContactPoint, {
    description,
    patch: [
      { path: '' },
      { path: '/-', ops: ['add'] },
      { path: '/*', ops: ['replace', 'remove'] },
      {
        path: '/*/contactPointType',
        refusal: { code: 3010, message: 'Updating key value ContactPointType is not supported' },
      },
      { path: '/*/**' },
    ],
  }),
  isRequired,
})
