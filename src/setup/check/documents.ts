// Checks custom Enterprise Documents.

import type { DocumentSetup, PropertySetup } from '../read/document-schema.ts'
import { isUnknown } from '../read/repair.ts'
import type { Setup } from '../read/setup-schema.ts'
import type { SetupPath, YamlSource } from '../read/yaml-source.ts'
import {
  COMPANY,
  columnOf,
  isSimple,
  listColumnOf,
  listProperties,
  simpleProperties,
} from '../rules/own/own-properties.ts'
import { columnsOfService } from '../rules/own/own-table.ts'
import { checkCodes, checkUnique } from './check.ts'
import { checkOwnDocument, refuseOwnParts } from './own-documents.ts'
import { checkRules, placedProperties, refuseRules } from './property-rules.ts'

export const BUILT_IN_DOCUMENTS = [
  'attribute-values',
  'attribute-relations',
  'attributes',
  'audit-entries',
  'companies',
  'customers',
  'document-archive',
  'general-ledger-transactions',
  'value-list',
]

/** A row of PostgreSQL is at most a page of 8 KiB, of which a text takes up to 24 bytes wherever it is stored. */
const MAX_PROPERTIES = 300

/** `inForce`: the documents of the setup before. */
export function checkDocuments(setup: Setup, source: YamlSource, inForce: readonly DocumentSetup[] = []): void {
  checkUnique(source, ['documents'], setup.documents, (document) => document.name, 'name')
  for (const [index, document] of (setup.documents ?? []).entries()) {
    const path = ['documents', index]
    if (BUILT_IN_DOCUMENTS.includes(document.name)) source.add([...path, 'name'], `'${document.name}' is built in`)
    checkKey(document, path, source)
    const earlier = inForce.find(({ name }) => name === document.name)
    checkNames(document, path, source, earlier)
    checkNumber(document, path, source, earlier)
    checkProperties(setup, document, path, source)
    if (document.table === undefined) {
      checkColumns(document, path, source)
      checkOwnDocument(setup, document, path, source)
    } else checkExternal(document, document.table, path, source)
  }
}

function checkKey({ key, properties }: DocumentSetup, path: SetupPath, source: YamlSource): void {
  if (Object.keys(properties).some(isUnknown)) return
  for (const [at, name] of key.entries()) {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined
    const problem = property ? problemOfKey(name, property) : `there is no property '${name}'`
    if (problem !== undefined) source.add([...path, 'key', at], problem)
  }
}

/** Those of a document in force may stay as many as they are. */
function checkNumber(
  document: DocumentSetup,
  path: SetupPath,
  source: YamlSource,
  earlier: DocumentSetup | undefined,
): void {
  const count = numberOf(document)
  if (count <= Math.max(MAX_PROPERTIES, earlier ? numberOf(earlier) : 0)) return
  const message = `a document has at most ${MAX_PROPERTIES} properties, with those of groups and lists; found ${count}`
  source.addAtKey([...path, 'properties'], message)
}

/** A list is a property itself, and so is each of its members. */
function numberOf(document: DocumentSetup): number {
  return placedProperties(document, []).length + listProperties(document).length
}

function problemOfKey(name: string, property: DocumentSetup['properties'][string]): string | undefined {
  if (isSimple(property))
    return property.type === 'decimal' ? `'${name}' is a decimal: no key is made of one` : undefined
  const kind = 'group' in property ? 'group' : 'list' in property ? 'list' : 'reference'
  return `'${name}' is a ${kind}: a key is made of simple properties`
}

function checkExternal(document: DocumentSetup, table: string, path: SetupPath, source: YamlSource): void {
  if (!isSimple(document.properties.companyId))
    source.add([...path, 'properties'], `a document on the table ${table} needs the property 'companyId'`)
  refuseOwnParts(document, table, path, source)
}

/** Each property needs a column of its own; to SQLite, names in another letter case are the same. */
function checkColumns(document: DocumentSetup, path: SetupPath, source: YamlSource): void {
  const columns = new Set<string>()
  const taken = new Set(columnsOfService(document))
  for (const { name, column, isGiven } of columnsOfProperties(document)) {
    const folded = column.toLowerCase()
    const here = [...path, 'properties', ...name]
    const message = `the column ${column} is kept by the service itself`
    if (taken.has(folded)) isGiven ? source.add([...here, 'column'], message) : source.addAtKey(here, message)
    else if (columns.has(folded))
      source.add([...path, 'properties'], `two properties would be kept in the column ${column}`)
    columns.add(folded)
  }
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

function checkProperties(setup: Setup, document: DocumentSetup, path: SetupPath, source: YamlSource): void {
  for (const placed of placedProperties(document, path)) {
    const { property, path: here } = placed
    checkCodes(setup, property, here, source)
    checkDecimal(property, document.table, here, source)
    if (document.table === undefined) checkRules(setup, document, placed, source)
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

/** Where a filter has one of these, it is no property; `inf` and `nan` are numbers of OData. */
const WORDS: ReadonlySet<string> = new Set('and or not eq ne gt ge lt le in null true false inf nan'.split(' '))

/** `earlier`: the document as it is in force. Its names stay legal, because a later setup must still be readable. */
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
    } else if (WORDS.has(name.toLowerCase()) && !known.has(names.join('/'))) {
      source.addAtKey(here, `'${name}' is a word of the query language, which cannot name a property`)
    }
  }
}

/** The paths of all properties below `properties` of the file. */
function pathsOf(properties: DocumentSetup['properties']): string[][] {
  return Object.entries(properties).flatMap(([name, property]): string[][] => {
    const inside = 'group' in property ? property.group : 'list' in property ? property.list : {}
    const kind = 'group' in property ? 'group' : 'list'
    return [[name], ...Object.keys(inside).map((inner) => [name, kind, inner])]
  })
}
