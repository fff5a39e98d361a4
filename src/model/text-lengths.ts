// Maximum text lengths of records in characters, by field name at any depth, and the maximum number of items in a list.
// A setup may lower each length for a company.
export const TEXT_LENGTHS = {
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
  comment: 4_000,
  description: 4_000,
  owner: 255,
  title: 255,
} as const

export type BoundedField = keyof typeof TEXT_LENGTHS

/** The text lengths of a company. */
export class TextLengths {
  readonly #lowered: Readonly<Partial<Record<string, number>>>
  /** The smallest limit: a text of this length fits every field. */
  readonly shortest: number

  constructor(lowered: Readonly<Partial<Record<BoundedField, number>>> = {}) {
    this.#lowered = lowered
    this.shortest = Math.min(...Object.values(TEXT_LENGTHS), ...Object.values(lowered))
  }

  /** The limit of a field; undefined for a field that is limited otherwise, such as a code. */
  of(field: string): number | undefined {
    return this.#lowered[field] ?? (TEXT_LENGTHS as Readonly<Record<string, number>>)[field]
  }
}

/** The length of a custom field if the setup does not specify one. */
export const CUSTOM_TEXT_LENGTH = 4_000

/** Maximum number of contact points, related values or indexes; legitimate records have far fewer. */
export const MAX_ITEMS = 200
