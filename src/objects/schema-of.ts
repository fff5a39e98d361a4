// The JSON Schema of a document or of one request's answer, with the annotations of the interface (x-erp-...).
import type {
  Codes,
  Column,
  DocumentDefinition,
  Properties,
  Property,
  Source,
  ValueProperty,
  ValueType,
} from '../model/document.ts'
import type { Plan } from '../query/plan.ts'
import { type SelectedProperty, wholeOf } from '../query/plan-select.ts'

export type JsonSchema = Readonly<Record<string, unknown>>

const TYPES: Readonly<Record<ValueType, JsonSchema>> = {
  string: { type: 'string' },
  integer: { type: 'integer' },
  number: { type: 'number' },
  boolean: { type: 'boolean' },
  'date-time': { type: 'string', format: 'date-time' },
}

/** A record of the document with everything that can be asked for. */
export function schemaOfDocument(definition: DocumentDefinition, title: string): JsonSchema {
  const everything = everythingOf(definition.properties)
  const always = wholeOf(definition.properties).map(({ name }) => name)
  return {
    ...objectOf(everything, definition, always),
    title,
    description: definition.description,
    'x-erp-key': { keys: definition.key.join(',') },
  }
}

/** The array that a planned request answers. */
export function schemaOfAnswer({ definition, select }: Plan): JsonSchema {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: definition.name,
    description: definition.description,
    type: 'array',
    items: { ...objectOf(select, definition), 'x-erp-key': { keys: definition.key.join(',') } },
  }
}

/** Lists, associations and all: what a select may name. */
function everythingOf(properties: Properties): SelectedProperty[] {
  return Object.entries(properties).map(([name, property]) => wholly(name, property))
}

function wholly(name: string, property: Property): SelectedProperty {
  switch (property.kind) {
    case 'value':
      return { kind: 'value', name, property }
    case 'group':
      return { kind: 'group', name, properties: everythingOf(property.properties) }
    case 'list':
      return { kind: 'list', name, list: property, properties: everythingOf(property.properties) }
    case 'association':
      return { kind: 'association', name, association: property, properties: wholeOf(property.document.properties) }
  }
}

function objectOf(
  select: readonly SelectedProperty[],
  definition: DocumentDefinition,
  required: readonly string[] = select.map(({ name }) => name),
): JsonSchema {
  const properties = Object.fromEntries(select.map((one) => [one.name, schemaOf(one, definition)]))
  return { type: 'object', properties, required }
}

function schemaOf(selected: SelectedProperty, definition: DocumentDefinition): JsonSchema {
  switch (selected.kind) {
    case 'value':
      return valueSchema(selected.property, definition, selected.name)
    case 'description':
      return { type: 'string', description: 'What the code means.' }
    case 'group': {
      const isComplex = isComplexGroup(definition.properties[selected.name])
      const schema = objectOf(selected.properties, definition)
      return isComplex ? { ...schema, 'x-erp-complextype': { isComplexType: true } } : schema
    }
    case 'list': {
      const relation = selected.name === 'relatedValues' && definition.relationsOf
      const schema = { type: 'array', items: objectOf(selected.properties, definition) }
      return relation ? { ...schema, 'x-erp-relation': { attributeId: relation } } : schema
    }
    case 'association':
      return {
        ...objectOf(selected.properties, selected.association.document),
        description: `From the Enterprise Document ${selected.association.document.name}.`,
      }
  }
}

function isComplexGroup(property: Property | undefined): boolean {
  return property?.kind === 'group' && property.isComplex === true
}

function valueSchema(property: ValueProperty, definition: DocumentDefinition, name: string): JsonSchema {
  return {
    ...TYPES[property.type],
    ...(property.description === undefined ? {} : { description: property.description }),
    ...(property.filterable ? { 'x-erp-filterable': true } : {}),
    ...(property.codes ? { 'x-erp-describable': { propertyName: `${name}(description)` } } : {}),
    ...(property.codes ? codesSchema(property.codes, definition) : {}),
  }
}

function codesSchema(codes: Codes, definition: DocumentDefinition): JsonSchema {
  if ('valueList' in codes) return { 'x-erp-valueList': { valueList: codes.valueList } }
  if ('attributeId' in codes) return { 'x-erp-attribute': { attributeId: codes.attributeId } }
  if ('attributeName' in codes) return { 'x-erp-attribute': { attributeName: codes.attributeName } }
  // The attribute differs from record to record: a property of the same record says which.
  const path = pathTo(definition.properties, codes.attributeIdIn)
  return { 'x-erp-attribute': path === undefined ? {} : { attributeIdProperty: path } }
}

function pathTo(properties: Properties, column: Column): string | undefined {
  for (const [name, property] of Object.entries(properties)) {
    if (property.kind === 'value' && isSameColumn(property.source, column)) return name
    const inside = property.kind === 'group' ? pathTo(property.properties, column) : undefined
    if (inside !== undefined) return `${name}/${inside}`
  }
  return undefined
}

function isSameColumn(source: Source, { table, column }: Column): boolean {
  return 'column' in source && source.column === column && source.table === table
}
