// What the documents of a company hold, as the service describes it to this caller.
import { queryOptions, useQueries, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { fetchJson } from './client.ts'
import { useCompany } from './session.ts'

/** An Enterprise Document that the caller may read. */
export interface DocumentSummary {
  readonly name: string
  readonly version: number
  readonly title: string
  /** What one of its records is called. */
  readonly recordTitle?: string
  readonly description: string
  readonly operations: readonly ('read' | 'export')[]
  readonly parameters: readonly string[]
}

/** What other records are described by, and what was done with them: seldom looked at for itself. */
export const PLUMBING: ReadonlySet<string> = new Set([
  'attributes',
  'attribute-relations',
  'attribute-values',
  'audit-entries',
  'companies',
  'grid-views',
  'value-list',
])

/** The part of JSON Schema that the service answers. */
export interface Schema {
  readonly title?: string
  readonly description?: string
  readonly type?: string
  readonly format?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
  readonly maxItems?: number
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly required?: readonly string[]
  readonly 'x-erp-filterable'?: boolean
  /** Whether a new record needs it. */
  readonly 'x-erp-required'?: boolean
  /** What a new record has where nothing is given. */
  readonly default?: string | number | boolean
  readonly 'x-erp-describable'?: { readonly propertyName: string }
  readonly 'x-erp-valueList'?: { readonly valueList: string; readonly title?: string; readonly description?: string }
  /** Code -> what people call it, where the service itself has the codes. */
  readonly 'x-erp-codeTitles'?: Readonly<Record<string, string>>
  readonly 'x-erp-attribute'?: {
    readonly attributeId: string
    readonly attributeName?: string
    /** The member that says of which attribute it is a value, where records differ. */
    readonly attributeIdProperty?: string
  }
  /** The document whose records have the value as their key. */
  readonly 'x-erp-reference'?: { readonly document: string; readonly key: string }
  readonly 'x-erp-key'?: { readonly keys: string }
  readonly 'x-erp-relation'?: { readonly attributeId: string }
  /** The relations that an item of the list may be of. */
  readonly 'x-erp-relations'?: readonly RelationInfo[]
  /** The item that the list of a new record begins with. */
  readonly 'x-erp-firstItem'?: Readonly<Record<string, string>>
  /** Members that only a select by name answers. */
  readonly 'x-erp-onRequest'?: Schema
  readonly 'x-erp-onRequestOnly'?: boolean
  readonly 'x-erp-document'?: string
  /** Paths of the members that a grid shows at first. */
  readonly 'x-erp-defaultColumns'?: readonly string[]
  /** Paths of amounts in one currency. */
  readonly 'x-erp-sums'?: readonly string[]
  /** If records with the same number are the lines of one voucher; `balance`: the amount whose sum is zero then. */
  readonly 'x-erp-voucher'?: { readonly number: string; readonly balance?: string }
  readonly 'x-erp-state'?: StatesInfo
  /** Whether the service computes it. */
  readonly readOnly?: boolean
}

export interface RelationInfo {
  readonly relationId: string
  readonly title: string
  readonly description?: string
  /** The attribute whose values it leads to. */
  readonly attributeId: string
  readonly isMandatory: boolean
}

/** What the states of a record mean, and how they may change. */
export interface StatesInfo {
  readonly property: string
  /** A new record has this one, where transitions lead on from it. */
  readonly initial?: string
  readonly closed: string
  readonly meanings: Readonly<Record<string, 'success' | 'failure' | 'waiting'>>
  /** Those that this person may take. */
  readonly transitions: readonly StateTransition[]
  /** State -> the paths of what no longer changes then. */
  readonly locks: Readonly<Record<string, readonly string[]>>
}

export interface StateTransition {
  readonly from: string
  readonly to: string
  readonly title?: string
  /** The paths of what must be filled by then. */
  readonly requires: readonly string[]
}

export interface Association {
  readonly document: string
  /** Where it stands in the row. */
  readonly names: readonly string[]
  /** The names of its key, without the company. */
  readonly keys: readonly string[]
}

/** A member of a document with a single value. */
export interface FieldInfo {
  /** Such as `invoice/creditLimit`: as filters and selects write it. */
  readonly path: string
  /** The groups that it stands in, and its own name. */
  readonly names: readonly string[]
  /** What people call them. */
  readonly titles: readonly string[]
  readonly schema: Schema
  readonly kind: 'text' | 'number' | 'decimal' | 'integer' | 'boolean' | 'date-time'
  readonly isFilterable: boolean
  readonly isKey: boolean
  /** Whether a select by name is needed to see it. */
  readonly isOnRequest: boolean
  /** The other record that it is a member of, where one is associated with this one. */
  readonly association: Association | undefined
  /** Where it is the state of the record. */
  readonly states?: StatesInfo | undefined
}

export interface ListInfo {
  readonly path: string
  readonly titles: readonly string[]
  readonly schema: Schema
  readonly isOnRequest: boolean
  /** The other record that it is a member of, where one is associated with this one. */
  readonly association: Association | undefined
}

export interface DocumentInfo {
  readonly name: string
  readonly schema: Schema
  /** The schema that one record has. */
  readonly record: Schema
  readonly fields: readonly FieldInfo[]
  /** Members that are lists of groups, by path. */
  readonly lists: readonly ListInfo[]
  /** The members that the key is made of, the company included. */
  readonly keys: readonly string[]
}

export const LEDGER = 'general-ledger-transactions'

/** Parameters without which the service answers nothing. */
export const requiredParameters = (document: string): string => (document === LEDGER ? '&posted=true' : '')

/** Parameters with which it answers the lines of vouchers that are not posted yet, or long since, as well. */
export const stateParameters = (document: string): string =>
  document === LEDGER ? '&registered=true&historical=true' : ''

const LIFETIME_MS = 300_000

/** As the service has listed them, which it has before a page of a company is shown. */
const versions = new Map<string, number>()

/** Where the records of a document are: `/v1`. */
export const versionPath = (document: string): string => `/v${versions.get(document) ?? 1}`

export const documentsQuery = (companyId: string) =>
  queryOptions({
    queryKey: [companyId, 'documents'],
    queryFn: async () => {
      const documents = await fetchJson<DocumentSummary[]>(`/v1/objects?companyId=${encodeURIComponent(companyId)}`)
      for (const { name, version } of documents) versions.set(name, version)
      return documents
    },
    staleTime: LIFETIME_MS,
  })

export const documentQuery = (companyId: string, name: string) =>
  queryOptions({
    queryKey: [companyId, 'schema', name],
    queryFn: async () => {
      const path = `${versionPath(name)}/objects/${encodeURIComponent(name)}`
      const address = `${path}?companyId=${encodeURIComponent(companyId)}`
      const accept = { headers: { accept: 'application/schema+json' } }
      return documentOf(name, await fetchJson<Schema>(address + requiredParameters(name), accept))
    },
    staleTime: LIFETIME_MS,
  })

/** The descriptions of several documents, each as far as it is read. */
export function useDescriptions(names: readonly string[]) {
  const { id } = useCompany()
  return useQueries({ queries: names.map((name) => documentQuery(id, name)) })
}

export const useDocuments = () => useQuery(documentsQuery(useCompany().id))

/** Suspends until the description is there. Throws a `Problem` if the caller may not read the document. */
export const useDocument = (name: string): DocumentInfo => useSuspenseQuery(documentQuery(useCompany().id, name)).data

/** What a schema of the service says, as a list. */
export function documentOf(name: string, schema: Schema): DocumentInfo {
  const record = schema.items ?? {}
  const keys = (record['x-erp-key'] ?? schema['x-erp-key'])?.keys.split(',') ?? []
  const found: Members = { fields: [], lists: [] }
  addMembers(found, record, START, { keys, isOnRequest: false, association: undefined })
  const onRequest = record['x-erp-onRequest'] ?? schema['x-erp-onRequest']
  if (onRequest) addMembers(found, onRequest, START, { keys, isOnRequest: true, association: undefined })
  const states = record['x-erp-state']
  const fields = found.fields.map((field) => (field.path === states?.property ? { ...field, states } : field))
  return { name, schema, record, keys, lists: found.lists, fields }
}

const START = { names: [], titles: [] }

interface Members {
  readonly fields: FieldInfo[]
  readonly lists: ListInfo[]
}

interface MemberPlace {
  readonly keys: readonly string[]
  readonly isOnRequest: boolean
  readonly association: Association | undefined
}

function addMembers(
  found: Members,
  { properties = {} }: Schema,
  above: Pick<FieldInfo, 'names' | 'titles'>,
  { keys, isOnRequest, association: outer }: MemberPlace,
): void {
  for (const [name, schema] of Object.entries(properties)) {
    const names = [...above.names, name]
    const titles = [...above.titles, schema.title ?? name]
    const path = names.join('/')
    const association = (schema.type === 'array' ? undefined : associationIn(schema, names)) ?? outer
    // The text of a code is not a member of its own.
    if (name.includes('(')) continue
    if (schema.type === 'array') found.lists.push({ path, titles, schema, isOnRequest, association })
    else if (schema.properties) addMembers(found, schema, { names, titles }, { keys, isOnRequest, association })
    else
      found.fields.push({
        path,
        names,
        titles,
        schema,
        kind: kindOf(schema),
        isFilterable: schema['x-erp-filterable'] === true,
        isKey: keys.includes(path),
        isOnRequest,
        association,
      })
  }
}

function associationIn(
  { 'x-erp-document': document, 'x-erp-key': key }: Schema,
  names: readonly string[],
): Association | undefined {
  if (document === undefined) return undefined
  return { document, names, keys: key?.keys.split(',').filter((name) => name !== 'companyId') ?? [] }
}

function kindOf({ type, format, readOnly = false }: Schema): FieldInfo['kind'] {
  // What is computed is exact: a number with places behind the point is made of decimals.
  if (format === 'decimal' || (type === 'number' && readOnly)) return 'decimal'
  if (type === 'number' || type === 'integer' || type === 'boolean') return type
  return format === 'date-time' ? 'date-time' : 'text'
}

/** The members of an item of a list. Lines are records of another document: what they have of this record is left out. */
export function itemOf({ keys }: DocumentInfo, { path, schema }: ListInfo): DocumentInfo {
  const item = documentOf(path, schema)
  if (schema['x-erp-document'] === undefined) return item
  const ofRecord = new Set(['companyId', ...withoutCompany(item.keys).slice(0, withoutCompany(keys).length)])
  const fields = item.fields.filter((field) => !ofRecord.has(field.path) && !field.path.startsWith('lastUpdated'))
  return { ...item, fields }
}

const withoutCompany = (keys: readonly string[]): string[] => keys.filter((path) => path !== 'companyId')

/** Whether its values stand below each other by their digits. Numbers of a key are names. */
export const isNumeric = ({ kind, isKey }: FieldInfo): boolean =>
  !isKey && (kind === 'decimal' || kind === 'number' || kind === 'integer')

/** Whether a change of the record may give it. Another record keeps what is associated; the service, who has changed it. */
export const isGiven = ({ path, association, schema }: FieldInfo): boolean =>
  isOwn({ path, association }) && !schema.readOnly

/** Whether it is the record's own, given or computed. */
export const isOwn = ({ path, association }: Pick<FieldInfo, 'path' | 'association'>): boolean =>
  path !== 'companyId' && !path.startsWith('lastUpdated') && !association

/** What people call a field, within the group that it stands in. */
export const fieldTitle = ({ titles }: Pick<FieldInfo, 'titles'>): string => titles.at(-1) ?? ''

/** What people call the group of fields that all stand in it; empty for the record itself. */
export const groupTitle = ([first]: readonly FieldInfo[]): string => first?.titles.slice(0, -1).join(' / ') ?? ''

/** What people call a member by its place in a record: `/contactPoints/0/address/place` is Contact points 1 / Address / Place. */
export const titleAt = (document: DocumentInfo, pointer: string): string =>
  describedAt(document, pointer).titles.join(' / ')

/** A member by its place in a record. */
export function describedAt({ record }: DocumentInfo, pointer: string): { titles: readonly string[]; schema: Schema } {
  let schema: Schema | undefined = { properties: { ...record.properties, ...record['x-erp-onRequest']?.properties } }
  const titles: string[] = []
  for (const step of pointer.split('/').filter((one) => one !== '')) {
    if (schema?.items && /^\d+$/.test(step)) {
      titles.push(`${titles.pop()} ${Number(step) + 1}`)
      schema = schema.items
    } else {
      schema = schema?.properties?.[step]
      titles.push(schema?.title ?? step)
    }
  }
  return { titles, schema: schema ?? {} }
}
