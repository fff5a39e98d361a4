// The JSON Schema of a document or of the response to one query, with the annotations of the API (x-erp-...).
// `/openapi.json` and `Accept: application/schema+json` use the same functions.
import {
  type AssociationProperty,
  type Codes,
  type Column,
  type DocumentDefinition,
  isByDefault,
  type Properties,
  type Property,
  type ValueProperty,
  type ValueType,
} from '../model/document.ts'
import { decimalSchema } from '../model/schema.ts'
import { descriptionIn } from '../model/titles.ts'
import type { Plan } from './plan.ts'
import { type SelectedProperty, wholeOf } from './plan-select.ts'
import { pathOfColumn } from './shape.ts'

export type JsonSchema = Readonly<Record<string, unknown>>

const TYPES: Readonly<Record<Exclude<ValueType, 'decimal' | 'exact'>, JsonSchema>> = {
  string: { type: 'string' },
  integer: { type: 'integer' },
  number: { type: 'number' },
  boolean: { type: 'boolean' },
  'date-time': { type: 'string', format: 'date-time' },
}

/** The part of a company's setup that its schemas contain. */
interface SetUp {
  readonly relations: ReadonlyMap<string, { readonly attributeId: string }>
  attributeByName(name: string): { readonly id: string } | undefined
}

/** The input of a schema. */
interface Subject {
  readonly definition: DocumentDefinition
  /** Undefined for the schema common to all companies. */
  readonly company?: SetUp
}

/** The schema of a record with everything that can be selected. Properties returned without a select are required. */
export function schemaOfDocument(definition: DocumentDefinition, title: string): JsonSchema {
  const subject = { definition }
  const always = wholeOf(definition.properties).map(({ name }) => name)
  return {
    ...objectOf(everythingOf(definition.properties), subject, always),
    title,
    description: descriptionIn(definition.description, []),
    ...documentNotes(subject),
  }
}

/** The title of a document's schema, such as `AttributeValuesDocument` for `attribute-values`. */
export function schemaTitle(name: string): string {
  return `${name.replace(/(?:^|-)(\w)/g, (_whole, letter: string) => letter.toUpperCase())}Document`
}

/**
 * The schema of the array that a planned query returns for a company. `isWhole`: nothing was selected, so it says as
 * well what can be.
 */
export function schemaOfAnswer(
  { definition: requested, select, grouping }: Plan,
  company: SetUp,
  isWhole = false,
): JsonSchema {
  const definition = grouping?.result ?? requested
  const subject = { definition, company }
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: definition.name,
    description: descriptionIn(definition.description, []),
    type: 'array',
    items: { ...objectOf(select, subject), ...documentNotes(subject), ...(isWhole ? onRequest(subject) : {}) },
  }
}

/** What is answered only when it is selected: lists, associations, custom fields. */
function onRequest(subject: Subject): JsonSchema {
  const properties = Object.entries(subject.definition.properties).filter(([, property]) => !isByDefault(property))
  const all = properties.flatMap(([name, property]) => everythingFrom(name, property))
  return all.length === 0 ? {} : { 'x-erp-onRequest': objectOf(all, subject, []) }
}

function documentNotes(subject: Subject): JsonSchema {
  return { 'x-erp-key': { keys: subject.definition.key.join(',') }, ...relationNote(subject) }
}

/** Everything that a select may name, including lists, associations and descriptions. */
function everythingOf(properties: Properties): SelectedProperty[] {
  return Object.entries(properties).flatMap(([name, property]) => everythingFrom(name, property))
}

function everythingFrom(name: string, property: Property): SelectedProperty[] {
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
      return [{ kind: 'association', name, association: property, properties: everythingIn(property) }]
  }
}

/** Nested associations are omitted, because they may be cyclic. */
function everythingIn({ document }: AssociationProperty): SelectedProperty[] {
  const inside = Object.entries(document.properties).filter(([, { kind }]) => kind !== 'association')
  return everythingOf(Object.fromEntries(inside))
}

function objectOf(
  select: readonly SelectedProperty[],
  subject: Subject,
  required: readonly string[] = requiredOf(select, subject),
): JsonSchema {
  const properties = Object.fromEntries(select.map((one) => [one.name, schemaOf(one, subject)]))
  return { type: 'object', properties, required }
}

/**
 * The required members: all selected ones in the response to a query; in a document, those returned without a select.
 */
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
      const property = subject.definition.properties[selected.name]
      const { isComplex = false, isOnRequest = false } = property?.kind === 'group' ? property : {}
      return {
        ...objectOf(selected.properties, subject),
        ...(isComplex ? { 'x-erp-complextype': { isComplexType: true } } : {}),
        ...(isOnRequest ? { 'x-erp-onRequestOnly': true } : {}),
      }
    }
    case 'list': {
      const schema = { type: 'array', items: objectOf(selected.properties, subject) }
      return selected.name === 'relatedValues' ? { ...schema, ...relationNote(subject) } : schema
    }
    case 'association': {
      const { document, description = document.description } = selected.association
      return {
        ...objectOf(selected.properties, { ...subject, definition: document }),
        description: descriptionIn(description, []),
        'x-erp-document': document.name,
      }
    }
  }
}

/** The schema of groups whose properties depend on the company. */
const NAMED_BY_SETUP: JsonSchema = {
  type: 'object',
  description: 'Group -> property -> value, as the setup of the company names them.',
  additionalProperties: {
    type: 'object',
    additionalProperties: { anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }] },
  },
}

function typeSchema({ type, scale }: ValueProperty): JsonSchema {
  if (type === 'exact') return { ...TYPES[scale === 0 ? 'integer' : 'number'], description: 'Exact, of any length.' }
  return type === 'decimal' ? decimalSchema(scale ?? 0) : TYPES[type]
}

/** The description of the property, followed by that of its type. */
function descriptionOf(property: ValueProperty): JsonSchema {
  const own = property.description === undefined ? undefined : descriptionIn(property.description, [])
  const texts = [own, typeSchema(property).description].filter((text) => text !== undefined)
  return texts.length === 0 ? {} : { description: texts.join(' ') }
}

/** The schema of what is computed, as single records have it. */
export function computedSchema(property: ValueProperty): JsonSchema {
  return { ...typeSchema(property), ...descriptionOf(property), readOnly: true }
}

function valueSchema(property: ValueProperty, subject: Subject, name: string): JsonSchema {
  return {
    ...typeSchema(property),
    ...descriptionOf(property),
    ...('computed' in property.source ? { readOnly: true } : {}),
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
  return { 'x-erp-attribute': { attributeId: '', ...attributeIdProperty(codes.attributeIdIn, definition) } }
}

/** The configured relations of the attribute whose values the records are. */
function relationNote({ definition, company }: Subject): JsonSchema {
  const { relationsOf } = definition
  if (relationsOf === undefined) return {}
  if ('attributeId' in relationsOf) return { 'x-erp-relation': relationsOf }
  // A caller with restricted access must not learn which attributes have relations.
  const relations = company && !definition.restriction ? [...company.relations.values()] : []
  const attributeId = [...new Set(relations.map((relation) => relation.attributeId))].join(',')
  return { 'x-erp-relation': { attributeId, ...attributeIdProperty(relationsOf.attributeIdIn, definition) } }
}

/** For an attribute that depends on the record: the property of the record that contains its id. */
function attributeIdProperty(column: Column, { properties }: DocumentDefinition): JsonSchema {
  const path = pathOfColumn(properties, column.column, column.table)
  return path === undefined ? {} : { attributeIdProperty: path }
}
