// Customers, each with a contact point and a legal entity.
import { Random } from './random.ts'
import { PLACES } from './values.ts'

const NAME_BEGINNINGS =
  'Nord,Vest,Sør,Øst,Fjell,Hav,Elv,Skog,Berg,Lund,Dal,Vik,Nes,Sund,Holm,Strand,Gran,Bjørk,Furu,Stein,Sol,Is,Ved,Torg,Kai,Myr,Lie,Moe,Aas,Haug,Bakk,Foss'.split(
    ',',
  )
const NAME_ENDINGS = 'vik,heim,stad,land,berg,dal,nes,ås,tun,gård,bru,havn,voll,lia,moen,sund,rud,set,øy,elv'.split(',')
const TRADES =
  'Maskin,Bygg,Eiendom,Rør,Elektro,Transport,Sjømat,Bakeri,Hotell,Marine,Kommune,Energi,Handel,Verksted,Anlegg,Data'.split(
    ',',
  )
const COMPANY_FORMS = ['AS', 'AS', 'AS', 'ASA', 'AB', 'GmbH', 'ApS', 'Oy']
/** Most customers are in the home market. */
export const COUNTRIES = ['NO', 'SE', 'DK', 'FI', 'DE', 'NL', 'GB', 'FR']
const CURRENCIES: Readonly<Record<string, string>> = { NO: 'NOK', SE: 'SEK', DK: 'DKK' }
const GROUPS = ['IND', 'RET', 'SRV', 'PUB', 'SHP']
const TERMS = ['30', '14', '45']
const PEOPLE = 'Kari Hansen,Ola Berg,Ingrid Lie,Per Moen,Anne Dahl,Lars Vik,Nina Strand,Jon Aas,Eva Haugen'.split(',')

export const customerIdAt = (index: number): string => String(100_000 + index)

/** The first letters of a name, as a user types them into a search box. */
export const nameStart = (random: Random): string =>
  random.pick(NAME_BEGINNINGS) + random.pick(NAME_ENDINGS).slice(0, 2)

export function* customers(count: number): Generator<ReturnType<typeof customerRecord>> {
  for (let index = 0; index < count; index++) yield customerRecord(customerIdAt(index), index)
}

export function customerRecord(customerId: string, index: number) {
  const random = new Random(2_000_003 * (index + 1))
  const countryCode = random.pickSkewed(COUNTRIES)
  const name = `${random.pick(NAME_BEGINNINGS)}${random.pick(NAME_ENDINGS)} ${random.pick(TRADES)}`
  const currencyCode = CURRENCIES[countryCode] ?? 'EUR'
  const domain = `${customerId}.example`
  return {
    customerId,
    customerName: `${name} ${random.pick(COMPANY_FORMS)}`,
    aliasName: `${name.slice(0, 6).toUpperCase()}${random.whole(100)}`,
    companyRegistrationNumber: String(900_000_000 + random.whole(99_999_999)),
    countryCode,
    customerGroupId: random.pickSkewed(GROUPS),
    externalReference: `CRM-${random.whole(1_000_000)}`,
    invoice: {
      creditLimit: 1_000 * random.skewed(500),
      currencyCode,
      paymentTermsId: random.pickSkewed(TERMS),
    },
    payment: { bankAccount: String(15_030_000_000 + random.whole(999_999)) },
    contactPoints: [
      {
        contactPointType: '1',
        address: {
          countryCode,
          place: random.pickSkewed(PLACES),
          postcode: String(1000 + random.whole(9000)),
          streetAddress: `${random.pick(NAME_BEGINNINGS)}veien ${1 + random.whole(120)}`,
        },
        additionalContactInfo: {
          contactPerson: random.pick(PEOPLE),
          eMail: `post@${domain}`,
          url: `https://${domain}`,
        },
        phoneNumbers: { telephone1: `+47 ${20_000_000 + random.whole(79_999_999)}` },
      },
    ],
    relatedValues: [{ relationId: 'LEGALID', relatedValue: random.pick(['NO1', 'NO1', 'NO2']) }],
  }
}
