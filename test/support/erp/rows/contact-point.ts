import type { Row } from '../kind.ts'

export function contactPoint(type: string, at: number, number: number, countryCode: string): Row {
  return {
    additionalContactInfo: {
      contactPerson: `Person ${number % 1000}`,
      contactPosition: '',
      eMail: `post${number % 10_000}@example.com`,
      eMailCc: '',
      gtin: '',
      url: '',
    },
    address: {
      countryCode,
      place: 'Bergen',
      postcode: String(5000 + (number % 999)),
      province: '',
      streetAddress: `Street ${number % 200}\nBack yard`,
    },
    contactPointType: type,
    phoneNumber: {
      telephone1: String(55_000_000 + (number % 999_999)),
      telephone2: '',
      telephone3: '',
      telephone4: '',
      telephone5: '',
      telephone6: '',
      telephone7: '',
    },
    sequenceNumber: at,
  }
}
