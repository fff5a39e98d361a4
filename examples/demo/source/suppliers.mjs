// Invents what is kept of the suppliers besides their names: bodies of POST /v1/suppliers, owners before what they own.
import { base, da, de, en, en_US, Faker, fi, nb_NO, sv } from '@faker-js/faker'
import { supplierNamed } from '../documents/build/profiles.mjs'
import { contactPoints } from './contact-points.mjs'
import { bankAccount, companyNumber, iban } from './numbers.mjs'
import { compact, padded, randomOf, readList, readText } from './read.mjs'

const words = JSON.parse(readText('customers.json')).countries
const places = [
  ...readList('customer-places'),
  { country: 'US', place: 'Springfield', postcode: '62701', province: 'Illinois' },
]
const trades = new Map(readList('supplier-trades').map((row) => [row.trade, row]))

/** What the form of a company says of its home. Numbers of the last one belong to nobody. */
const HOMES = {
  AS: { country: 'NO', currency: 'NOK', locale: nb_NO },
  ASA: { country: 'NO', currency: 'NOK', locale: nb_NO },
  AB: { country: 'SE', currency: 'SEK', locale: sv },
  ApS: { country: 'DK', currency: 'DKK', locale: da },
  GmbH: { country: 'DE', currency: 'EUR', locale: de },
  Oy: { country: 'FI', currency: 'EUR', locale: fi },
  Inc: { country: 'US', currency: 'USD', locale: en_US },
}
/** What a supplier's people do, by country. */
const SELLERS = {
  NO: ['Salgssjef', 'Nøkkelkundeansvarlig', 'Daglig leder'],
  SE: ['Säljchef', 'Innesäljare'],
  DK: ['Salgschef', 'Salgskonsulent'],
  DE: ['Vertriebsleitung', 'Vertrieb Innendienst'],
  FI: ['Myyntipäällikkö'],
  US: ['Account manager'],
}
const OF_US = {
  telephones: ['+1 555 01##'],
  invoice: ['Accounts receivable'],
  delivery: ['Dispatch'],
  box: 'PO Box {n}',
}
/** By the last digits of their numbers: suppliers that get no orders, for the time being or for ever. */
const STATES = { 20640: 'P', 20730: 'P', 20800: 'C' }
/** Who takes the goods of others to us needs no long credit. */
const CREDITS = { GOODS: [250_000, 500_000, 1_000_000, 2_500_000], SUBCON: [500_000, 1_000_000] }

/** The records of both companies. `employees` are bodies of employees of both. */
export function inventSupplierRecords(suppliers, employees) {
  const random = randomOf(7200)
  const fakers = Object.fromEntries(
    Object.values(HOMES).map(({ country, locale }) => [
      country,
      new Faker({ locale: [locale, en, base], seed: 7200 + country.charCodeAt(0) }),
    ]),
  )
  const buyers = employees.filter((one) => one.status !== 'C' && ['600', '620', '50'].includes(one.departmentId))
  const draw = { random, fakers, buyers }
  const owners = ownersOf(suppliers)
  return [
    ...suppliers.map((supplier) => supplierOfEn(draw, supplier, owners)),
    ...readList('suppliers-sv').map((supplier) => supplierOfSv(draw, supplier)),
  ]
}

/** Companies with the same first word belong to one group; the first of them owns the others. */
function ownersOf(suppliers) {
  const owners = new Map()
  for (const { id, description } of suppliers) {
    const [stem] = description.split(' ')
    if (!owners.has(stem)) owners.set(stem, id)
  }
  return owners
}

function supplierOfEn(draw, { id, description }, owners) {
  const { random } = draw
  const [stem, ...others] = description.split(' ')
  const form = others.pop()
  const { group, products, terms } = trades.get(others.join(' '))
  const owner = owners.get(stem)
  const since = random.month(2009, 2024)
  return compact({
    ...head(draw, 'EN', id, description, form, group),
    ...(owner === id ? {} : { parentSupplierId: owner }),
    ...accounts(draw, description, form, {
      payMethod: HOMES[form].country === 'NO' ? random.pick(['BT', 'EI', 'EI']) : 'IP',
      paymentTermsId: random.pick(terms.split(' ')),
      ...(CREDITS[group] ? { creditLimit: random.pick(CREDITS[group]) } : {}),
      ...(STATES[id] ? { status: STATES[id] } : {}),
    }),
    contactPoints: pointsOf(draw, description, form),
    relatedValues: [
      related('SUPPBUY', buyerOf(draw, 'EN'), 100, since),
      ...products
        .split(' ')
        .filter(Boolean)
        .map((share) => {
          const [product, percentage] = share.split(':')
          return related('SUPPPROD', product, Number(percentage), since)
        }),
    ],
  })
}

function supplierOfSv(draw, { id, description, group, terms }) {
  const since = draw.random.month(2012, 2024)
  return compact({
    ...head(draw, 'SV', id, description, 'AB', group),
    ...accounts(draw, description, 'AB', { payMethod: 'BG', paymentTermsId: terms }),
    contactPoints: pointsOf(draw, description, 'AB'),
    relatedValues: [related('SUPPBUY', buyerOf(draw, 'SV'), 100, since)],
  })
}

function head({ random }, companyId, supplierId, supplierName, form, supplierGroupId) {
  const { country } = HOMES[form]
  const known = supplierNamed(supplierName)
  return {
    companyId,
    supplierId,
    supplierName,
    supplierGroupId,
    countryCode: country,
    registrationNumber: known?.registration ?? companyNumber(random, country),
    ...(random.chance(0.4) ? { externalReference: `SRM-${padded(random.whole(1, 99_999), 5)}` } : {}),
  }
}

/** The account that is paid to, and those for other currencies. */
function accounts({ random }, name, form, payment) {
  const { country, currency } = HOMES[form]
  const known = supplierNamed(name)
  const account = known?.account.replace(/[ .]/g, '') ?? bankAccount(random, country)
  const currencies = country === 'US' ? [] : [currency, ...(country === 'NO' && random.chance(0.2) ? ['EUR'] : [])]
  return {
    payment: { bankAccount: account, ...payment, currencyCode: currency },
    bankAccounts: currencies.map((currencyCode) => ({
      iban: currencyCode === currency ? ibanOf(country, account) : ibanOf(country, bankAccount(random, country)),
      bic: `TEST${country}22`,
      currencyCode,
    })),
  }
}

function ibanOf(country, account) {
  return country === 'NO' ? iban('NO', account) : account
}

/** As customers have them. Who has written to us has the address and the telephone of the letter. */
function pointsOf(draw, name, form) {
  const { random } = draw
  const { country } = HOMES[form]
  const known = supplierNamed(name)
  const place = random.pick(places.filter((one) => one.country === country))
  const about = { country, place, stem: name.replace(/ \S+$/, ''), name, isLarge: false, group: 'SUPPLIER' }
  const [first, ...others] = contactPoints(draw, about, { ...(words[country] ?? OF_US), positions: SELLERS[country] })
  return known ? [asInLetter(first, known)] : [first, ...others]
}

function asInLetter({ additionalContactInfo, sortOrder: _, ...point }, { street, place, phone, email, country }) {
  const [, postcode, town] = /^(\d[\d ]*\d) (.+)$/.exec(place) ?? [place, '62701', place]
  return {
    ...point,
    address: { streetAddress: street, postcode, place: town, countryCode: country },
    additionalContactInfo: { ...additionalContactInfo, eMail: email },
    phoneNumbers: { telephone1: phone },
  }
}

function buyerOf({ random, buyers }, companyId) {
  return random.pick(buyers.filter((one) => one.companyId === companyId)).employeeId
}

function related(relationId, relatedValue, percentage, dateFrom) {
  return { relationId, relatedValue, percentage, dateFrom }
}
