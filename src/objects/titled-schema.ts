// The schema of an answer for people: what the members are called in their language, which of them come first, what a
// new record needs, and which other records belong to it.
import {
  type DocumentDefinition,
  isLines,
  type ListProperty,
  MAX_LINES,
  type Properties,
  type Property,
  type Titles,
  type ValueProperty,
} from '../model/document.ts'
import { codeTitles, descriptionIn, documentTitle, propertyTitle, saidOf, schemaDescription } from '../model/titles.ts'
import { isColumn } from '../query/groups.ts'
import type { JsonSchema } from '../query/schema-of.ts'
import { pathOfColumn } from '../query/shape.ts'

/** Programs that name no language get the schema as it is. */
export function withTitles(
  schema: JsonSchema,
  definition: DocumentDefinition,
  languages: readonly string[],
): JsonSchema {
  if (languages.length === 0) return schema
  const titled = (object: JsonSchema) => withMemberTitles(object, definition.name, definition.properties, languages)
  const record = schema.items as JsonSchema
  const onRequest = record['x-erp-onRequest'] as JsonSchema | undefined
  const items = {
    ...titled(record),
    ...(onRequest ? { 'x-erp-onRequest': titled(onRequest) } : {}),
    ...pathsNote('x-erp-defaultColumns', definition.defaultColumns, definition),
    ...pathsNote('x-erp-sums', definition.sums, definition),
    ...voucherNote(definition),
  }
  const description = descriptionIn(definition.description, languages)
  return { ...schema, title: documentTitle(definition, languages), description, items }
}

/** Without those that the caller does not see, or that this company does not have. */
function pathsNote(note: string, paths: readonly string[] = [], { properties }: DocumentDefinition): JsonSchema {
  const known = paths.filter((path) => hasProperty(properties, path.split('/')))
  return known.length === 0 ? {} : { [note]: known }
}

/** Whoever does not see by what lines belong together sees no vouchers; a hidden amount is none that they balance. */
function voucherNote({ voucher, properties }: DocumentDefinition): JsonSchema {
  const isSeen = (path: string | undefined) => path !== undefined && hasProperty(properties, path.split('/'))
  if (!voucher || !isSeen(voucher.number)) return {}
  const { number, balance } = voucher
  return { 'x-erp-voucher': { number, ...(isSeen(balance) ? { balance } : {}) } }
}

/** Whether a document has a property at a path. */
export function hasProperty(properties: Properties, path: readonly string[]): boolean {
  return propertyAt(properties, path, '') !== undefined
}

/** The property at a path, with the name of the document that has it: `document` or an associated one. */
export function propertyAt(
  properties: Properties,
  [name = '', ...below]: readonly string[],
  document: string,
): { readonly property: Property; readonly document: string } | undefined {
  const property = properties[name]
  if (!property || below.length === 0) return property && { property, document }
  if (property.kind === 'association') return propertyAt(property.document.properties, below, property.document.name)
  return property.kind === 'value' ? undefined : propertyAt(property.properties, below, document)
}

function withMemberTitles(
  schema: JsonSchema,
  document: string,
  properties: Properties,
  languages: readonly string[],
  referring: Properties = properties,
): JsonSchema {
  const members = Object.entries(schema.properties as Readonly<Record<string, JsonSchema>>).map(([name, member]) => {
    const property = properties[name]
    if (!property) return [name, { ...member, ...describedIn(member.description, languages) }]
    const inside = (object: JsonSchema) => {
      if (property.kind === 'association')
        return withMemberTitles(object, property.document.name, property.document.properties, languages)
      const members = property.kind === 'value' ? {} : property.properties
      return withMemberTitles(object, document, members, languages, referringIn(property, referring))
    }
    const known = { ...member, ...describedIn(member.description, languages, saidOf(property)) }
    const title = propertyTitle(document, name, property, languages)
    const named = {
      title,
      ...('isRequired' in property && property.isRequired ? { 'x-erp-required': true } : {}),
      ...('default' in property ? { default: property.default } : {}),
      ...known,
    }
    if (property.kind === 'value') {
      const titles = codeTitles(document, name, languages)
      return [name, { ...named, ...(titles && { 'x-erp-codeTitles': titles }), ...referenceNote(property, referring) }]
    }
    if (property.kind === 'list')
      return [name, { ...named, ...linesNote(property), items: inside(member.items as JsonSchema) }]
    if (property.kind === 'group') return [name, { ...named, ...inside(known) }]
    // With its key, a person is led to the record.
    return [name, { ...named, ...inside(known), 'x-erp-key': visibleKey(property.document) }]
  })
  return { ...schema, properties: Object.fromEntries(members) }
}

function describedIn(description: unknown, languages: readonly string[], own?: Titles): JsonSchema {
  if (typeof description === 'string') return { description: schemaDescription(description, own, languages) }
  return own === undefined ? {} : { description: descriptionIn(own, languages) }
}

/** The properties among which are the references of what is inside a property. */
function referringIn(property: Property, outside: Properties): Properties {
  if (property.kind === 'group') return outside
  return isLines(property) ? property.from.document.properties : {}
}

const visibleKey = ({ key, properties }: DocumentDefinition): JsonSchema => ({
  keys: key.filter((one) => hasProperty(properties, [one])).join(','),
})

/** The document of lines, their key, which amounts are summed, and how many may be written with their record. */
function linesNote(list: ListProperty): JsonSchema {
  if (!isLines(list)) return {}
  const { document } = list.from
  return {
    'x-erp-document': document.name,
    'x-erp-key': visibleKey(document),
    ...pathsNote('x-erp-sums', document.sums, document),
    maxItems: MAX_LINES,
  }
}

/** The document whose key the property has, where that key has no other part. */
function referenceNote({ source }: ValueProperty, referring: Properties): JsonSchema {
  for (const one of Object.values(referring)) {
    if (one.kind !== 'association' || one.on.length !== 1) continue
    const [[own, other] = ['', '']] = one.on
    const key = pathOfColumn(one.document.properties, other)
    if (key !== undefined && isColumn(source, { column: own }))
      return { 'x-erp-reference': { document: one.document.name, key } }
  }
  return {}
}
