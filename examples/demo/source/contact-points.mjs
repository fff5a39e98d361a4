// Contact points of the invented customers. Every e-mail address and site is under a domain reserved for examples.
import { locationNumber, telephone } from './numbers.mjs'
import { readText } from './read.mjs'

const streets = JSON.parse(readText('customers.json')).streets.split(' ')

/** Letters that do not come apart into one of ASCII and an accent. */
const LETTERS = { æ: 'ae', ø: 'o', ß: 'ss', ł: 'l', đ: 'd' }

/** A text in small ASCII letters and digits with hyphens between them. */
export function slugOf(text) {
  return text
    .toLowerCase()
    .replace(/[æøßłđ]/g, (letter) => LETTERS[letter])
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
}

/** One of the General type, for most companies; one for invoices or deliveries beside it for some. */
export function contactPoints(draw, about, country) {
  const { random } = draw
  if (['WEB', 'STAFF'].includes(about.group)) return [ofPerson(draw, about, country)]
  const site = siteOf(about)
  const points = [generalPoint(draw, about, country, site)]
  if (random.chance(0.22)) points.push(invoicePoint(draw, about, country, site))
  if (random.chance(0.16)) points.push(deliveryPoint(draw, about, country, site))
  return points.length === 1 ? points : points.map((point, i) => ({ ...point, sortOrder: i + 1 }))
}

function siteOf({ stem, group }) {
  const slug = slugOf(stem).slice(0, 60).replace(/-$/, '')
  return `${slug}.example.${['MUN', 'STATE', 'KOM'].includes(group) ? 'org' : 'com'}`
}

function ofPerson(draw, about, country) {
  return {
    contactPointType: '1',
    address: addressOf(draw, about, streetOf(draw, about)),
    additionalContactInfo: {
      contactPerson: about.name,
      eMail: `${slugOf(about.name).replaceAll('-', '.')}@example.net`,
    },
    phoneNumbers: { telephone1: telephone(draw.random, country.telephones) },
  }
}

function generalPoint(draw, about, country, site) {
  const { random } = draw
  return {
    contactPointType: '1',
    address: addressOf(draw, about, businessStreet(draw, about)),
    additionalContactInfo: {
      ...(random.chance(0.85) ? personOf(draw, about, country.positions) : {}),
      eMail: `post@${site}`,
      url: random.chance(0.4) ? `https://${site}` : '',
    },
    phoneNumbers: {
      telephone1: telephone(random, country.telephones),
      telephone2: random.chance(0.2) ? telephone(random, country.telephones) : '',
    },
  }
}

/** A post-office box; large companies have a location number. */
function invoicePoint(draw, about, country, site) {
  const { random } = draw
  const box = country.box.replace('{n}', random.whole(1, 2400))
  const { province: _, ...address } = addressOf(draw, about, '')
  const person = random.chance(0.5) ? personOf(draw, about, country.invoice) : {}
  return {
    contactPointType: '2',
    address: { ...address, streetAddress: box },
    additionalContactInfo: {
      ...person,
      eMail: `invoice@${site}`,
      eMailCc: person.contactPerson && random.chance(0.3) ? mailOf(person.contactPerson, site) : '',
      gtin: about.isLarge ? locationNumber(random) : '',
    },
  }
}

function deliveryPoint(draw, about, country, site) {
  const person = personOf(draw, about, country.delivery)
  return {
    contactPointType: '3',
    address: addressOf(draw, about, businessStreet(draw, about)),
    additionalContactInfo: { ...person, eMail: mailOf(person.contactPerson, site) },
    phoneNumbers: { telephone1: telephone(draw.random, country.telephones) },
  }
}

function addressOf({ random }, { country, place }, street) {
  const number = random.whole(1, 140)
  return {
    streetAddress: street && (country === 'GB' ? `${number} ${street}` : `${street} ${number}`),
    postcode: place.postcode,
    place: place.place,
    province: place.province,
    countryCode: country,
  }
}

function businessStreet({ random, fakers }, { country }) {
  return country === 'NO' && random.chance(0.7) ? random.pick(streets) : streetOf({ fakers }, { country })
}

/** Without the first of two family names that faker puts before some streets of Norway and Sweden. */
function streetOf({ fakers }, { country }) {
  const parts = fakers[country].location.street().split(' ')
  const kept = { NO: /^(gate|vei)$/i.test(parts.at(-1)) ? -2 : -1, SE: -2 }[country] ?? 0
  return parts.slice(kept).join(' ')
}

function personOf({ random, fakers }, { country }, positions) {
  const { person } = fakers[country]
  return { contactPerson: `${person.firstName()} ${person.lastName()}`, contactPosition: random.pick(positions) }
}

function mailOf(name, site) {
  return `${slugOf(name).replaceAll('-', '.')}@${site}`
}
