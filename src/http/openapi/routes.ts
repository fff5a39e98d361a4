// `/openapi.json`: built from the declared routes on the first request.
import { getOrInsert } from '../../base/memo.ts'
import { PROGRAM_VERSION } from '../../base/process/program-version.ts'
import type { DocumentDefinition, Properties, Property, Titles } from '../../model/document.ts'
import { propertyTitle, readersLanguage, saidOf, schemaDescription, textTitle } from '../../model/titles.ts'
import { CachedText } from '../route/cached-text.ts'
import type { DescribedRoute } from '../route/route.ts'
import type { Router } from '../router.ts'
import type { OpenApi, Schema } from './document.ts'
import examples from './examples.json' with { type: 'json' }
import { openApiOf } from './openapi.ts'
import type { Exchange } from './operation.ts'

/** Endpoints that a setup defines; the description is rebuilt when their version changes. */
interface FurtherEndpoints {
  readonly version: number
  readonly routes: readonly DescribedRoute[]
  /** The documents whose members have titles, by the names of their schemas. */
  readonly titled: ReadonlyMap<string, TitledDocument>
}

export function descriptionRoutes(router: Router, basePath: string, further: () => FurtherEndpoints): void {
  let current: { version: number; plain: OpenApi; texts: Map<string, CachedText> } | undefined
  const build = ({ version, routes }: FurtherEndpoints) => {
    const plain = openApiOf([...router.routes, ...routes], examples as unknown as readonly Exchange[], {
      version: PROGRAM_VERSION,
      basePath,
    })
    return { version, plain, texts: new Map<string, CachedText>() }
  }
  router.open('GET', '/openapi.json', ({ headers }) => {
    const endpoints = further()
    if (current?.version !== endpoints.version) current = build(endpoints)
    const { plain, texts } = current
    const language = readersLanguage(headers['accept-language'])
    const text = getOrInsert(texts, language ?? '', () =>
      textOf(language === undefined ? plain : withTitles(plain, endpoints.titled, language)),
    )
    return text.replyTo(headers)
  })
}

const textOf = (description: OpenApi): CachedText =>
  new CachedText(JSON.stringify(description), {
    'content-type': 'application/json; charset=utf-8',
    vary: 'accept-encoding, accept-language, x-erp-language',
  })

// What people call the members of records, as `title` of their schemas in the description, and what is said of them: in
// the language of a reader. Programs, which name no language, get no titles, because some generators name types by
// these.

type TitledDocument = Pick<DocumentDefinition, 'name' | 'properties'> & Partial<Pick<DocumentDefinition, 'description'>>

/** `documents`: by the names of their schemas. */
function withTitles(description: OpenApi, documents: ReadonlyMap<string, TitledDocument>, language: string): OpenApi {
  const { schemas } = description.components
  const titled = new Map<string, Schema>()
  const visit = (component: string, document: string, properties: Properties, said?: Titles) => {
    const schema = schemas[component]
    if (!schema || titled.has(component)) return
    // Before its members, which may lead back to it.
    titled.set(component, schema)
    titled.set(component, members(schema, document, properties, said))
  }
  const members = (schema: Schema, document: string, properties: Properties, said?: Titles): Schema => {
    const given = Object.entries((schema.properties ?? {}) as Readonly<Record<string, Schema>>)
    const own = given.map(([name, member]) => {
      const [code = name] = /^.*(?=\(description\)$)/.exec(name) ?? []
      const title = propertyTitle(document, code, properties[code] ?? {}, [language])
      const shown = code === name ? title : textTitle(title, [language])
      return [name, { title: shown, ...inside(member, document, properties[code]) }]
    })
    const described = describedIn(schema, language, said)
    return own.length === 0 ? described : { ...described, properties: Object.fromEntries(own) }
  }
  const inside = (member: Schema, document: string, property: Property | undefined): Schema => {
    const properties = property && 'properties' in property ? property.properties : {}
    const reference = /^#\/components\/schemas\/(.+)$/.exec(String(member.$ref))?.[1]
    if (reference !== undefined) visit(reference, document, properties)
    const said = property && saidOf(property)
    const items = member.items as Schema | undefined
    if (items) return { ...describedIn(member, language, said), items: inside(items, document, property) }
    return members(member, document, properties, said)
  }
  for (const component of Object.keys(schemas)) {
    const document = documents.get(component.replace(/(?:Selected|Input)$/, ''))
    if (document) visit(component, document.name, document.properties, document.description)
  }
  return {
    ...description,
    components: { ...description.components, schemas: { ...schemas, ...Object.fromEntries(titled) } },
  }
}

function describedIn(schema: Schema, language: string, said: Titles | undefined): Schema {
  const { description } = schema
  if (typeof description !== 'string') return schema
  return { ...schema, description: schemaDescription(description, said, [language]) }
}
