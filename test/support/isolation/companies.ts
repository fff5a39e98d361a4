// Companies that differ only in their data: the same ids and rules, and in every text and number a mark that identifies
// the company wherever it turns up. Ids that only one company has are named after it.
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PASSWORD_HASH } from '../passwords.ts'

export interface Company {
  readonly id: string
  /** A letter in the ids that only this company has. */
  readonly letter: string
  /** The mark in every text of the company; its blank shows how a text is encoded. */
  readonly mark: string
  /** The mark in every number of the company. */
  readonly number: number
  /** The colour of its pictures. */
  readonly colour: number
}

export const JASPER: Company = { id: 'JASPER', letter: 'J', mark: 'jasper canary', number: 414_213_562, colour: 0x20 }
export const KOPPER: Company = { id: 'KOPPER', letter: 'K', mark: 'kopper canary', number: 628_318_530, colour: 0x70 }
export const GRANIT: Company = { id: 'GRANIT', letter: 'G', mark: 'granit canary', number: 271_828_182, colour: 0xc0 }
export const COMPANIES = [JASPER, KOPPER, GRANIT] as const

/** An id as long as those of the companies, so that answers have equal lengths. */
export const UNKNOWN = 'KOBALT'

const APIS = {
  'attribute-values': ['create', 'read', 'update', 'delete'],
  'attribute-relations': ['create', 'read', 'update', 'delete'],
  customers: ['create', 'read', 'update', 'delete'],
  documents: ['create', 'read', 'update', 'delete'],
  subscriptions: ['create', 'read', 'update', 'delete'],
  'work-orders': ['create', 'read', 'update', 'delete'],
  objects: ['read', 'export'],
} as const

/** Built-in documents and the setup's custom one. */
export const ENTERPRISE_DOCUMENTS = [
  'attribute-relations',
  'attribute-values',
  'attributes',
  'audit-entries',
  'companies',
  'customers',
  'document-archive',
  'general-ledger-transactions',
  'value-list',
  'work-orders',
] as const

const NO_SECRET = `scrypt$16384$8$1$${'AAAA'.repeat(4)}$${'AAAA'.repeat(8)}`

const READER = Object.fromEntries(Object.keys(APIS).map((api) => [api, ['read']]))

/** A role for each permission, which grants nothing else. */
export const PERMISSIONS = Object.entries(APIS).flatMap(([api, operations]) =>
  operations.map((operation) => `${api}:${operation}`),
)

/** Writes a setup with these companies; returns the file. */
export function setupFileOf(companies: readonly Company[], issuers: readonly object[] = []): string {
  const file = join(mkdtempSync(join(tmpdir(), 'tabularium-apart-')), 'setup.yaml')
  // JSON is a subset of YAML.
  writeFileSync(file, JSON.stringify({ ...setupOf(companies), authentication: { issuers } }))
  return file
}

function setupOf(companies: readonly Company[]) {
  const users = companies.flatMap(usersOf).map((user) => inTheseOnly(user, companies))
  return {
    version: 1,
    companies: companies.map(companySetup),
    documents: [WORK_ORDERS],
    roles: [
      { id: 'writer', apis: APIS, objects: ENTERPRISE_DOCUMENTS },
      // Subscriptions are changed by the client that has made them.
      { id: 'editor', apis: { ...APIS, subscriptions: ['read'] }, objects: ENTERPRISE_DOCUMENTS },
      { id: 'reader', apis: READER, objects: ENTERPRISE_DOCUMENTS },
      { id: 'nothing' },
      ...PERMISSIONS.map((permission, no) => ({ id: `permission${no}`, ...singly(permission) })),
      ...ENTERPRISE_DOCUMENTS.map((name, no) => ({
        id: `document${no}`,
        apis: { objects: ['read'] },
        objects: [name],
      })),
    ],
    users,
    // No client authenticates by secret; hashing one for each would take seconds.
    clients: users.map(({ id }) => ({ id, user: id, secretHash: NO_SECRET })),
  }
}

/** The client with this permission or Enterprise Document only. */
export function clientWithOnly(what: string): string {
  return `only-${what.replace(':', '-')}`
}

function singly(permission: string) {
  const [api = '', operation = ''] = permission.split(':')
  return { apis: { [api]: [operation] }, objects: api === 'objects' ? ENTERPRISE_DOCUMENTS : [] }
}

interface UserSetup {
  readonly id: string
  readonly defaultCompany: string
  readonly roles?: Readonly<Record<string, readonly string[]>>
  readonly passwordHash?: string
  readonly administrator?: boolean
}

function inTheseOnly({ roles, ...user }: UserSetup, companies: readonly Company[]): UserSetup {
  if (!roles) return user
  return {
    ...user,
    roles: Object.fromEntries(Object.entries(roles).filter(([id]) => companies.some((one) => one.id === id))),
  }
}

/** All users may write in their own company only; the first company has callers of every other kind too. */
function usersOf({ id }: Company): UserSetup[] {
  const writer = { id: `writer-${id}`, defaultCompany: id, roles: { [id]: ['writer'] } }
  if (id !== JASPER.id) return [writer]
  const passwordHash = PASSWORD_HASH
  const only = (what: string, role: string) => ({
    id: clientWithOnly(what),
    defaultCompany: id,
    roles: { [id]: [role] },
  })
  return [
    writer,
    { id: 'person', defaultCompany: id, roles: { [id]: ['editor'] }, passwordHash },
    { id: 'overseer', defaultCompany: id, roles: { [KOPPER.id]: ['writer'] }, passwordHash, administrator: true },
    { id: 'reader', defaultCompany: id, roles: { [id]: ['reader'] } },
    { id: 'nobody', defaultCompany: id, roles: { [id]: ['nothing'] } },
    { id: 'roleless', defaultCompany: id },
    ...PERMISSIONS.map((permission, no) => only(permission, `permission${no}`)),
    ...ENTERPRISE_DOCUMENTS.map((name, no) => only(name, `document${no}`)),
    { id: 'both', defaultCompany: id, roles: { [id]: ['writer'], [KOPPER.id]: ['writer'] } },
    { id: 'elsewhere', defaultCompany: id, roles: { [id]: ['reader'], [GRANIT.id]: ['writer'] } },
  ]
}

const WORK_ORDERS = {
  name: 'work-orders',
  key: ['companyId', 'workOrderId'],
  properties: {
    companyId: { type: 'string' },
    workOrderId: { type: 'string' },
    description: { type: 'string' },
    costCentre: { type: 'string', attributeId: 'C1' },
    status: { type: 'string', valueList: 'STATUS' },
    hours: { type: 'number' },
  },
}

function companySetup({ id, letter, mark }: Company) {
  return {
    id,
    name: `${mark} as`,
    customers: {
      attributeId: 'A4',
      mandatoryRelations: ['LEGALID'],
      legalValues: {
        countryCode: { valueList: 'COUNTRY' },
        currencyCode: { valueList: 'CURRENCY' },
        customerGroupId: { attributeId: 'CG' },
        payMethod: { attributeId: 'PM' },
      },
      customFieldGroups: [
        {
          name: 'delivery',
          fields: [
            { name: 'route', type: 'string' },
            { name: 'zone', type: 'string', legalValues: { valueList: 'ZONE' } },
            { name: 'agent', type: 'string', legalValues: { attributeId: 'PM' } },
          ],
        },
      ],
    },
    attributes: attributesOf(letter, mark),
    relations: relationsOf(letter, mark),
    attributeValues: {
      C1: { SAME: mark, [`V-${letter}`]: mark },
      C2: { '100': mark, '200': mark, [`W-${letter}`]: mark },
      LI: { NO1: mark, [`L-${letter}`]: mark },
      AT: { '1': mark, [`T-${letter}`]: mark },
      CG: { '10': mark, [`G-${letter}`]: mark },
      PM: { IP: mark, [`P-${letter}`]: mark },
    },
    documentTypes: documentTypesOf(letter, mark),
    valueLists: {
      STATUS: { N: mark, [`S-${letter}`]: mark },
      COUNTRY: { NO: mark, [`${letter}${letter}`]: mark },
      CURRENCY: { NOK: mark, [`${letter}UR`]: mark },
      ZONE: { Z1: mark, [`Z-${letter}`]: mark },
      [`LIST-${letter}`]: { '1': mark },
    },
  }
}

function attributesOf(letter: string, mark: string) {
  const description = `${mark} attribute`
  return [
    { id: 'C1', name: 'COSTC', description, contactPoints: true, owner: { attributeId: 'C2' } },
    { id: 'C2', name: 'DEPT', description },
    { id: 'C5', name: 'PROJECT', description, numbering: { series: 'PROJ', from: 5000, to: 5999 } },
    { id: 'A4', name: 'CUSTOMER', description, contactPoints: true },
    { id: 'LI', name: 'LEGALENTITY', description },
    { id: 'AT', name: 'ADDRTYPE', description },
    { id: 'CG', name: 'CUSTGROUP', description },
    { id: 'PM', name: 'PAYMETHOD', description },
    { id: `Z${letter}`, name: `ONLY-${letter}`, description },
  ]
}

function relationsOf(letter: string, mark: string) {
  return [
    { id: 'REL1', name: mark, group: mark, attributeId: 'C1', relatedAttributeId: 'C2', multiple: true },
    { id: 'REL2', name: mark, group: mark, attributeId: 'C1', relatedAttributeId: 'CG' },
    { id: 'LEGALID', name: mark, group: mark, attributeId: 'A4', relatedAttributeId: 'LI' },
    { id: `R-${letter}`, name: mark, attributeId: 'C1', relatedAttributeId: 'PM', multiple: true },
  ]
}

function documentTypesOf(letter: string, mark: string) {
  return [
    { id: 'NOTE', description: mark },
    {
      id: 'INVOICE',
      description: mark,
      indexes: [
        { sequenceNo: 1, name: 'Cost centre', attributeId: 'C1', required: true },
        { sequenceNo: 2, name: 'Number' },
      ],
    },
    { id: `D-${letter}`, description: mark },
  ]
}
