// `describe`: the documents, and of one of them the properties with their types and codes.
import type { JsonObject, JsonValue } from '../../base/strict-json.ts'
import { isLines, type Properties, type Property, type ValueProperty } from '../../model/document.ts'
import { descriptionIn, documentTitle, propertyTitle, titleIn, wordsOf } from '../../model/titles.ts'
import { literalOf } from '../../query/literals.ts'
import { askJson, jsonOf, urlOf } from './ask-json.ts'
import { documentNamed } from './named-document.ts'
import { keyNames } from './record-path.ts'
import { gives, NAME, READS, RECORDS, takes } from './schemas.ts'
import { shownValue } from './shown-values.ts'
import { type McpTool, type ReadableDocument, type ToolContext, ToolError } from './tool.ts'

/** Longer lists of codes are cut: they can be queried. */
const MOST_CODES = 60

export const describe: McpTool = {
  name: 'describe',
  title: 'Describe documents',
  description:
    'Without document: lists what can be queried. With document: its key, properties (name, title for people, type, codes), lists and associations, as query and aggregate take them. Call it first.',
  inputSchema: takes({ document: NAME }),
  outputSchema: gives({ documents: RECORDS, key: { type: 'array', items: { type: 'string' } }, properties: RECORDS }),
  ...READS,
  async call(context, args, companyId) {
    if (args.document === undefined) {
      const documents = context.documents(companyId).map((one) => summaryOf(one, context.languages))
      return { content: shownValue({ documents }) as JsonObject, rows: documents.length }
    }
    const document = documentNamed(context, companyId, String(args.document))
    const { name, properties } = document.definition
    const codes = await codesOf(context, companyId, properties)
    const content = {
      documents: [summaryOf(document, context.languages)],
      key: [...keyNames(document.definition)],
      properties: describeAll(properties, '', {
        document: name,
        languages: context.languages,
        codes,
        valueLists: document.valueLists,
        followsLinks: true,
      }),
    }
    return { content: shownValue(content) as JsonObject, rows: 1 }
  },
}

function summaryOf({ definition, parameters }: ReadableDocument, languages: readonly string[]): JsonObject {
  const { name, description } = definition
  return {
    name,
    ...titleUnlessName(documentTitle(definition, languages), name),
    description: descriptionIn(description, languages),
    ...(parameters.length === 0 ? {} : { parameters: [...parameters] }),
  }
}

/** A title that says the same as the name is left out: whatever is answered takes its place in a conversation. */
const titleUnlessName = (title: string, name: string): JsonObject => (title === wordsOf(name) ? {} : { title })

type CodesByList = ReadonlyMap<string, readonly string[]>

interface Described {
  /** Whose properties they are. */
  readonly document: string
  readonly languages: readonly string[]
  readonly codes: CodesByList
  readonly valueLists: ReadableDocument['valueLists']
  readonly followsLinks: boolean
}

function describeAll(properties: Properties, above: string, described: Described): JsonObject[] {
  return Object.entries(properties).flatMap(([name, property]) => describeOne(above, name, property, described))
}

function describeOne(above: string, ownName: string, property: Property, described: Described): JsonObject[] {
  const name = above + ownName
  const title = propertyTitle(described.document, ownName, property, described.languages)
  const named = { name, ...titleUnlessName(title, ownName) }
  switch (property.kind) {
    case 'value':
      return [{ ...named, ...describeValue(property, described) }]
    case 'group':
      return describeAll(property.properties, `${name}/`, described)
    case 'list': {
      const items = describeAll(property.properties, '', { ...described, followsLinks: false })
      const lines: JsonObject = isLines(property) ? { document: property.from.document.name } : {}
      return [{ ...named, type: 'list', ...lines, items }]
    }
    case 'association':
      return described.followsLinks ? [{ ...named, type: 'association', document: property.document.name }] : []
  }
}

function describeValue(property: ValueProperty, { codes, valueLists, languages }: Described): JsonObject {
  const { description } = property
  const name = property.codes && 'valueList' in property.codes ? property.codes.valueList : ''
  const list = codes.get(name)
  const words = valueLists.wordsOf(name, languages)
  return {
    type: property.type,
    ...(description === undefined ? {} : { description: descriptionIn(description, languages) }),
    ...(property.codes ? { hasText: true } : {}),
    ...(Object.keys(words).length > 0 ? { valueList: { name, ...words } } : {}),
    ...(list ? { codes: [...list] } : {}),
    ...(property.filterable ? {} : { filterable: false }),
  }
}

/** The codes of the value lists that the properties use; none of lists that the caller may not read. */
async function codesOf(context: ToolContext, companyId: string, properties: Properties): Promise<CodesByList> {
  const names = [...new Set(listNames(properties))]
  if (names.length === 0) return new Map()
  const filter = `name in (${names.map(literalOf).join(',')})`
  const query = { $filter: filter, $select: 'name,description,language,title', $orderby: 'description', companyId }
  const answer = await context.ask({ method: 'GET', url: urlOf('/v1/objects/value-list', query) })
  if (answer.status === 503 || answer.status === 429) throw new ToolError('The service is busy.', true)
  if (answer.status !== 200) return new Map()
  const rows = jsonOf(answer) as unknown as CodeRow[]
  const found = Map.groupBy(rows, ({ name }) => name)
  return new Map([...found].map(([name, all]) => [name, codeTexts(all, context.languages)]))
}

interface CodeRow {
  readonly name: string
  readonly description: string
  readonly language: string
  readonly title: string
}

/** Each in the language of the reader, or else in English, or else in any. */
function codeTexts(rows: readonly CodeRow[], languages: readonly string[]): string[] {
  const byCode = Map.groupBy(rows, ({ description }) => description)
  const texts = [...byCode].map(([code, titled]) => {
    const titles = Object.fromEntries(titled.map(({ language, title }) => [language, title]))
    const title = titleIn(titles, languages) ?? titled[0]?.title ?? ''
    return title === '' ? code : `${code}: ${title}`
  })
  return texts.length <= MOST_CODES ? texts : [...texts.slice(0, MOST_CODES), `... ${texts.length - MOST_CODES} more`]
}

function listNames(properties: Properties): string[] {
  return Object.values(properties).flatMap((property): string[] => {
    if (property.kind === 'group' || property.kind === 'list') return listNames(property.properties)
    const { codes } = property.kind === 'value' ? property : {}
    return codes && 'valueList' in codes ? [codes.valueList] : []
  })
}

const NAMES = { type: 'array', items: { type: 'string' } } as const

interface Access {
  readonly companies: JsonValue[]
  readonly apis: Readonly<Record<string, string[]>>
  readonly documents: readonly { readonly name: string; readonly operations: string[] }[]
  readonly rules: readonly { readonly document: string }[]
}

/** `explain_access`: what the caller may do, and why something is not there. */
export const explainAccess: McpTool = {
  name: 'explain_access',
  title: 'Explain your access',
  description:
    'Tells what you may do in a company: operations, documents, and the rules that hide rows or properties from you. With document, of that one alone.',
  inputSchema: takes({ document: NAME }),
  outputSchema: gives(
    { companies: RECORDS, operations: NAMES, documents: NAMES, rules: RECORDS },
    'companies',
    'operations',
    'documents',
    'rules',
  ),
  ...READS,
  async call(context, args, companyId) {
    const { json } = await askJson(context, { method: 'GET', url: urlOf('/v1/access', { companyId }) })
    const { companies, apis, documents, rules } = json as unknown as Access
    const name = args.document as string | undefined
    const isRequested = (one: string) =>
      name === undefined || one === name || (name === 'document-archive' && one === 'documents')
    const content = {
      companies,
      operations: Object.entries(apis).flatMap(([api, all]) =>
        isRequested(api) ? all.map((one) => `${api}:${one}`) : [],
      ),
      documents: documents.flatMap((one) =>
        isRequested(one.name) ? one.operations.map((each) => `${one.name}:${each}`) : [],
      ),
      rules: rules.filter((rule) => isRequested(rule.document)) as unknown as JsonValue[],
    }
    return { content: shownValue(content) as JsonObject, rows: 1 }
  },
}
