// The kinds of records that the clients of the crash tests write. The version of a record shows in two fields, which
// one request changes together: a partial write matches no version.

type Json = Readonly<Record<string, unknown>>

export interface Kind {
  readonly name: string
  readonly collection: string
  /** The path of one record, below the collection. */
  path(name: string): string
  /** The body that creates it, in version 1. */
  body(name: string): Json
  /** The patch that changes it to a version. */
  patch(version: number): readonly Json[]
  /** The expected value of `shown` for a version. */
  look(version: number): string
  /** The version fields of a record as the service answers it. */
  shown(record: never): string
  /** The collection that lists all records of the kind with what `shown` needs, and the member with the name. */
  readonly list: string
  nameIn(row: never): string
}

const replace = (path: string, value: unknown): Json => ({ op: 'replace', path, value })
const department = (version: number): string => (version % 2 === 1 ? '100' : '200')
const look = (version: number): string => `version ${version}, ${department(version)}`

interface Related {
  readonly relatedValues: readonly { readonly relatedValue: string }[]
}

const related = ({ relatedValues }: Related): string => relatedValues.map(({ relatedValue }) => relatedValue).join(' ')

/** A value and its department: two tables. */
const value: Kind = {
  name: 'value',
  collection: '/v1/attribute-values',
  path: (name) => `/C1/${name}/0`,
  body: (attributeValue) => ({
    attributeId: 'C1',
    attributeValue,
    description: 'version 1',
    relatedValues: [{ relationId: 'REL1', relatedValue: '100' }],
  }),
  patch: (version) => [
    replace('/description', `version ${version}`),
    replace('/relatedValues/0/relatedValue', department(version)),
  ],
  look,
  shown: (record: Related & { description: string }) => `${record.description}, ${related(record)}`,
  list: `attribute-values?select=attributeValue,description,relatedValues&filter=attributeId eq 'C1' and attributeValue ne 'CC100'`,
  nameIn: (row: { attributeValue: string }) => row.attributeValue,
}

/** A relation from the client's hub to a value that the client has created. */
const relation: Kind = {
  name: 'relation',
  collection: '/v1/attribute-relations',
  path: (name) => `/C3/${hubOf(name)}/C1/${name}`,
  body: (relationValue) => ({
    attributeId: 'C3',
    attributeValue: hubOf(relationValue),
    relatedAttributeId: 'C1',
    relationValue,
    percentage: 1,
    dateTo: endOf(1),
  }),
  patch: (version) => [replace('/percentage', version), replace('/dateTo', endOf(version))],
  look: (version) => `${version}, ${endOf(version)}`,
  shown: (record: { percentage: number; dateTo: string }) => `${record.percentage}, ${record.dateTo}`,
  list: `attribute-relations?filter=attributeId eq 'C3'`,
  nameIn: (row: { relationValue: string }) => row.relationValue,
}

const hubOf = (name: string): string => `H${name.slice(1, name.indexOf('N'))}`
const endOf = (version: number): string => `${2030 + version}-12-31T00:00:00.000Z`

/** A customer, its attribute value, and its region: three tables. */
const customer: Kind = {
  name: 'customer',
  collection: '/v1/customers',
  path: (name) => `/${name}`,
  body: (customerId) => ({
    customerId,
    customerName: 'version 1',
    customerGroupId: '10',
    countryCode: 'NO',
    contactPoints: [{ contactPointType: '1', address: { countryCode: 'NO', place: 'Oslo' } }],
    relatedValues: [{ relationId: 'REL2', relatedValue: '100' }],
  }),
  patch: (version) => [
    replace('/customerName', `version ${version}`),
    replace('/relatedValues/0/relatedValue', department(version)),
  ],
  look,
  shown: (record: Related & { customerName: string }) => `${record.customerName}, ${related(record)}`,
  list: 'customers?select=customerId,customerName,relatedValues',
  nameIn: (row: { customerId: string }) => row.customerId,
}

/** A relation needs the value created before it. */
export const KINDS: readonly Kind[] = [value, relation, customer]
