// Checks custom Enterprise Documents.

import { BUILT_IN_NAMES } from '../../model/records/built-in.ts'
import type { DocumentSetup, PropertySetup } from '../file/document-schema.ts'
import { isUnknown } from '../file/repair.ts'
import type { Setup } from '../file/setup-schema.ts'
import type { SetupPart, YamlSource } from '../file/yaml-source.ts'
import type { InForce } from '../items/setup-items.ts'
import {
  COMPANY,
  columnOf,
  isComputed,
  isReference,
  isSimple,
  listColumnOf,
  listProperties,
  simpleProperties,
} from '../rules/declared-properties.ts'
import { columnsOfService } from '../rules/declared-table.ts'
import { checkCodes, checkUnique, isWordOfQueries } from './check.ts'
import { checkOwnDocument, refuseOwnParts, requireProperty } from './declared-documents.ts'
import { checkRules, placedProperties, refuseRules } from './property-rules.ts'

export const BUILT_IN_DOCUMENTS = [
  'attribute-values',
  'attribute-relations',
  'attributes',
  'audit-entries',
  'companies',
  ...BUILT_IN_NAMES,
  'document-archive',
  'general-ledger-transactions',
  'value-list',
]

/** A row of PostgreSQL is at most a page of 8 KiB, of which a text takes up to 24 bytes wherever it is stored. */
const MAX_PROPERTIES = 300

/** SQLite joins at most 64 tables: those of records that are referred to are joined, and some of the service. */
const MAX_REFERENCES = 50

export function checkDocuments(setup: Setup, source: YamlSource, inForce: InForce): void {
  checkUnique(source.at('documents'), setup.documents, 'name')
  for (const [index, document] of (setup.documents ?? []).entries()) {
    const place = source.at('documents', index)
    const isAllowed = isOfMirrors(setup, document.name) || inForce.documents.some(({ name }) => name === document.name)
    if (BUILT_IN_DOCUMENTS.includes(document.name) && !isAllowed) place.at('name').add(`'${document.name}' is built in`)
    checkKey(document, place)
    const earlier = inForce.documents.find(({ name }) => name === document.name)
    checkNames(document, place, earlier)
    checkNumber(document, place, earlier)
    checkProperties(setup, document, place, earlier)
    checkColumnsOfGrids(document, place)
    checkVoucher(document, place)
    if (document.table === undefined) {
      checkColumns(document, place, earlier)
      checkOwnDocument(setup, document, place)
    } else checkExternal(document, document.table, place)
  }
}

/** The ledger of mirrors is declared as their source has it. */
function isOfMirrors({ companies = [] }: Setup, name: string): boolean {
  return name === 'general-ledger-transactions' && companies.length > 0 && companies.every(({ source }) => source)
}

function checkKey({ key, properties }: DocumentSetup, place: SetupPart): void {
  if (Object.keys(properties).some(isUnknown)) return
  for (const [at, name] of key.entries()) {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined
    const problem = property ? problemOfKey(name, property) : `there is no property '${name}'`
    if (problem !== undefined) place.at('key', at).add(problem)
  }
}

const NUMBERS: readonly string[] = ['decimal', 'integer', 'number']

/** What stands behind a reference is of another document, which may be that of a company: it is left out if unknown. */
function checkColumnsOfGrids(document: DocumentSetup, place: SetupPart): void {
  for (const [at, column] of (document.defaultColumns ?? []).entries()) {
    const [first = ''] = column.split('/')
    if (first === 'lastUpdated' || isReference(document.properties[first]) || isComputed(document.properties[column]))
      continue
    requireProperty(document, column, place.at('defaultColumns', at))
  }
  for (const [at, name] of (document.sums ?? []).entries()) checkSum(document, name, place.at('sums', at))
}

function checkSum(document: DocumentSetup, name: string, place: SetupPart): void {
  if (isComputed(document.properties[name])) return
  const property = requireProperty(document, name, place)
  if (property && !NUMBERS.includes(property.type))
    place.add(`'${name}' is of type ${property.type}: no sum is made of it`)
}

const NUMBERS_OF_VOUCHERS: readonly string[] = ['integer', 'string']

/** Whoever names a voucher in an address names its number: a text or a whole number. */
function checkVoucher(document: DocumentSetup, place: SetupPart): void {
  const { number, balance } = document.voucher ?? {}
  if (number !== undefined && !isUnknown(number)) {
    const here = place.at('voucher', 'number')
    const property = requireProperty(document, number, here)
    if (property && !NUMBERS_OF_VOUCHERS.includes(property.type))
      here.add(`'${number}' is of type ${property.type}: vouchers are numbered by integer or string`)
  }
  if (balance !== undefined && !isUnknown(balance)) checkSum(document, balance, place.at('voucher', 'balance'))
}

/** Those of a document in force may stay as many as they are. */
function checkNumber(document: DocumentSetup, place: SetupPart, earlier: DocumentSetup | undefined): void {
  for (const [of, most, what] of [
    [numberOf, MAX_PROPERTIES, 'properties, with those of groups and lists'],
    [referencesOf, MAX_REFERENCES, 'references'],
  ] as const) {
    const count = of(document, place)
    if (count <= Math.max(most, earlier ? of(earlier, place) : 0)) continue
    place.at('properties').addAtKey(`a document has at most ${most} ${what}; found ${count}`)
  }
}

function referencesOf({ properties }: DocumentSetup): number {
  return Object.values(properties).filter(isReference).length
}

/** A list is a property itself, and so is each of its members. */
function numberOf(document: DocumentSetup, place: SetupPart): number {
  return placedProperties(document, place).length + listProperties(document).length
}

function problemOfKey(name: string, property: DocumentSetup['properties'][string]): string | undefined {
  if (isSimple(property))
    return property.type === 'decimal' ? `'${name}' is a decimal: no key is made of one` : undefined
  if (isComputed(property)) return `'${name}' is computed: a key is made of what is stored`
  const kind = 'group' in property ? 'group' : 'reference' in property ? 'reference' : 'list'
  return `'${name}' is a ${kind}: a key is made of simple properties`
}

function checkExternal(document: DocumentSetup, table: string, place: SetupPart): void {
  if (!isSimple(document.properties.companyId))
    place.at('properties').add(`a document on the table ${table} needs the property 'companyId'`)
  refuseOwnParts(document, table, place)
}

/** What every table of PostgreSQL has besides. */
const SYSTEM_COLUMNS: ReadonlySet<string> = new Set(['cmax', 'cmin', 'ctid', 'tableoid', 'xmax', 'xmin'])

/** PostgreSQL cuts off what is longer, so that two columns would be one. */
const COLUMN_NAME = /^[A-Za-z_][A-Za-z0-9_]{0,62}$/

/**
 * Each property needs a column of its own; to SQLite, names in another letter case are the same. Those of a document in
 * force stay as they are.
 */
function checkColumns(document: DocumentSetup, place: SetupPart, earlier: DocumentSetup | undefined): void {
  const columns = new Set<string>()
  const taken = new Set(columnsOfService(document))
  const known = new Set((earlier ? columnsOfProperties(earlier) : []).map(({ column }) => column))
  for (const { name, column, isGiven } of columnsOfProperties(document)) {
    const folded = column.toLowerCase()
    const here = place.at('properties', ...name)
    const problem = taken.has(folded)
      ? `the column ${column} is kept by the service itself`
      : known.has(column)
        ? undefined
        : problemOfColumn(column)
    if (problem !== undefined) isGiven ? here.at('column').add(problem) : here.addAtKey(problem)
    else if (columns.has(folded)) place.at('properties').add(`two properties would be kept in the column ${column}`)
    columns.add(folded)
  }
}

function problemOfColumn(column: string): string | undefined {
  if (SYSTEM_COLUMNS.has(column.toLowerCase())) return `the column ${column} is kept by the database itself`
  if (COLUMN_NAME.test(column)) return undefined
  return `the column ${JSON.stringify(column)} is not of at most 63 letters, digits and _: name another column`
}

function columnsOfProperties(document: DocumentSetup) {
  const simple = simpleProperties(document).map((one) => {
    const [first = '', inner] = one.names
    const name = inner === undefined ? [first] : [first, 'group', inner]
    return { name, column: columnOf(one), isGiven: one.property.column !== undefined }
  })
  const lists = listProperties(document).map(({ name }) => {
    return { name: [name], column: listColumnOf(name), isGiven: false }
  })
  return [...simple.filter(({ name: [first] }) => first !== COMPANY), ...lists]
}

function checkProperties(
  setup: Setup,
  document: DocumentSetup,
  place: SetupPart,
  earlier: DocumentSetup | undefined,
): void {
  const known = new Set((earlier ? placedProperties(earlier, place) : []).map(({ property }) => property.pattern ?? ''))
  for (const placed of placedProperties(document, place)) {
    const { property, place: here } = placed
    checkCodes(setup, property, here)
    checkDecimal(property, document.table, here)
    if (document.table === undefined) checkRules(setup, document, placed, known)
    else refuseRules(placed, document.table)
  }
}

function checkDecimal(property: PropertySetup, table: string | undefined, place: SetupPart): void {
  const { type, scale, attributeId, valueList } = property
  if (!place.at('type').isValid) return
  if (type !== 'decimal') {
    if (scale !== undefined) place.at('scale').addAtKey('only a decimal has a scale')
    return
  }
  if (table !== undefined) place.at('type').add('a table that is there already is read as number, not as decimal')
  if (attributeId !== undefined || valueList !== undefined) place.at('type').add('a decimal is no code')
}

/** `earlier`: the document as it is in force. */
function checkNames({ properties }: DocumentSetup, place: SetupPart, earlier: DocumentSetup | undefined): void {
  const known = new Set(earlier ? pathsOf(earlier.properties).map((names) => names.join('/')) : [])
  for (const names of pathsOf(properties)) {
    const here = place.at('properties', ...names)
    const name = names.at(-1) ?? ''
    if (!/^[A-Za-z][A-Za-z0-9_]{0,49}$/.test(name)) {
      here.addAtKey(`'${name}' is no property name: at most 50 letters, digits and _`)
    } else if (isWordOfQueries(name) && !known.has(names.join('/'))) {
      here.addAtKey(`'${name}' is a word of the query language, which cannot name a property`)
    }
  }
}

/** The paths of all properties below `properties` of the file. */
function pathsOf(properties: DocumentSetup['properties']): string[][] {
  return Object.entries(properties).flatMap(([name, property]): string[][] => {
    if ('group' in property) return [[name], ...Object.keys(property.group).map((inner) => [name, 'group', inner])]
    const inside = 'list' in property ? pathsOf(property.list) : []
    return [[name], ...inside.map((names) => [name, 'list', ...names])]
  })
}
