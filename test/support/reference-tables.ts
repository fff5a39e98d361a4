// Tables for the reference of the guides, printed from the API description: the endpoints of a resource, and the
// members of its bodies. Pages include them.
import type { OpenApi, Operation, Schema } from '../../src/http/openapi/document.ts'

const FOLDER = 'guides/reference/tables'

/** A page of the reference -> the start of its paths, and the schemas whose members it lists. */
const RESOURCES: Readonly<
  Record<string, readonly [paths: readonly string[], schemas: Readonly<Record<string, string>>]>
> = {
  'attribute-values': [['/v1/attribute-values'], { AttributeValueInput: 'Members of an attribute value' }],
  'attribute-relations': [['/v1/attribute-relations'], { AttributeRelationInput: 'Members of a relation' }],
  customers: [['/v1/customers'], { CustomerInput: 'Members of a customer' }],
  documents: [
    ['/v1/documents', '/v1/document-revisions'],
    { DocumentInput: 'Members of a document', DocumentRevisionInput: 'Members of a revision' },
  ],
}

/** File -> text. */
export function referenceTables(description: OpenApi): Record<string, string> {
  const pages = Object.entries(RESOURCES).map(([page, [paths, schemas]]) => {
    const members = Object.entries(schemas).map(([name, title]) => {
      return `## ${title}\n\n${memberTable(description, description.components.schemas[name] ?? {})}`
    })
    return [page, [`## Endpoints\n\n${endpointTable(description, paths)}`, ...members]] as const
  })
  const objects = Object.entries(description.paths)
    .filter(([path, { get }]) => path.startsWith('/v1/objects/') && get !== undefined)
    .map(([path]) => documentSection(description, path.replace('/v1/objects/', '')))
  return Object.fromEntries(
    [...pages, ['objects', objects] as const].map(([page, parts]) => [`${FOLDER}/${page}.md`, parts.join('\n')]),
  )
}

function endpointTable({ paths }: OpenApi, starts: readonly string[]): string {
  const rows = Object.entries(paths)
    .filter(([path]) => starts.some((start) => path === start || path.startsWith(`${start}/`)))
    .flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => {
        const { summary, 'x-permission': permit } = operation
        return `| [\`${method.toUpperCase()} ${path}\`](${placeOf(operation)}) | ${summary} | \`${permit}\` |`
      }),
    )
  return `| request | | permission |\n|---|---|---|\n${rows.join('\n')}\n`
}

function documentSection(description: OpenApi, name: string): string {
  const operation = description.paths[`/v1/objects/${name}`]?.get
  const schema = Object.values(description.components.schemas).find(({ title }) => title === titleOf(name)) ?? {}
  const key = (schema['x-erp-key'] as { keys: string } | undefined)?.keys.replaceAll(',', ', ')
  const about = [
    schema.description,
    key ? `Key: ${key}.` : '',
    operation ? `[Parameters and answers](${placeOf(operation)}).` : '',
  ]
  return `## ${name}\n\n${about.filter((one) => one).join(' ')}\n\n${propertyTable(description, schema)}`
}

/** At the page of every endpoint, as Swagger UI names it. */
const placeOf = ({ tags, operationId }: Operation) => `/api#/${encodeURIComponent(tags[0] ?? '')}/${operationId}`

const titleOf = (name: string) =>
  `${name.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase())}Document`

interface Member {
  readonly path: string
  readonly schema: Schema
  readonly isRequired: boolean
}

function memberTable(description: OpenApi, schema: Schema): string {
  const rows = membersOf(description, schema, '').map(({ path, schema: member, isRequired }) => {
    const { maxLength, minimum, maximum, description: about = '' } = member as Record<string, string | undefined>
    const bounds = [
      isRequired ? '**Required.**' : '',
      about,
      maxLength ? `At most ${maxLength} characters.` : '',
      minimum !== undefined && maximum !== undefined ? `From ${minimum} to ${maximum}.` : '',
    ]
    return `| \`${path}\` | ${typeOf(member)} | ${bounds.filter((one) => one !== '').join(' ')} |`
  })
  return `| member | type | |\n|---|---|---|\n${rows.join('\n')}\n`
}

function propertyTable(description: OpenApi, schema: Schema): string {
  const rows = membersOf(description, schema, '')
    .filter(({ path }) => !path.endsWith('(description)'))
    .map(({ path, schema: property }) => {
      const isDescribed = 'x-erp-describable' in property ? 'yes' : ''
      return `| \`${path}\` | ${typeOf(property)} | ${isDescribed} | ${property.description ?? ''} |`
    })
  return `| property | type | \`[T]\` | |\n|---|---|---|---|\n${rows.join('\n')}\n`
}

/** Members at every depth, lists with \`[]\`. Groups themselves have no row. */
function membersOf(description: OpenApi, schema: Schema, path: string): Member[] {
  const {
    items,
    properties = {},
    required = [],
  } = resolved(description, schema) as {
    items?: Schema
    properties?: Record<string, Schema>
    required?: string[]
  }
  if (items) return membersOf(description, items, `${path}[]`)
  return Object.entries(properties).flatMap(([name, member]) => {
    const inner = path === '' ? name : `${path}.${name}`
    const inside = membersOf(description, member, inner)
    return inside.length > 0 ? inside : [{ path: inner, schema: member, isRequired: required.includes(name) }]
  })
}

function resolved({ components }: OpenApi, schema: Schema): Schema {
  if (typeof schema.$ref !== 'string') return schema
  return components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}
}

function typeOf({ type, format, anyOf, $ref, additionalProperties }: Schema): string {
  if (Array.isArray(anyOf)) return anyOf.map((one: Schema) => typeOf(one)).join(' or ')
  if (additionalProperties) return 'members of the setup'
  if (typeof $ref === 'string') return 'object'
  return String(format ?? type ?? 'any value')
}
