// Enterprise Documents of a setup's own.
import type { Setup } from '../setup-schema.ts'
import type { SetupPath, YamlSource } from '../yaml-source.ts'
import { checkUnique } from './check.ts'

export const BUILT_IN_DOCUMENTS = [
  'attribute-values',
  'attribute-relations',
  'attributes',
  'companies',
  'customers',
  'document-archive',
  'general-ledger-transactions',
  'value-list',
]

type DocumentSetup = NonNullable<Setup['documents']>[number]

export function checkDocuments(setup: Setup, source: YamlSource): void {
  checkUnique(source, ['documents'], setup.documents, (document) => document.name, 'name')
  for (const [index, document] of (setup.documents ?? []).entries()) {
    const path = ['documents', index]
    if (BUILT_IN_DOCUMENTS.includes(document.name)) source.add([...path, 'name'], `'${document.name}' is built in`)
    for (const [at, name] of document.key.entries()) {
      const property = document.properties[name]
      if (!property) source.add([...path, 'key', at], `there is no property '${name}'`)
      else if ('group' in property)
        source.add([...path, 'key', at], `'${name}' is a group: a key is made of simple properties`)
    }
    checkProperties(setup, document, path, source)
  }
}

function checkProperties(setup: Setup, document: DocumentSetup, path: SetupPath, source: YamlSource): void {
  for (const [name, property] of Object.entries(document.properties)) {
    const here = [...path, 'properties', name]
    if (!/^[A-Za-z][A-Za-z0-9_]*$/.test(name))
      source.addAtKey(here, `'${name}' is no property name: letters, digits and _ only`)
    const simple = 'group' in property ? property.group : { [name]: property }
    for (const [member, one] of Object.entries(simple)) {
      const place = 'group' in property ? [...here, 'group', member] : here
      checkCodes(setup, one, place, source)
    }
  }
}

/** What describes a property must be set up in at least one company: which company a row is of is known only when it is read. */
function checkCodes(
  setup: Setup,
  property: { attributeId?: string; valueList?: string },
  path: SetupPath,
  source: YamlSource,
): void {
  const companies = setup.companies ?? []
  const { attributeId, valueList } = property
  if (
    attributeId !== undefined &&
    !companies.some((company) => company.attributes?.some((one) => one.id === attributeId))
  ) {
    source.add([...path, 'attributeId'], `no company has the attribute '${attributeId}'`)
  }
  if (valueList !== undefined && !companies.some((company) => Object.hasOwn(company.valueLists ?? {}, valueList))) {
    source.add([...path, 'valueList'], `no company has the value list '${valueList}'`)
  }
}
