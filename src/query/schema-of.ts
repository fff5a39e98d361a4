// The JSON Schema of a document or of one request's answer, with the annotations of the interface (x-erp-...).
// `/openapi.json` and `Accept: application/schema+json` have them from the same functions.
import type {
  AssociationProperty,
  Codes,
  Column,
  DocumentDefinition,
  Properties,
  Property,
  Source,
  ValueProperty,
  ValueType,
} from '../model/document.ts'
import { decimalSchema } from '../model/schema.ts'
import type { Plan } from './plan.ts'
import { type SelectedProperty, wholeOf } from './plan-select.ts'

export type JsonSchema = Readonly<Record<string, unknown>>

const TYPES: Readonly<Record<Exclude<ValueType, 'decimal'>, JsonSchema>> = {
  string: { type: 'string' },
  integer: { type: 'integer' },
  number: { type: 'number' },
  boolean: { type: 'boolean' },
  'date-time': { type: 'string', format: 'date-time' },
}

/** What a company has set up that its schemas tell. */
export interface SetUp {
  readonly relations: ReadonlyMap<string, { readonly attributeId: string }>
  attributeByName(name: string): { readonly id: string } | undefined
}

/** What a schema is made of. */
interface Subject {
  readonly definition: DocumentDefinition
  /** Absent: what all companies have in common. */
  readonly company?: SetUp
}

/** A record of the document with everything that can be asked for; required is what is answered without a select. */
export function schemaOfDocument(definition: DocumentDefinition, title: string): JsonSchema {
  const subject = { definition }
  const always = wholeOf(definition.properties).map(({ name }) => name)
  return {
    ...objectOf(everythingOf(definition.properties), subject, always),
    title,
    description: definition.description,
    ...documentNotes(subject),
  }
}

/** The array that a planned request of a company answers. */
export function schemaOfAnswer({ definition, select }: Plan, company: SetUp): JsonSchema {
  const subject = { definition, company }
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: definition.name,
    description: definition.description,
    type: 'array',
    items: { ...objectOf(select, subject), ...documentNotes(subject) },
  }
}

function documentNotes(subject: Subject): JsonSchema {
  return { 'x-erp-key': { keys: subject.definition.key.join(',') }, ...relationNote(subject) }
}

/** Lists, associations, descriptions and all: what a select may name. */
function everythingOf(properties: Properties): SelectedProperty[] {
  return Object.entries(properties).flatMap(([name, property]) => wholly(name, property))
}

function wholly(name: string, property: Property): SelectedProperty[] {
  switch (property.kind) {
    case 'value': {
      const described = { kind: 'description', name: `${name}(description)`, property } as const
      return [{ kind: 'value', name, property }, ...(property.codes ? [described] : [])]
    }
    case 'group':
      return [{ kind: 'group', name, properties: everythingOf(property.properties) }]
    case 'list':
      return [{ kind: 'list', name, list: property, properties: everythingOf(property.properties) }]
    case 'association':
      return [{ kind: 'association', name, association: property, properties: everythingBelow(property) }]
  }
}

/** Associations of an association would go on for ever. */
function everythingBelow({ document }: AssociationProperty): SelectedProperty[] {
  return everythingOf(document.properties).filter(({ kind }) => kind !== 'association')
}

function objectOf(
  select: readonly SelectedProperty[],
  subject: Subject,
  required: readonly string[] = requiredOf(select, subject),
): JsonSchema {
  const properties = Object.fromEntries(select.map((one) => [one.name, schemaOf(one, subject)]))
  return { type: 'object', properties, required }
}

/** All that a request has selected; of a document, what is there without being named. */
function requiredOf(select: readonly SelectedProperty[], { company }: Subject): string[] {
  const always = company ? select : select.filter(({ kind }) => kind === 'value' || kind === 'group')
  return always.map(({ name }) => name)
}

function schemaOf(selected: SelectedProperty, subject: Subject): JsonSchema {
  switch (selected.kind) {
    case 'value':
      return valueSchema(selected.property, subject, selected.name)
    case 'description':
      return { type: 'string', description: 'What the code means.' }
    case 'group': {
      if (selected.properties.length === 0 && !subject.company) return NAMED_BY_SETUP
      const isComplex = isComplexGroup(subject.definition.properties[selected.name])
      const schema = objectOf(selected.properties, subject)
      return isComplex ? { ...schema, 'x-erp-complextype': { isComplexType: true } } : schema
    }
    case 'list': {
      const schema = { type: 'array', items: objectOf(selected.properties, subject) }
      return selected.name === 'relatedValues' ? { ...schema, ...relationNote(subject) } : schema
    }
    case 'association': {
      const { document } = selected.association
      return {
        ...objectOf(selected.properties, { ...subject, definition: document }),
        description: `From the Enterprise Document ${document.name}.`,
      }
    }
  }
}

/** Groups of properties that each company names for itself. */
const NAMED_BY_SETUP: JsonSchema = {
  type: 'object',
  description: 'Group -> property -> value, as the setup of the company names them.',
  additionalProperties: {
    type: 'object',
    additionalProperties: { anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }] },
  },
}

function isComplexGroup(property: Property | undefined): boolean {
  return property?.kind === 'group' && property.isComplex === true
}

function typeSchema({ type, scale = 0 }: ValueProperty): JsonSchema {
  return type === 'decimal' ? decimalSchema(scale) : TYPES[type]
}

/** What is said of a property stands before what its type says. */
function describedBy(property: ValueProperty): JsonSchema {
  const texts = [property.description, typeSchema(property).description].filter((text) => text !== undefined)
  return texts.length === 0 ? {} : { description: texts.join(' ') }
}

function valueSchema(property: ValueProperty, subject: Subject, name: string): JsonSchema {
  return {
    ...typeSchema(property),
    ...describedBy(property),
    ...(property.filterable ? { 'x-erp-filterable': true } : {}),
    ...(property.codes ? { 'x-erp-describable': { propertyName: `${name}(description)` } } : {}),
    ...(property.codes ? codesNote(property.codes, subject) : {}),
  }
}

function codesNote(codes: Codes, { definition, company }: Subject): JsonSchema {
  if ('valueList' in codes) return { 'x-erp-valueList': { valueList: codes.valueList } }
  if ('attributeId' in codes) return { 'x-erp-attribute': { attributeId: codes.attributeId } }
  if ('attributeName' in codes) {
    const { attributeName } = codes
    const attributeId = company?.attributeByName(attributeName)?.id ?? ''
    return { 'x-erp-attribute': { attributeId, attributeName } }
  }
  return { 'x-erp-attribute': { attributeId: '', ...whereItStands(codes.attributeIdIn, definition) } }
}

/** Which relations are set up: those of the attribute whose values the records are. */
function relationNote({ definition, company }: Subject): JsonSchema {
  const { relationsOf } = definition
  if (relationsOf === undefined) return {}
  if ('attributeId' in relationsOf) return { 'x-erp-relation': relationsOf }
  // Who may see some of the records alone is not told of others.
  const relations = company && !definition.restriction ? [...company.relations.values()] : []
  const attributeId = [...new Set(relations.map((relation) => relation.attributeId))].join(',')
  return { 'x-erp-relation': { attributeId, ...whereItStands(relationsOf.attributeIdIn, definition) } }
}

/** An attribute that differs from record to record: a property of the same record says which. */
function whereItStands(column: Column, { properties }: DocumentDefinition): JsonSchema {
  const path = pathTo(properties, column)
  return path === undefined ? {} : { attributeIdProperty: path }
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
