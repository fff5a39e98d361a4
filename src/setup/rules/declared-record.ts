// A document of the setup on a table of the service, as a record that clients write.
import { defined } from '../../base/defined.ts'
import { memo } from '../../base/memo.ts'
import type { DocumentDefinition, Titles } from '../../model/document.ts'
import { defineRecord } from '../../model/record-definition.ts'
import { Customer } from '../../model/records/customer.ts'
import { schemaTitle } from '../../query/schema-of.ts'
import { CHANGE_COLUMN } from '../../sql/tables.ts'
import type { DocumentSetup } from '../file/document-schema.ts'
import { fieldRulesOf } from './declared-field-rules.ts'
import { declaredFieldsOf, type Referenced } from './declared-fields.ts'
import {
  columnAt,
  isComputed,
  isReference,
  keyNamesOf,
  linesOf,
  listColumnOf,
  listProperties,
} from './declared-properties.ts'
import { stateRulesOf } from './declared-states.ts'
import { declaredTableName } from './declared-table.ts'
import type { LinesLock, LinesRules, OwnerRules, RecordRules, ReferenceRules } from './record-rules.ts'
import { numberingRules } from './rules.ts'

/** The built-in document that references may lead to. */
export const CUSTOMERS = Customer.document.name

/** The records of a setup by their names, associated with one another. Those on external tables are none. */
export function declaredRecordsOf(
  documents: readonly DocumentSetup[],
  customers: DocumentDefinition = Customer.document,
): ReadonlyMap<string, RecordRules> {
  const declared = documents.filter(({ table }) => table === undefined)
  const records = new Map<string, RecordRules>()
  const referenced: Referenced = {
    keyColumnsOf(name) {
      if (name === CUSTOMERS) return ['customer_id']
      const other = declared.find((one) => one.name === name)
      return other && keyNamesOf(other).map((key) => columnAt(other, key))
    },
    declarationOf: (name) => declared.find((one) => one.name === name),
    closedOf(name) {
      if (name === CUSTOMERS) return { column: 'status', value: 'C' }
      const other = declared.find((one) => one.name === name)
      return other?.state && { column: columnAt(other, other.state.property), value: other.state.closed }
    },
    documentOf: (name) => records.get(name)?.record.document ?? customers,
  }
  const others: Others = {
    rulesOf: (name) => records.get(name),
    ownerOf: (name) => declared.find((one) => linesOf(one).some(([, { items }]) => items === name)),
  }
  for (const document of declared) records.set(document.name, rulesOf(document, referenced, others))
  return records
}

const byDefinition = new WeakMap<DocumentDefinition, RecordRules>()

/** The rules behind the definition of a document. */
export function declaredRulesOf(definition: DocumentDefinition): RecordRules | undefined {
  return byDefinition.get(definition)
}

/** A record by itself: without associations with other documents of the setup. Made once for each declaration. */
export const declaredRecordOf = memo((document: DocumentSetup): RecordRules => {
  const rules = declaredRecordsOf([document]).get(document.name)
  if (!rules) throw new Error(`${document.name} is kept in an external table`)
  return rules
})

/** The other documents of the setup. */
interface Others {
  rulesOf(name: string): RecordRules | undefined
  /** The document that has the records of this one as lines. */
  ownerOf(name: string): DocumentSetup | undefined
}

function rulesOf(document: DocumentSetup, referenced: Referenced, others: Others): RecordRules {
  const { name, version = 1, attributeId, numbering, state, relations = false, contactPoints = false } = document
  const title = schemaTitle(name).replace(/Document$/, 'Record')
  const record = defineRecord({
    title,
    name,
    version,
    ...documentNames(document),
    table: declaredTableName(document),
    companyColumn: 'company_id',
    changeColumn: CHANGE_COLUMN,
    joins: {},
    key: document.key,
    indexes: [],
    ...(relations && attributeId !== undefined ? { relationsOf: { attributeId } } : {}),
    fields: declaredFieldsOf(document, title, referenced),
  })
  const rules: RecordRules = {
    name,
    version,
    record,
    keyNames: keyNamesOf(document),
    numbering: numbering && numberingRules(numbering),
    attributeId,
    hasContactPoints: contactPoints,
    hasRelations: relations,
    state: state && stateRulesOf(document, state),
    checks: fieldRulesOf(document),
    lists: listProperties(document).map(({ name, least, most }) => ({ name, column: listColumnOf(name), least, most })),
    references: referencesOf(document, referenced),
    computed: Object.keys(document.properties).filter((one) => isComputed(document.properties[one])),
    lines: linesRulesOf(document, referenced, others),
    owner: ownerRulesOf(name, others),
  }
  byDefinition.set(record.document, rules)
  return rules
}

const AS_DEFINED: Titles = {
  EN: 'As the setup defines it.',
  NO: 'Slik oppsettet definerer det.',
  SV: 'Som konfigurationen definierar det.',
  DE: 'Wie die Konfiguration es festlegt.',
}

/** What the setup says of the document to people. */
export function documentNames({
  title,
  recordTitle,
  description = AS_DEFINED,
  defaultColumns,
  sums,
  voucher,
}: DocumentSetup) {
  return { description, ...defined({ titles: title, recordTitles: recordTitle, defaultColumns, sums, voucher }) }
}

function linesRulesOf(document: DocumentSetup, referenced: Referenced, others: Others): LinesRules[] {
  const known = linesOf(document).filter(([, { items }]) => referenced.keyColumnsOf(items) !== undefined)
  return known.map(([name, { items, with: how }]) => ({
    name,
    document: items,
    isCascaded: how === 'cascade',
    get rules() {
      return requireRules(others, items)
    },
  }))
}

function ownerRulesOf(items: string, others: Others): OwnerRules | undefined {
  const owner = others.ownerOf(items)
  if (!owner) return undefined
  const [name = ''] = linesOf(owner).find(([, lines]) => lines.items === items) ?? []
  return {
    name,
    get rules() {
      return requireRules(others, owner.name)
    },
    table: declaredTableName(owner),
    keyColumns: keyNamesOf(owner).map((key) => columnAt(owner, key)),
    lock: linesLockOf(owner, name),
  }
}

function requireRules(others: Others, name: string): RecordRules {
  const rules = others.rulesOf(name)
  if (!rules) throw new Error(`the rules of ${name} are asked for before they are made`)
  return rules
}

/** The states in which a document locks its lines. */
function linesLockOf(owner: DocumentSetup, name: string): LinesLock | undefined {
  const { state } = owner
  const rules = Object.entries(state?.states ?? {})
  const states = rules.flatMap(([one, { locks = [] }]) => (locks.includes(name) ? [one] : []))
  if (!state || states.length === 0) return undefined
  return { document: owner.name, name, column: columnAt(owner, state.property), states }
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
