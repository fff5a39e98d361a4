// What refers to attribute values, in all Enterprise Documents of a company: properties whose codes are the values of
// an attribute, the indexes of documents, and the customers and suppliers of the ledger. A record's own relations do
// not count. Who refers to a record by a declared reference is found in referrers-store.ts.

import { wholeText } from '../base/byte-stream.ts'
import type { DocumentDefinition, Properties, ValueProperty } from '../model/document.ts'
import { SUPPLIERS } from '../objects/general-ledger-transactions.ts'
import { literalOf } from '../query/literals.ts'
import { planCollection } from '../query/plan.ts'
import type { CompanyRules } from '../setup/rules/rules.ts'
import { answerCollection } from '../store/collection.ts'
import { INTERNAL_CALLER } from '../store/store.ts'
import type { RecordsAtWork } from './records-at-work.ts'

/** A filter that finds the rows which refer to one of some values. */
interface Reference {
  readonly definition: DocumentDefinition
  /** The top-level property with the values. */
  readonly select: string
  readonly filter: (values: string) => string
  readonly isText: boolean
}

/** Records that others may refer to: values of an attribute, of the document by which they are asked for. */
interface Referable {
  readonly document: string
  readonly attributeId: string | undefined
}

/** The values of an attribute that something refers to, each with the name of a document that does. */
type Referred = ReadonlyMap<string, string>

/** Rows that are read at once; each of them settles at least one value. */
const ROWS_AT_ONCE = 1_000

export async function findReferred(
  work: RecordsAtWork,
  company: CompanyRules,
  referable: Referable,
  values: readonly string[],
): Promise<Referred> {
  const found = new Map<string, string>()
  for (const { common, of } of work.documents) {
    const definition = of(company)
    for (const reference of referencesIn(definition, work, company, referable)) {
      for (const value of await valuesIn(
        work,
        company,
        reference,
        values.filter((one) => !found.has(one)),
      )) {
        found.set(value, common.name)
      }
    }
  }
  return found
}

async function valuesIn(
  { store }: RecordsAtWork,
  company: CompanyRules,
  { definition, select, filter, isText }: Reference,
  values: readonly string[],
): Promise<ReadonlySet<string>> {
  const found = new Set<string>()
  let wanted = isText ? values : values.filter((value) => /^-?\d{1,15}$/.test(value))
  while (wanted.length > 0) {
    const options = {
      filter: filter(wanted.map((value) => (isText ? literalOf(value) : value)).join(', ')),
      select,
      orderBy: undefined,
      offset: 0,
      limit: ROWS_AT_ONCE,
    }
    const rows = await rowsOf(store, company, definition, options)
    const texts = new Set(rows.flatMap(textsIn))
    const settled = wanted.filter((value) => texts.has(value))
    if (settled.length === 0) return found
    for (const value of settled) found.add(value)
    wanted = wanted.filter((value) => !texts.has(value))
  }
  return found
}

export async function rowsOf(
  store: RecordsAtWork['store'],
  { id: companyId, language }: CompanyRules,
  definition: DocumentDefinition,
  options: Parameters<typeof planCollection>[1],
): Promise<Record<string, unknown>[]> {
  const { body } = await answerCollection(store, {
    companyId,
    plan: planCollection(definition, options),
    scope: [[definition.companyColumn, companyId]],
    language,
    format: 'json',
    caller: INTERNAL_CALLER,
    cap: undefined,
  })
  return JSON.parse(await wholeText(body))
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(textsIn)
  return [String(value)]
}

function referencesIn(
  definition: DocumentDefinition,
  { declaredRecords }: RecordsAtWork,
  company: CompanyRules,
  { document, attributeId }: Referable,
): Reference[] {
  const suppliers = declaredRecords.get(SUPPLIERS)
  const isOfSuppliers = document === SUPPLIERS || (attributeId !== undefined && attributeId === suppliers?.attributeId)
  const bySupplier = isOfSuppliers ? suppliersIn(definition) : []
  if (attributeId === undefined) return bySupplier
  const found = [...codedProperties(definition.properties)].flatMap(([path, property, list]): Reference[] => {
    // A record does not refer to itself by its key.
    if (definition.name === document && definition.key.includes(path)) return []
    const condition = conditionOf(definition, company, attributeId, property)
    if (condition === undefined) return []
    const isText = property.type === 'string'
    const select = list ?? path
    const filter = (values: string) =>
      list === undefined ? `${path} in (${values})${condition}` : `${list}/any(x: x/${path} in (${values})${condition})`
    return [{ definition, select, filter, isText }]
  })
  return [...found, ...bySupplier, ...furtherReferences(definition, company, attributeId)]
}

/** The properties with codes by their paths; those of a JSON list with the name of the list. */
export function* codedProperties(
  properties: Properties,
  prefix = '',
  list?: string,
): Generator<[path: string, property: ValueProperty, list?: string]> {
  for (const [name, property] of Object.entries(properties)) {
    if (property.kind === 'value' && property.codes) yield [prefix + name, property, list]
    else if (property.kind === 'group') yield* codedProperties(property.properties, `${prefix}${name}/`, list)
    // The items of other lists are rows of another document, or the indexes of documents.
    else if (property.kind === 'list' && 'json' in property.from)
      yield* codedProperties(property.properties, '', prefix + name)
  }
}

/** A further condition under which the property names values of the attribute; undefined when it never does. */
function conditionOf(
  definition: DocumentDefinition,
  company: CompanyRules,
  attributeId: string,
  { codes, source }: ValueProperty,
): string | undefined {
  if (!codes || 'valueList' in codes) return undefined
  if ('attributeId' in codes) return codes.attributeId === attributeId ? '' : undefined
  if ('attributeName' in codes) {
    return company.attributeByName(codes.attributeName)?.id === attributeId ? '' : undefined
  }
  const { table, column } = codes.attributeIdIn
  // The value of a relation is its owner, with which it is removed.
  if (definition.name === 'attribute-relations' && 'column' in source && source.column === 'attribute_value') {
    return undefined
  }
  const path = pathOf(definition.properties, '', table, column)
  return path === undefined ? undefined : ` and ${path} eq ${literalOf(attributeId)}`
}

/** The property that shows this column. */
function pathOf(properties: Properties, prefix: string, table: string | undefined, column: string): string | undefined {
  for (const [name, property] of Object.entries(properties)) {
    if (property.kind === 'group') {
      const inside = pathOf(property.properties, `${prefix}${name}/`, table, column)
      if (inside !== undefined) return inside
    }
    if (property.kind !== 'value' || !('column' in property.source)) continue
    if (property.source.column === column && property.source.table === table) return prefix + name
  }
  return undefined
}

/** Lines have suppliers where the setup declares them. */
function suppliersIn(definition: DocumentDefinition): Reference[] {
  if (definition.name !== LEDGER || !definition.properties.supplier) return []
  return [{ definition, select: 'supplierId', filter: (values) => `supplierId in (${values})`, isText: true }]
}

const LEDGER = 'general-ledger-transactions'

/** References that no codes declare. */
function furtherReferences(definition: DocumentDefinition, company: CompanyRules, attributeId: string): Reference[] {
  const isOfCustomers = company.customers?.attributeId === attributeId
  if (definition.name === LEDGER && isOfCustomers) {
    return [{ definition, select: 'customerId', filter: (values) => `customerId in (${values})`, isText: true }]
  }
  if (definition.name !== 'document-archive') return []
  const indexes = [...company.documentTypes.values()].flatMap(({ id, indexes }) =>
    indexes.filter((index) => index.attributeId === attributeId).map(({ sequenceNo }) => ({ id, sequenceNo })),
  )
  return indexes.map(({ id, sequenceNo }) => ({
    definition,
    select: 'indexes',
    filter: (values) =>
      `docType eq ${literalOf(id)} and indexes/any(x: x/sequenceNo eq ${sequenceNo} and x/indexValue in (${values}))`,
    isText: true,
  }))
}
