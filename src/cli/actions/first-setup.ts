// The text of a first setup, with comments for whoever goes on with it.

/** What `init` is told. */
export interface FirstSetup {
  readonly company: string
  readonly language: string
  readonly records: readonly FirstRecords[]
  readonly person: string
  readonly passwordHash: string
  readonly secretHash: string
}

type FirstRecords = (typeof FIRST_RECORDS)[number]

export const FIRST_RECORDS = ['cost-centres', 'customers', 'documents', 'suppliers'] as const
/** The client that programs are. */
export const FIRST_CLIENT = 'programs'

/** Each name that is given is written in quotes, as JSON, which is YAML. */
export function firstSetup({ company, language, records, person, passwordHash, secretHash }: FirstSetup): string {
  const has = (kind: FirstRecords, text: string) => (records.includes(kind) ? text : '')
  const id = JSON.stringify(companyIdOf(company))
  const attributes = has('cost-centres', COST_CENTRE) + has('customers', CUSTOMER_ATTRIBUTES)
  const values = has('cost-centres', COST_CENTRE_VALUES) + has('customers', CUSTOMER_VALUES)
  return `# The setup of a company. It may be changed and applied again: what it adds and changes comes into force.
# The guides of the running service tell what else it can say: /docs/administration/setup
version: 1

companies:
  - id: ${id} # for programs, in requests and files; it stays as it is
    name: ${JSON.stringify(company)}
    language: ${JSON.stringify(language)} # of the descriptions below
${[
  has('customers', CUSTOMERS),
  under('    attributes: # the codes that records are kept and sorted by\n', attributes),
  under('    attributeValues: # the first ones; people and programs add others\n', values),
  has('documents', DOCUMENT_TYPES),
].join('')}
${has('suppliers', SUPPLIERS)}roles:
  - id: office # everything; a role for others has fewer of these
    apis:
      attribute-values: [create, read, update, delete]
      attribute-relations: [create, read, update, delete]
${(['customers', 'documents', 'suppliers'] as const)
  .map((api) => has(api, `      ${api}: [create, read, update, delete]\n`))
  .join('')}      objects: [read, export]
    objects: ["*"]

users:
  - id: ${JSON.stringify(person)} # signs in to the console
    defaultCompany: ${id}
    roles: { ${id}: [office] }
    administrator: true
    passwordHash: ${JSON.stringify(passwordHash)}
  - { id: svc-${FIRST_CLIENT}, defaultCompany: ${id}, roles: { ${id}: [office] } } # whom programs work as

clients: # programs; \`tabularium hash-secret --generate\` makes a secret for another one
  - { id: ${FIRST_CLIENT}, user: svc-${FIRST_CLIENT}, secretHash: ${JSON.stringify(secretHash)} }
`
}

/** A heading with nothing under it is left out. */
function under(heading: string, items: string): string {
  return items && heading + items
}

/** The first letters of the name. */
function companyIdOf(name: string): string {
  return (
    name
      .replaceAll(/[^A-Za-z0-9]/g, '')
      .slice(0, 4)
      .toUpperCase() || 'MAIN'
  )
}

const COST_CENTRE = `      - { id: C1, name: COSTC, description: Cost centre, values: { type: text, maxLength: 25 } }
`
const COST_CENTRE_VALUES = `      C1: { "100": Head office, "200": Warehouse }
`
const CUSTOMERS = `    customers: # each is a value of the attribute A4
      attributeId: A4
      numbering: { series: CUST, from: 100000, to: 899999 } # left out: who creates one gives its id
      legalValues: { customerGroupId: { attributeId: A5 } } # other fields take any value
`
const CUSTOMER_ATTRIBUTES = `      - { id: A4, name: CUSTOMER, description: Customer, maintenance: system, contactPoints: true }
      - { id: A5, name: CUSTGROUP, description: Customer group }
      - { id: AT, name: ADDRTYPE, description: Kinds of addresses }
`
const CUSTOMER_VALUES = `      A5: { DOM: Domestic, EXP: Export }
      AT: { "1": General, "2": Invoice, "3": Delivery }
`
const DOCUMENT_TYPES = `    documentTypes: # files of the archive
      - { id: NOTE, description: Notes }
      - id: CONTRACT
        description: Contracts
        retentionMonths: 120
        indexes: [{ sequenceNo: 1, name: Contract number, maxLength: 20, required: true }]
`
const SUPPLIERS = `documents: # records that the setup declares: /v1/suppliers, /v1/objects/suppliers
  - name: suppliers
    description: A supplier of a company.
    key: [companyId, supplierId]
    properties:
      companyId: { type: string }
      supplierId: { type: string, maxLength: 25 }
      supplierName: { type: string, maxLength: 255, required: true }
      countryCode: { type: string, maxLength: 2 }
      creditLimit: { type: decimal, scale: 2, minimum: 0 }

`
