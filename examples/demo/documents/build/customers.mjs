// The customers that letters go to, as customers.ndjson has them.
import { readFileSync } from 'node:fs'

const FIRST_CUSTOMER = { EN: 100000, SV: 50000 }
const COUNTRIES = { NO: 'Norge', SE: 'Sverige', DE: 'Deutschland', US: 'USA', GB: 'United Kingdom' }

const lines = readFileSync(new URL('../../customers.ndjson', import.meta.url), 'utf8')
  .trim()
  .split('\n')
const customers = lines.map((line) => JSON.parse(line))

/** A customer by its number, with the lines of its address. */
export function customerOf(companyId, number) {
  const ours = customers.filter((customer) => customer.companyId === companyId)
  const customer = ours[number - FIRST_CUSTOMER[companyId]]
  if (!customer) throw new Error(`${companyId} has no customer ${number}`)
  const invoicing = customer.contactPoints.find((point) => point.contactPointType === '2') ?? customer.contactPoints[0]
  const { streetAddress, postcode, place, countryCode } = invoicing.address
  const town = countryCode === 'GB' ? `${place} ${postcode}` : `${postcode} ${place}`
  return {
    number: String(number),
    name: customer.customerName,
    address: [
      streetAddress,
      town,
      ...(countryCode === ours[0].countryCode ? [] : [COUNTRIES[countryCode] ?? countryCode]),
    ],
    person: invoicing.additionalContactInfo?.contactPerson,
    registration: customer.companyRegistrationNumber,
    currency: customer.invoice.currencyCode,
  }
}
