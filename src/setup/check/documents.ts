// Checks custom Enterprise Documents.

import { BUILT_IN_NAMES } from '../../model/records/built-in.ts'
import type { DocumentSetup, PropertySetup } from '../file/document-schema.ts'
import { isUnknown } from '../file/repair.ts'
import type { Setup } from '../file/setup-schema.ts'
import type { SetupPath, YamlSource } from '../file/yaml-source.ts'
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
  checkUnique(source, ['documents'], setup.documents, (document) => document.name, 'name')
  for (const [index, document] of (setup.documents ?? []).entries()) {
    const path = ['documents', index]
    const isAllowed = isOfMirrors(setup, document.name) || inForce.documents.some(({ name }) => name === document.name)
    if (BUILT_IN_DOCUMENTS.includes(document.name) && !isAllowed)
      source.add([...path, 'name'], `'${document.name}' is built in`)
    checkKey(document, path, source)
    const earlier = inForce.documents.find(({ name }) => name === document.name)
    checkNames(document, path, source, earlier)
    checkNumber(document, path, source, earlier)
    checkProperties(setup, document, path, source, earlier)
    checkColumnsOfGrids(document, path, source)
    checkVoucher(document, path, source)
    if (document.table === undefined) {
      checkColumns(document, path, source, earlier)
      checkOwnDocument(setup, document, path, source)
    } else checkExternal(document, document.table, path, source)
  }
}

/** The ledger of mirrors is declared as their source has it. */
function isOfMirrors({ companies = [] }: Setup, name: string): boolean {
  return name === 'general-ledger-transactions' && companies.length > 0 && companies.every(({ source }) => source)
}

function checkKey({ key, properties }: DocumentSetup, path: SetupPath, source: YamlSource): void {
  if (Object.keys(properties).some(isUnknown)) return
  for (const [at, name] of key.entries()) {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined
    const problem = property ? problemOfKey(name, property) : `there is no property '${name}'`
    if (problem !== undefined) source.add([...path, 'key', at], problem)
  }
}

const NUMBERS: readonly string[] = ['decimal', 'integer', 'number']

/** What stands behind a reference is of another document, which may be that of a company: it is left out if unknown. */
function checkColumnsOfGrids(document: DocumentSetup, path: SetupPath, source: YamlSource): void {
  for (const [at, column] of (document.defaultColumns ?? []).entries()) {
    const [first = ''] = column.split('/')
    if (first === 'lastUpdated' || isReference(document.properties[first]) || isComputed(document.properties[column]))
      continue
    requireProperty(document, column, [...path, 'defaultColumns', at], source)
  }
  for (const [at, name] of (document.sums ?? []).entries()) checkSum(document, name, [...path, 'sums', at], source)
}

function checkSum(document: DocumentSetup, name: string, path: SetupPath, source: YamlSource): void {
  if (isComputed(document.properties[name])) return
  const property = requireProperty(document, name, path, source)
  if (property && !NUMBERS.includes(property.type))
    source.add(path, `'${name}' is of type ${property.type}: no sum is made of it`)
}

const NUMBERS_OF_VOUCHERS: readonly string[] = ['integer', 'string']

/** Whoever names a voucher in an address names its number: a text or a whole number. */
function checkVoucher(document: DocumentSetup, path: SetupPath, source: YamlSource): void {
  const { number, balance } = document.voucher ?? {}
  if (number !== undefined && !isUnknown(number)) {
    const here = [...path, 'voucher', 'number']
    const property = requireProperty(document, number, here, source)
    if (property && !NUMBERS_OF_VOUCHERS.includes(property.type))
      source.add(here, `'${number}' is of type ${property.type}: vouchers are numbered by integer or string`)
  }
  if (balance !== undefined && !isUnknown(balance)) checkSum(document, balance, [...path, 'voucher', 'balance'], source)
}

/** Those of a document in force may stay as many as they are. */
function checkNumber(
  document: DocumentSetup,
  path: SetupPath,
  source: YamlSource,
  earlier: DocumentSetup | undefined,
): void {
  for (const [of, most, what] of [
    [numberOf, MAX_PROPERTIES, 'properties, with those of groups and lists'],
    [referencesOf, MAX_REFERENCES, 'references'],
  ] as const) {
    const count = of(document)
    if (count <= Math.max(most, earlier ? of(earlier) : 0)) continue
    source.addAtKey([...path, 'properties'], `a document has at most ${most} ${what}; found ${count}`)
  }
}

function referencesOf({ properties }: DocumentSetup): number {
  return Object.values(properties).filter(isReference).length
}

/** A list is a property itself, and so is each of its members. */
function numberOf(document: DocumentSetup): number {
  return placedProperties(document, []).length + listProperties(document).length
}

function problemOfKey(name: string, property: DocumentSetup['properties'][string]): string | undefined {
  if (isSimple(property))
    return property.type === 'decimal' ? `'${name}' is a decimal: no key is made of one` : undefined
  if (isComputed(property)) return `'${name}' is computed: a key is made of what is stored`
  const kind = 'group' in property ? 'group' : 'reference' in property ? 'reference' : 'list'
  return `'${name}' is a ${kind}: a key is made of simple properties`
}

function checkExternal(document: DocumentSetup, table: string, path: SetupPath, source: YamlSource): void {
  if (!isSimple(document.properties.companyId))
    source.add([...path, 'properties'], `a document on the table ${table} needs the property 'companyId'`)
  refuseOwnParts(document, table, path, source)
}

/** What every table of PostgreSQL has besides. */
const SYSTEM_COLUMNS: ReadonlySet<string> = new Set(['cmax', 'cmin', 'ctid', 'tableoid', 'xmax', 'xmin'])

/** PostgreSQL cuts off what is longer, so that two columns would be one. */
const COLUMN_NAME = /^[A-Za-z_][A-Za-z0-9_]{0,62}$/

/**
 * Each property needs a column of its own; to SQLite, names in another letter case are the same. Those of a document in
 * force stay as they are.
 */
function checkColumns(
  document: DocumentSetup,
  path: SetupPath,
  source: YamlSource,
  earlier: DocumentSetup | undefined,
): void {
  const columns = new Set<string>()
  const taken = new Set(columnsOfService(document))
  const known = new Set((earlier ? columnsOfProperties(earlier) : []).map(({ column }) => column))
  for (const { name, column, isGiven } of columnsOfProperties(document)) {
    const folded = column.toLowerCase()
    const here = [...path, 'properties', ...name]
    const problem = taken.has(folded)
      ? `the column ${column} is kept by the service itself`
      : known.has(column)
        ? undefined
        : problemOfColumn(column)
    if (problem !== undefined) isGiven ? source.add([...here, 'column'], problem) : source.addAtKey(here, problem)
    else if (columns.has(folded))
      source.add([...path, 'properties'], `two properties would be kept in the column ${column}`)
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
  path: SetupPath,
  source: YamlSource,
  earlier: DocumentSetup | undefined,
): void {
  const known = new Set((earlier ? placedProperties(earlier, []) : []).map(({ property }) => property.pattern ?? ''))
  for (const placed of placedProperties(document, path)) {
    const { property, path: here } = placed
    checkCodes(setup, property, here, source)
    checkDecimal(property, document.table, here, source)
    if (document.table === undefined) checkRules(setup, document, placed, known, source)
    else refuseRules(placed, document.table, source)
  }
}

function checkDecimal(property: PropertySetup, table: string | undefined, path: SetupPath, source: YamlSource): void {
  const { type, scale, attributeId, valueList } = property
  if (!source.isValid([...path, 'type'])) return
  if (type !== 'decimal') {
    if (scale !== undefined) source.addAtKey([...path, 'scale'], 'only a decimal has a scale')
    return
  }
  if (table !== undefined)
    source.add([...path, 'type'], 'a table that is there already is read as number, not as decimal')
  if (attributeId !== undefined || valueList !== undefined) source.add([...path, 'type'], 'a decimal is no code')
}

/** `earlier`: the document as it is in force. */
function checkNames(
  { properties }: DocumentSetup,
  path: SetupPath,
  source: YamlSource,
  earlier: DocumentSetup | undefined,
): void {
  const known = new Set(earlier ? pathsOf(earlier.properties).map((names) => names.join('/')) : [])
  for (const names of pathsOf(properties)) {
    const here = [...path, 'properties', ...names]
    const name = names.at(-1) ?? ''
    if (!/^[A-Za-z][A-Za-z0-9_]{0,49}$/.test(name)) {
      source.addAtKey(here, `'${name}' is no property name: at most 50 letters, digits and _`)
    } else if (isWordOfQueries(name) && !known.has(names.join('/'))) {
      source.addAtKey(here, `'${name}' is a word of the query language, which cannot name a property`)
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
