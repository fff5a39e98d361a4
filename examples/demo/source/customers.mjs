// Invents the customers: bodies of POST /v1/customers, in the order in which the service numbers them. The same seeds
// and the same release of faker, the same customers.
import { base, da, de, en, en_GB, Faker, fi, nb_NO, nl, sv } from '@faker-js/faker'
import { contactPoints, slugOf } from './contact-points.mjs'
import { bankAccount, companyNumber } from './numbers.mjs'
import { compact, padded, randomOf, readList, readText } from './read.mjs'

const words = JSON.parse(readText('customers.json'))
const places = readList('customer-places')
const branches = readList('branches')
const heads = words.heads.split(' ')
const tails = words.tails.split(' ')

const LOCALES = { NO: nb_NO, SE: sv, DK: da, FI: fi, DE: de, NL: nl, GB: en_GB }
const FIRST = 100_000
const COUNT = 2_000
const COUNT_SV = 60
/** Customers of company EN below this rank are large; the ledger sells most to the lowest ranks. */
const LARGE = 300
/** From this rank on, a few of the group's own companies. */
const GROUP_RANK = 60
const PRIVATE = ['WEB', 'STAFF']
const BY_THE_SEA = ['AQUA', 'MARINE', 'OFFSHORE']
const PUBLIC = ['MUN', 'STATE', 'KOM', 'GROUP']

/** Both companies get theirs: first EN, numbered from 100000, then SV. `employees` are the people of EN. */
export function inventCustomers(employees) {
  const random = randomOf(6000)
  const fakers = Object.fromEntries(
    Object.entries(LOCALES).map(([country, locale]) => [
      country,
      new Faker({ locale: [locale, en, base], seed: 6000 + country.charCodeAt(0) }),
    ]),
  )
  const draw = { random, fakers, employees, used: new Set() }
  const ofEn = Array.from({ length: COUNT }, (_, i) => customerOfEn(draw, i))
  const ofSv = Array.from({ length: COUNT_SV }, () => customerOfSv(draw))
  return [...ofEn, ...ofSv]
}

/** A customer of EN. Its number says which branch serves it and how much it buys: the ledger has the same rule. */
function customerOfEn(draw, i) {
  const { random } = draw
  const branch = branches[((FIRST + i) * 31) % branches.length]
  const rank = (i * 953) % COUNT // the inverse of the ledger's 617
  const isLarge = rank < LARGE
  const ofGroup = words.groupCompanies[rank - GROUP_RANK]
  const country = ofGroup?.country ?? weighted(random, Object.entries(words.countries), ([, c]) => c.share)[0]
  const place = random.pick(places.filter((p) => p.country === country && (country !== 'NO' || p.branch === branch.id)))
  const kind = ofGroup ? { group: 'GROUP', names: [ofGroup.name] } : kindOf(random, place, branch, isLarge)
  const about = { country, place, branch, isLarge, group: kind.group, ...named(draw, kind, country, place) }
  const risk = riskOf(random, about)
  return compact({
    ...head(draw, about, 'EN'),
    invoice: invoiceOf(random, about, risk),
    payment: paymentOf(random, about, risk),
    contactPoints: contactPoints(draw, about, words.countries[country]),
    relatedValues: relationsOf(draw, about),
    customFieldGroups: { logistics: logisticsOf(random, about), credit: creditOf(random, about, risk) },
  })
}

/** A customer of SV: Swedish, no custom fields, one relation. */
function customerOfSv(draw) {
  const { random } = draw
  const place = random.pick(places.filter((p) => p.country === 'SE'))
  const kind = weighted(random, words.kinds.SV, (k) => k.weight)
  const about = { country: 'SE', place, isLarge: random.chance(0.2), group: kind.group }
  Object.assign(about, named(draw, kind, 'SE', place))
  const days = PUBLIC.includes(kind.group) ? '30' : random.pick(['10', '15', '20', '30', '30', '30', '60', 'FSK'])
  const { bankAccount: account, status } = paymentOf(random, about, 'B')
  return compact({
    ...head(draw, about, 'SV'),
    invoice: { creditLimit: creditLimit(random, about), currencyCode: 'SEK', languageCode: 'SV', paymentTermsId: days },
    payment: { bankAccount: account, status: status === 'Closed' ? 'Parked' : status },
    contactPoints: contactPoints(draw, about, words.countries.SE),
    relatedValues: [related('LEGALID', random.chance(0.8) ? 'SE1' : 'SE2', `${random.whole(2012, 2025)}-01-01`)],
  })
}

function head(draw, { country, group, name, stem, employee }, companyId) {
  const { random } = draw
  const isPrivate = PRIVATE.includes(group)
  return {
    companyId,
    customerName: name,
    aliasName: isPrivate || random.chance(0.5) ? '' : slugOf(stem).replaceAll('-', ' ').toUpperCase(),
    companyRegistrationNumber: isPrivate ? '' : ownNumber(draw, country),
    customerGroupId: group,
    countryCode: country,
    externalReference: employee ? Number(employee) : referenceOf(random, group),
  }
}

/** A number that no other customer has. */
function ownNumber(draw, country) {
  const number = companyNumber(draw.random, country)
  if (draw.used.has(number)) return ownNumber(draw, country)
  draw.used.add(number)
  return number
}

/** What the systems call it that knew the customer before: some by a text, some by a number. */
function referenceOf(random, group) {
  if (group === 'WEB') return `WEB-${padded(random.whole(1, 99_999), 6)}`
  if (!random.chance(0.3)) return ''
  return random.chance(0.5) ? `CRM-${padded(random.whole(1, 49_999), 5)}` : random.whole(300_001, 399_999)
}

/** What the customer is; a branch has more of those that its projects are for. */
function kindOf(random, { country, inland }, branch, isLarge) {
  const unlikely = [...(isLarge ? [...PRIVATE, 'FARM'] : []), ...(inland ? BY_THE_SEA : [])]
  const kinds = words.kinds[country].filter(({ group }) => !unlikely.includes(group))
  const liked = country === 'NO' ? branch.projects.split(' ') : []
  return weighted(random, kinds, ({ group, weight }) => weight * (liked.includes(group) ? 1.8 : 1))
}

/** A name that no other customer has, with what it was made of. */
function named(draw, kind, country, place) {
  const { random, used, employees } = draw
  const { person } = draw.fakers[country]
  for (let tries = 0; tries < 100; tries++) {
    const stem = (random.pick(heads) + random.pick(tails)).replace(/(.)\1\1/, '$1$1')
    const last = upperFirst(lastWord(person.lastName()))
    const employee = kind.group === 'STAFF' ? random.pick(employees) : undefined
    const parts = { ...place, stem, last, last2: lastWord(person.lastName()), first: person.firstName() }
    const name = random
      .pick(kind.names)
      .replace(/\{(\w+)\}/g, (_, part) => (part === 'employee' ? employee.description : parts[part]))
    if (used.has(name)) continue
    used.add(name)
    return {
      name,
      stem: name.replace(/ (AS|ASA|SA|KF|IKS|ANS|DA|ENK|AB|ApS|A\/S|Oyj?|GmbH|GmbH & Co\. KG|B\.V\.|Ltd|plc)$/, ''),
      employee: employee?.id,
    }
  }
  throw new Error(`no more names for ${kind.group} in ${place.place}`)
}

const RISKS = { A: 20, B: 45, C: 25, D: 7, E: 3 }

function riskOf(random, { group, isLarge }) {
  if (PUBLIC.includes(group) || group === 'STAFF') return 'A'
  if (isLarge) return random.pick(['A', 'B', 'B', 'C'])
  return weighted(random, Object.entries(RISKS), ([, share]) => share)[0]
}

const TERMS = {
  MUN: '30',
  STATE: '30',
  GROUP: 'EOM30',
  STAFF: '14',
  MINE: '30 45 60',
  OFFSHORE: '30 45 60 90 PLAN',
  MARINE: '30 45 60 PLAN',
  BUILD: '14 20 30 30 EOM PLAN',
  INST: '14 20 30 30 EOM EOM15 D2N30',
  FARM: '10 14 14 15 D3N14',
  DEALER: '30 EOM15 EOM30 D2N30',
  WEB: 'PRE PRE 14 0',
  EXPORT: '30 45 60 PRE HALF',
}

function invoiceOf(random, about, risk) {
  const { country, group, place, isLarge } = about
  const { currency, language } = words.countries[country]
  const usual = TERMS[group] ?? '14 20 30 30 30 45'
  const isSami = ['Karasjok', 'Kautokeino'].includes(place.place) && group === 'MUN'
  return {
    currencyCode: group === 'OFFSHORE' && random.chance(0.2) ? 'USD' : currency,
    languageCode: isSami ? 'SE' : country !== 'NO' && random.chance(0.3) ? 'EN' : language,
    paymentTermsId: risk === 'E' ? 'PRE' : random.pick(usual.split(' ')),
    creditLimit: risk === 'E' ? 0 : creditLimit(random, about),
    hasFixedCurrency: country !== 'NO',
    hasFixedPaymentTerms: risk === 'E' || random.chance(0.15),
    hasFixedTaxSystem: country !== 'NO',
    calculatePayDiscountOnTax: random.chance(0.05),
    checkCreditOnHeadOffice: isLarge && random.chance(0.3),
  }
}

/** In the currency of the country: thousands for a person, millions for a large company. */
function creditLimit(random, { country, group, isLarge }) {
  const isEuro = !['NO', 'SE', 'DK'].includes(country)
  if (PRIVATE.includes(group)) return random.pick([5_000, 10_000, 20_000, 25_000])
  const thousands = isLarge
    ? random.pick([1000, 1500, 2000, 2500, 5000, 10_000])
    : random.pick([50, 100, 150, 250, 400, 600])
  return (thousands * 1000) / (isEuro ? 10 : 1)
}

const COLLECTION = { A: 'STD STD SOFT', B: 'STD', C: 'STD', D: 'STD EXT', E: 'EXT EXT LEGAL' }

function paymentOf(random, { country, group, isLarge }, risk) {
  const isPrivate = PRIVATE.includes(group)
  const pays = isPrivate ? 'CC CC BT' : PUBLIC.includes(group) ? 'EI' : country === 'NO' ? 'EI EI BT BT DD' : 'IP IP BT'
  const draw = random.whole(1, 1000)
  const isOpen = isLarge || PUBLIC.includes(group) || draw > 52
  return {
    bankAccount: !isPrivate && random.chance(0.5) ? bankAccount(random, country) : '',
    debtCollectionCode: group === 'GROUP' ? 'NONE' : random.pick(COLLECTION[risk].split(' ')),
    expiryDate: !isOpen && draw <= 13 ? random.month(2024, 2025) : '',
    payMethod: random.pick(pays.split(' ')),
    status: isOpen ? '' : draw <= 13 ? 'Closed' : 'Parked',
  }
}

const ENTITIES = { OFFSHORE: 'NO4 NO4 NO4 NO1', BUILD: 'NO1 NO1 NO1 NO2 NO3', INST: 'NO1 NO1 NO1 NO2', GROUP: 'NO1' }

/** Our legal entity, the sales district, and who looks after the customer; sometimes who did so before. */
function relationsOf({ random, employees }, { country, branch, group }) {
  const since = random.month(2008, 2024)
  const entity = random.pick((ENTITIES[group] ?? 'NO1 NO1 NO1 NO1 NO2').split(' '))
  const district = country !== 'NO' ? 'ABROAD' : group === 'OFFSHORE' ? 'OFF' : branch.district
  const list = [related('LEGALID', entity, since)]
  if (!PRIVATE.includes(group) || random.chance(0.3)) list.push(related('CUSTDIST', district, since))
  if (PRIVATE.includes(group) || !random.chance(0.75)) return list
  const desk = country === 'NO' ? `${branch.id}10` : '1430'
  const sellers = employees.filter(({ costCentre }) => costCentre === desk)
  const first = random.pick(sellers)
  const second = random.pick(sellers)
  if (first === second || !random.chance(0.15)) return [...list, related('CUSTMAN', first.id, since)]
  const before = related('CUSTMAN', first.id, since, '2025-06-30')
  return [...list, before, related('CUSTMAN', second.id, '2025-07-01')]
}

function related(relationId, relatedValue, dateFrom, dateTo) {
  return { relationId, relatedValue, percentage: 100, dateFrom, dateTo }
}

function logisticsOf(random, { country, place, branch, group }) {
  const hasRoute = country === 'NO' && random.chance(0.6)
  return {
    deliveryZone: place.zone,
    routeNumber: hasRoute ? (Number(branch.id) - 20) * 50 + random.whole(1, 49) : '',
    temperatureControlled: ['AQUA', 'FOOD'].includes(group) && random.chance(0.3),
  }
}

const REVIEWS = { A: 36, B: 24, C: 12, D: 6, E: 3 }

function creditOf(random, { group, isLarge }, risk) {
  if (PRIVATE.includes(group)) return {}
  return {
    riskClass: risk,
    insured: !PUBLIC.includes(group) && (isLarge || random.chance(0.4)),
    reviewIntervalMonths: random.chance(0.8) ? REVIEWS[risk] : '',
  }
}

function weighted(random, list, weightOf) {
  const total = list.reduce((sum, item) => sum + weightOf(item), 0)
  let left = (random.whole(0, 999_999) / 1_000_000) * total
  for (const item of list) {
    left -= weightOf(item)
    if (left < 0) return item
  }
  return list.at(-1)
}

/** One of two names, with what belongs to it: Dahl of Berg Dahl, van den Berg whole. */
function lastWord(name) {
  return /(?<!\S)(\p{Ll}\S* )*\S+$/u.exec(name)[0]
}

function upperFirst(text) {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}
