// Checks custom Enterprise Documents.

import { CUSTOM_TABLE_COLUMNS } from '../../store/tables.ts'
import type { DocumentSetup, PropertySetup } from '../read/document-schema.ts'
import { isUnknown } from '../read/repair.ts'
import type { Setup } from '../read/setup-schema.ts'
import type { SetupPath, YamlSource } from '../read/yaml-source.ts'
import { isSimple } from '../rules/own/own-properties.ts'
import { customTableOf } from '../rules/own/own-table.ts'
import { checkUnique } from './check.ts'

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

export function checkDocuments(setup: Setup, source: YamlSource): void {
  checkUnique(source, ['documents'], setup.documents, (document) => document.name, 'name')
  for (const [index, document] of (setup.documents ?? []).entries()) {
    const path = ['documents', index]
    if (BUILT_IN_DOCUMENTS.includes(document.name)) source.add([...path, 'name'], `'${document.name}' is built in`)
    for (const [at, name] of document.key.entries()) {
      const property = document.properties[name]
      if (Object.keys(document.properties).some(isUnknown)) continue
      if (!property) source.add([...path, 'key', at], `there is no property '${name}'`)
      else if (!isSimple(property)) {
        const kind = 'group' in property ? 'group' : 'list' in property ? 'list' : 'reference'
        source.add([...path, 'key', at], `'${name}' is a ${kind}: a key is made of simple properties`)
      } else if (property.type === 'decimal')
        source.add([...path, 'key', at], `'${name}' is a decimal: no key is made of one`)
    }
    checkProperties(setup, document, path, source)
    checkTable(document, path, source)
  }
}

/** An external table needs a companyId property; in a custom table each property needs a column of its own. */
function checkTable(document: DocumentSetup, path: SetupPath, source: YamlSource): void {
  if (document.table !== undefined) {
    const company = document.properties.companyId
    if (!isSimple(company)) {
      source.add([...path, 'properties'], `a document on the table ${document.table} needs the property 'companyId'`)
    }
    return
  }
  if (document.properties.lastUpdated) {
    source.addAtKey([...path, 'properties', 'lastUpdated'], 'every document has lastUpdated: the service keeps it')
  }
  const columns = new Set<string>(CUSTOM_TABLE_COLUMNS.map(({ name }) => name))
  for (const { name } of customTableOf(document).columns) {
    if (columns.has(name)) source.add([...path, 'properties'], `two properties would be kept in the column ${name}`)
    columns.add(name)
  }
}

function checkProperties(setup: Setup, document: DocumentSetup, path: SetupPath, source: YamlSource): void {
  for (const [name, property] of Object.entries(document.properties)) {
    const here = [...path, 'properties', name]
    checkName(name, here, source)
    for (const { path: at, name: member, property: one } of valuesIn(name, property, here)) {
      if (at !== here) checkName(member, at, source)
      checkCodes(setup, one, at, source)
      checkDecimal(one, document.table, at, source)
    }
  }
}

interface Placed {
  readonly path: SetupPath
  readonly name: string
  readonly property: PropertySetup
}

/** The property itself, or those of a group or a list, with their places in the file. */
function valuesIn(name: string, property: DocumentSetup['properties'][string], path: SetupPath): Placed[] {
  if (isSimple(property)) return [{ path, name, property }]
  if ('reference' in property) return []
  const [kind, members] = 'group' in property ? ['group', property.group] : ['list', property.list]
  return Object.entries(members).map(([inner, one]) => ({ path: [...path, kind, inner], name: inner, property: one }))
}

function checkName(name: string, path: SetupPath, source: YamlSource): void {
  if (/^[A-Za-z][A-Za-z0-9_]{0,49}$/.test(name)) return
  source.addAtKey(path, `'${name}' is no property name: at most 50 letters, digits and _`)
}

function checkDecimal(property: PropertySetup, table: string | undefined, path: SetupPath, source: YamlSource): void {
  const { type, scale, attributeId, valueList } = property
  if (type !== 'decimal') {
    if (scale !== undefined) source.addAtKey([...path, 'scale'], 'only a decimal has a scale')
    return
  }
  if (table !== undefined)
    source.add([...path, 'type'], 'a table that is there already is read as number, not as decimal')
  if (attributeId !== undefined || valueList !== undefined) source.add([...path, 'type'], 'a decimal is no code')
}

/** The codes of a property must exist in at least one company: the company of a row is known only when it is read. */
function checkCodes(
  setup: Setup,
  property: { attributeId?: string; valueList?: string },
  path: SetupPath,
  source: YamlSource,
): void {
  const companies = setup.companies ?? []
  const { attributeId, valueList } = property
  if (companies.some(({ id }) => isUnknown(id))) return
  const attributes = companies.flatMap((company) => (company.attributes ?? []).map(({ id }) => id))
  if (attributeId !== undefined && !attributes.some((id) => id === attributeId || isUnknown(id))) {
    source.add([...path, 'attributeId'], `no company has the attribute '${attributeId}'`)
  }
  const valueLists = companies.flatMap((company) => Object.keys(company.valueLists ?? {}))
  if (valueList !== undefined && !valueLists.some((name) => name === valueList || isUnknown(name))) {
    source.add([...path, 'valueList'], `no company has the value list '${valueList}'`)
  }
}
