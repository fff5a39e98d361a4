// The schema of an answer for people: what the members are called in their language, which of them come first, and what
// a new record needs.
import type { DocumentDefinition, Properties } from '../model/document.ts'
import { documentTitle, propertyTitle } from '../model/titles.ts'
import type { JsonSchema } from '../query/schema-of.ts'

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
  }
  return { ...schema, title: documentTitle(definition, languages), items }
}

/** Without those that the caller does not see, or that this company does not have. */
function pathsNote(note: string, paths: readonly string[] = [], { properties }: DocumentDefinition): JsonSchema {
  const known = paths.filter((path) => hasProperty(properties, path.split('/')))
  return known.length === 0 ? {} : { [note]: known }
}

/** Whether a document has a property at a path. */
export function hasProperty(properties: Properties, [name = '', ...below]: readonly string[]): boolean {
  const property = properties[name]
  if (!property || below.length === 0) return property !== undefined
  if (property.kind === 'association') return hasProperty(property.document.properties, below)
  return property.kind !== 'value' && hasProperty(property.properties, below)
}

function withMemberTitles(
  schema: JsonSchema,
  document: string,
  properties: Properties,
  languages: readonly string[],
): JsonSchema {
  const members = Object.entries(schema.properties as Readonly<Record<string, JsonSchema>>).map(([name, member]) => {
    const property = properties[name]
    if (!property) return [name, member]
    const inside = (object: JsonSchema) =>
      property.kind === 'association'
        ? withMemberTitles(object, property.document.name, property.document.properties, languages)
        : withMemberTitles(object, document, property.kind === 'value' ? {} : property.properties, languages)
    const title = propertyTitle(document, name, property, languages)
    const named = {
      title,
      ...(property.description === undefined ? {} : { description: property.description }),
      ...('isRequired' in property && property.isRequired ? { 'x-erp-required': true } : {}),
      ...member,
    }
    if (property.kind === 'value') return [name, named]
    if (property.kind === 'list') return [name, { ...named, items: inside(member.items as JsonSchema) }]
    if (property.kind === 'group') return [name, { ...named, ...inside(member) }]
    // With its key, a person is led to the record.
    const keys = property.document.key.filter((one) => hasProperty(property.document.properties, [one])).join(',')
    return [name, { ...named, ...inside(member), 'x-erp-key': { keys } }]
  })
  return { ...schema, properties: Object.fromEntries(members) }
}
