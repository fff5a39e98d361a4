// A document of the setup on a table of the service, as a record that clients write.
import type { DocumentDefinition } from '../../../model/document.ts'
import { defineRecord } from '../../../model/record-definition.ts'
import type { Fields } from '../../../model/record-fields.ts'
import { Customer } from '../../../model/records/customer.ts'
import { schemaTitle } from '../../../query/schema-of.ts'
import { CHANGE_COLUMN } from '../../../store/tables.ts'
import type { DocumentSetup } from '../../read/document-schema.ts'
import { type NumberingRules, numberingRules } from '../rules.ts'
import { type FieldRules, fieldRulesOf } from './own-field-rules.ts'
import { type ClosedState, ownFieldsOf, type Referenced } from './own-fields.ts'
import { columnAt, isReference, keyNamesOf } from './own-properties.ts'
import { customTableName } from './own-table.ts'

/** The built-in document that references may lead to. */
export const CUSTOMERS = Customer.document.name

export interface OwnRecordRules {
  readonly name: string
  readonly version: number
  readonly record: ReturnType<typeof defineRecord<Fields>>
  /** Without the company. */
  readonly keyNames: readonly string[]
  /** Gives the last property of the key. */
  readonly numbering: NumberingRules | undefined
  /** The attribute whose values the records are. */
  readonly attributeId: string | undefined
  readonly hasContactPoints: boolean
  readonly hasRelations: boolean
  /** What DELETE sets, where the record stays. */
  readonly state: { readonly path: readonly string[]; readonly closed: string } | undefined
  /** Of every property with a value, those of the key too. */
  readonly checks: readonly FieldRules[]
  readonly references: readonly ReferenceRules[]
}

/** A record of another document that must exist, unless all properties of its key are empty. */
export interface ReferenceRules {
  readonly name: string
  /** The name of the other document. */
  readonly document: string
  /** The properties of this document with the other's key, in its order and without the company. */
  readonly key: readonly (readonly string[])[]
  readonly keyColumns: readonly string[]
  /** The other's columns with its key. */
  readonly otherColumns: readonly string[]
  /** What nothing may newly refer to. */
  readonly closed: ClosedState | undefined
}

/** The records of a setup by their names, associated with one another. Those on external tables are none. */
export function ownRecordsOf(
  documents: readonly DocumentSetup[],
  customers: DocumentDefinition = Customer.document,
): ReadonlyMap<string, OwnRecordRules> {
  const declared = documents.filter(({ table }) => table === undefined)
  const records = new Map<string, OwnRecordRules>()
  const referenced: Referenced = {
    keyColumnsOf(name) {
      if (name === CUSTOMERS) return ['customer_id']
      const other = declared.find((one) => one.name === name)
      return other && keyNamesOf(other).map((key) => columnAt(other, key))
    },
    closedOf(name) {
      if (name === CUSTOMERS) return { column: 'status', value: 'C' }
      const other = declared.find((one) => one.name === name)
      return other?.state && { column: columnAt(other, other.state.property), value: other.state.closed }
    },
    documentOf: (name) => records.get(name)?.record.document ?? customers,
  }
  for (const document of declared) records.set(document.name, rulesOf(document, referenced))
  return records
}

const byDefinition = new WeakMap<DocumentDefinition, OwnRecordRules>()

/** The rules behind the definition of a document. */
export function ownRulesOf(definition: DocumentDefinition): OwnRecordRules | undefined {
  return byDefinition.get(definition)
}

const alone = new WeakMap<DocumentSetup, OwnRecordRules>()

/** A record by itself: without associations with other documents of the setup. Made once for each declaration. */
export function ownRecordOf(document: DocumentSetup): OwnRecordRules {
  let rules = alone.get(document)
  if (!rules) {
    rules = rulesAlone(document)
    alone.set(document, rules)
  }
  return rules
}

function rulesAlone(document: DocumentSetup): OwnRecordRules {
  const rules = ownRecordsOf([document]).get(document.name)
  if (!rules) throw new Error(`${document.name} is kept in an external table`)
  return rules
}

function rulesOf(document: DocumentSetup, referenced: Referenced): OwnRecordRules {
  const { name, version = 1, attributeId, numbering, state, relations = false, contactPoints = false } = document
  const title = schemaTitle(name).replace(/Document$/, 'Record')
  const record = defineRecord({
    title,
    name,
    version,
    description: document.description ?? 'As the setup defines it.',
    table: customTableName(document),
    companyColumn: 'company_id',
    changeColumn: CHANGE_COLUMN,
    joins: {},
    key: document.key,
    indexes: [],
    ...(relations && attributeId !== undefined ? { relationsOf: { attributeId } } : {}),
    fields: ownFieldsOf(document, title, referenced),
  })
  const rules: OwnRecordRules = {
    name,
    version,
    record,
    keyNames: keyNamesOf(document),
    numbering: numbering && numberingRules(numbering),
    attributeId,
    hasContactPoints: contactPoints,
    hasRelations: relations,
    state: state && { path: state.property.split('/'), closed: state.closed },
    checks: fieldRulesOf(document),
    references: referencesOf(document, referenced),
  }
  byDefinition.set(record.document, rules)
  return rules
}

function referencesOf(document: DocumentSetup, referenced: Referenced): ReferenceRules[] {
  return Object.entries(document.properties).flatMap(([name, property]) => {
    if (!isReference(property)) return []
    const otherColumns = referenced.keyColumnsOf(property.reference) ?? []
    const key = property.key.map((path) => path.split('/'))
    const keyColumns = property.key.map((path) => columnAt(document, path))
    const closed = referenced.closedOf(property.reference)
    return [{ name, document: property.reference, key, keyColumns, otherColumns, closed }]
  })
}
