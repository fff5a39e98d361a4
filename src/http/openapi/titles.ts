// What people call the members of records, as `title` of their schemas in the description: in the language of a reader.
// Programs, which name no language, get the description without, because some generators make names of types of titles.
import type { DocumentDefinition, Properties, Property } from '../../model/document.ts'
import { propertyTitle, textTitle } from '../../model/titles.ts'
import type { OpenApi, Schema } from './document.ts'

type TitledDocument = Pick<DocumentDefinition, 'name' | 'properties'>

/** `documents`: by the names of their schemas. */
export function withTitles(
  description: OpenApi,
  documents: ReadonlyMap<string, TitledDocument>,
  language: string,
): OpenApi {
  const { schemas } = description.components
  const titled = new Map<string, Schema>()
  const visit = (component: string, document: string, properties: Properties) => {
    const schema = schemas[component]
    if (!schema || titled.has(component)) return
    // Before its members, which may lead back to it.
    titled.set(component, schema)
    titled.set(component, members(schema, document, properties))
  }
  const members = (schema: Schema, document: string, properties: Properties): Schema => {
    const given = Object.entries((schema.properties ?? {}) as Readonly<Record<string, Schema>>)
    const own = given.map(([name, member]) => {
      const [code = name] = /^.*(?=\(description\)$)/.exec(name) ?? []
      const title = propertyTitle(document, code, properties[code] ?? {}, [language])
      const shown = code === name ? title : textTitle(title, [language])
      return [name, { title: shown, ...inside(member, document, properties[code]) }]
    })
    return own.length === 0 ? schema : { ...schema, properties: Object.fromEntries(own) }
  }
  const inside = (member: Schema, document: string, property: Property | undefined): Schema => {
    const properties = property && 'properties' in property ? property.properties : {}
    const reference = /^#\/components\/schemas\/(.+)$/.exec(String(member.$ref))?.[1]
    if (reference !== undefined) visit(reference, document, properties)
    const items = member.items as Schema | undefined
    if (items) return { ...member, items: inside(items, document, property) }
    return members(member, document, properties)
  }
  for (const component of Object.keys(schemas)) {
    const document = documents.get(component.replace(/(?:Selected|Input)$/, ''))
    if (document) visit(component, document.name, document.properties)
  }
  return {
    ...description,
    components: { ...description.components, schemas: { ...schemas, ...Object.fromEntries(titled) } },
  }
}
