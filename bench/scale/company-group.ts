// Setups of a group of companies, each with attributes, relations, document types and value lists of a usual size; and
// one user with a role in all of them.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { SETUP } from '../place.ts'

/** A setup file of more would be larger than one that people write. */
const COMPANIES_AT_ONCE = 100
const COUNTRIES = 240
const CURRENCIES = 170

export const companyId = (no: number): string => `C${String(no).padStart(4, '0')}`

/** The client whose user has a role in a company. */
export const clientOf = (no: number): string => `bench${Math.ceil(no / COMPANIES_AT_ONCE)}`

/** The files of a group of so many companies, each with a client for its companies. */
export function groupSetups(folder: string, companies: number): string[] {
  const { companies: templates, ...setup } = parse(readFileSync(SETUP, 'utf8'))
  const files: string[] = []
  for (let first = 1; first <= companies; first += COMPANIES_AT_ONCE) {
    const ids = Array.from({ length: Math.min(COMPANIES_AT_ONCE, companies - first + 1) }, (_, at) =>
      companyId(first + at),
    )
    const some = ids.map((id) => ({ ...templates[0], id, name: `Company ${id}`, valueLists: LISTS }))
    const user = {
      id: clientOf(first),
      defaultCompany: ids[0],
      roles: Object.fromEntries(ids.map((id) => [id, ['all']])),
    }
    const client = { ...setup.clients[0], id: user.id, user: user.id }
    const file = join(folder, `group-${first}.yaml`)
    writeFileSync(
      file,
      JSON.stringify({ ...setup, companies: some, documents: DOCUMENTS, users: [user], clients: [client] }),
    )
    files.push(file)
  }
  return files
}

const numbered = (prefix: string, count: number, title: string) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`${prefix}${at}`, `${title} number ${at}`]))

const LISTS = {
  STATUS: { N: 'Active', P: 'Parked', C: 'Closed' },
  COUNTRY: numbered('L', COUNTRIES, 'A country of the world,'),
  CURRENCY: numbered('X', CURRENCIES, 'A currency of the world,'),
}

const DOCUMENTS = ['orders', 'contracts', 'machines'].map((name) => ({
  name,
  key: ['companyId', 'number'],
  properties: {
    companyId: { type: 'string' },
    number: { type: 'integer' },
    title: { type: 'string', maxLength: 100 },
    countryCode: { type: 'string', legalValues: { valueList: 'COUNTRY' } },
    customer: { reference: 'customers', key: ['customerId'] },
    customerId: { type: 'string', maxLength: 25 },
  },
}))
