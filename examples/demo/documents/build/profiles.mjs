// Our own companies, and the suppliers that have written to us: what their letters and their records share.
import { bankAccount, companyNumber, iban, telephone } from '../../source/numbers.mjs'
import { randomOf } from '../../source/read.mjs'

/** As the suppliers of the demo: +47 followed by 1 is no number of Norway, 70 1740 605 to 699 of Sweden is for films. */
const TELEPHONES = { NO: ['+47 1# ## ## ##'], SE: ['+46 8 465 004 ##'], DE: ['+49 69 90009 ###'], US: ['+1 555 01##'] }

/** Our own companies and the suppliers. `look` names the mark, `colour` is the accent, `band` sets the head on a bar. */
const profiles = [
  {
    id: 'EN',
    name: 'Example Nordic AS',
    street: 'Pumpehusveien 12',
    place: '0484 Oslo',
    country: 'NO',
    colour: '#0b4f6c',
    look: 'drop',
  },
  {
    id: 'SV',
    name: 'Example Svenska AB',
    street: 'Ringhjulsgatan 8',
    place: '702 10 Örebro',
    country: 'SE',
    colour: '#0b4f6c',
    look: 'drop',
  },
  {
    id: '20008',
    name: 'Fjordblikk Pumps AS',
    street: 'Støperiveien 31',
    place: '5015 Bergen',
    country: 'NO',
    colour: '#1f6f54',
    look: 'peaks',
  },
  {
    id: '20178',
    name: 'Lyngheim Valves GmbH',
    street: 'Armaturenweg 7',
    place: '26721 Emden',
    country: 'DE',
    colour: '#7a1f2b',
    look: 'hexagon',
    face: 'serif',
  },
  {
    id: '20610',
    name: 'Kraftlinje Energy AS',
    street: 'Kraftgata 4',
    place: '6002 Ålesund',
    country: 'NO',
    colour: '#b3541e',
    look: 'bolt',
    band: true,
  },
  {
    id: '20660',
    name: 'Skybase Cloud Inc',
    street: '400 Example Way',
    place: 'Springfield',
    country: 'US',
    colour: '#3b3f8f',
    look: 'cloud',
    band: true,
  },
  {
    id: '20770',
    name: 'Rørgutane Contractors AS',
    street: 'Grusvegen 18',
    place: '8656 Mosjøen',
    country: 'NO',
    colour: '#1c1f24',
    face: 'typed',
  },
  {
    id: '20620',
    name: 'Havnegata Property AS',
    street: 'Havnegata 2',
    place: '5015 Bergen',
    country: 'NO',
    colour: '#444444',
    look: 'peaks',
  },
  {
    id: '20650',
    name: 'Kodefoss Software AS',
    street: 'Kodeveien 64',
    place: '7013 Trondheim',
    country: 'NO',
    colour: '#2a6db0',
    look: 'hexagon',
  },
  {
    id: '20760',
    name: 'Målrett Calibration AS',
    street: 'Loddveien 9',
    place: '3015 Drammen',
    country: 'NO',
    colour: '#204060',
    look: 'hexagon',
  },
  {
    id: 'VRG',
    name: 'Västmark Rörgross AB',
    street: 'Rörläggargatan 3',
    place: '413 01 Göteborg',
    country: 'SE',
    colour: '#8a5a00',
    look: 'hexagon',
    face: 'serif',
    band: true,
  },
]

const companies = new Map(profiles.map((profile, i) => [profile.id, withNumbers(profile, 7100 + i)]))

/** One of ours, or a supplier by number. */
export function companyOf(id) {
  const company = companies.get(id)
  if (!company) throw new Error(`there is no company ${id}`)
  return company
}

/** The supplier of this name, if it has written to us. */
export function supplierNamed(name) {
  return [...companies.values()].find((company) => company.name === name)
}

function withNumbers(profile, seed) {
  const random = randomOf(seed)
  const { country, name } = profile
  const site = `${slugOf(name)}.example.com`
  const registration = country === 'US' ? 'EIN 00-0000000' : companyNumber(random, country)
  return {
    ...profile,
    ...accountOf(random, country),
    registration,
    phone: telephone(random, TELEPHONES[country]),
    site,
    email: `post@${site}`,
  }
}

function accountOf(random, country) {
  if (country === 'US') return { account: '0000 0000 0000', iban: '0000 0000 0000' }
  const account = bankAccount(random, country)
  return country === 'NO'
    ? { account: grouped(account, [4, 2, 5], '.'), iban: quartets(iban('NO', account)) }
    : { account: quartets(account), iban: quartets(account) }
}

/** An IBAN as it is printed. */
function quartets(text) {
  return text.replace(/(.{4})(?=.)/g, '$1 ')
}

function grouped(text, sizes, separator) {
  const parts = []
  for (const size of sizes) parts.push(text.slice(parts.join('').length, parts.join('').length + size))
  return parts.join(separator)
}

function slugOf(name) {
  const plain = name.toLowerCase().replace(/ø/g, 'o').normalize('NFD').replace(/\p{M}/gu, '')
  return plain.replace(/ (as|ab|gmbh|inc)$/, '').replace(/[^a-z]+/g, '-')
}
