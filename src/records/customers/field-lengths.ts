// The longest texts that the fields of a customer take (decision 5): checks, the API description and docs/customers.md
// follow from this one table. Names are those of the fields, wherever in the record they stand.
export const FIELD_LENGTHS = {
  aliasName: 255,
  bankAccount: 35,
  companyId: 25,
  companyRegistrationNumber: 25,
  contactPerson: 255,
  contactPosition: 255,
  countryCode: 25,
  currencyCode: 25,
  customerGroupId: 25,
  customerId: 25,
  customerName: 255,
  debtCollectionCode: 25,
  eMail: 255,
  eMailCc: 255,
  externalReference: 100,
  gtin: 25,
  languageCode: 25,
  payMethod: 25,
  paymentTermsId: 25,
  place: 40,
  postalAccount: 35,
  postcode: 15,
  province: 40,
  streetAddress: 160,
  telephone1: 35,
  telephone2: 35,
  telephone3: 35,
  telephone4: 35,
  telephone5: 35,
  telephone6: 35,
  telephone7: 35,
  url: 255,
} as const

/** Every field takes a text of this length. */
export const SHORTEST_LENGTH = Math.min(...Object.values(FIELD_LENGTHS))

export function lengthOf(field: string): number | undefined {
  return (FIELD_LENGTHS as Readonly<Record<string, number>>)[field]
}
