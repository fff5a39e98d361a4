// Checks custom Enterprise Documents.

import { CUSTOM_TABLE_COLUMNS } from '../../store/tables.ts'
import { isUnknown } from '../read/repair.ts'
import type { Setup } from '../read/setup-schema.ts'
import type { SetupPath, YamlSource } from '../read/yaml-source.ts'
import { customTableOf } from '../rules/custom-document.ts'
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

type PropertySetup = Exclude<DocumentSetup['properties'][string], { group: unknown }>
type DocumentSetup = NonNullable<Setup['documents']>[number]

export function checkDocuments(setup: Setup, source: YamlSource): void {
  checkUnique(source, ['documents'], setup.documents, (document) => document.name, 'name')
  for (const [index, document] of (setup.documents ?? []).entries()) {
    const path = ['documents', index]
    if (BUILT_IN_DOCUMENTS.includes(document.name)) source.add([...path, 'name'], `'${document.name}' is built in`)
    for (const [at, name] of document.key.entries()) {
      const property = document.properties[name]
      if (Object.keys(document.properties).some(isUnknown)) continue
      if (!property) source.add([...path, 'key', at], `there is no property '${name}'`)
      else if ('group' in property)
        source.add([...path, 'key', at], `'${name}' is a group: a key is made of simple properties`)
      else if (property.type === 'decimal')
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
    if (!company || 'group' in company) {
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
    if ('group' in property) {
      for (const inner of Object.keys(property.group)) checkName(inner, [...here, 'group', inner], source)
    }
    const simple = 'group' in property ? property.group : { [name]: property }
    for (const [member, one] of Object.entries(simple)) {
      const memberPath = 'group' in property ? [...here, 'group', member] : here
      checkCodes(setup, one, memberPath, source)
      checkDecimal(one, document.table, memberPath, source)
    }
  }
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
