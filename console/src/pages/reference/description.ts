// The description of the interface that the service answers (OpenAPI 3.1), as the page needs it.
import { queryOptions } from '@tanstack/react-query'
import { fetchJson } from '../../service/client.ts'
import { t } from '../../words/words.ts'

export interface ApiSchema {
  readonly $ref?: string
  readonly title?: string
  readonly description?: string
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly enum?: readonly unknown[]
  readonly default?: unknown
  readonly examples?: readonly unknown[]
  readonly maxLength?: number
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, ApiSchema>>
  readonly items?: ApiSchema
  readonly anyOf?: readonly ApiSchema[]
  readonly oneOf?: readonly ApiSchema[]
}

export interface ApiExample {
  readonly summary?: string
  readonly description?: string
  readonly value: unknown
}

export interface ApiParameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required?: boolean
  readonly description?: string
  readonly schema?: ApiSchema
}

export interface ApiContent {
  readonly schema?: ApiSchema
  readonly examples?: Readonly<Record<string, ApiExample>>
}

export interface ApiAnswer {
  readonly description: string
  readonly content?: Readonly<Record<string, ApiContent>>
}

interface ApiOperation {
  readonly operationId?: string
  readonly summary?: string
  readonly description?: string
  readonly tags?: readonly string[]
  readonly 'x-permission'?: string
  readonly parameters?: readonly ApiParameter[]
  readonly requestBody?: { readonly content: Readonly<Record<string, ApiContent>> }
  readonly responses?: Readonly<Record<string, ApiAnswer>>
}

export interface ApiDescription {
  readonly paths: Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, ApiSchema>> }
}

/** An operation with its place. */
export interface Operation extends ApiOperation {
  /** `GET /v1/customers/{customerId}`, as links name it. */
  readonly name: string
  readonly method: string
  readonly path: string
  readonly tag: string
  /** All words of it, in lower case. */
  readonly words: string
}

const METHODS = ['get', 'head', 'post', 'put', 'patch', 'delete']

export const descriptionQuery = queryOptions({
  queryKey: ['openapi'],
  queryFn: () => fetchJson<ApiDescription>('/openapi.json'),
  staleTime: 600_000,
})

export function operationsOf(description: ApiDescription): Operation[] {
  return Object.entries(description.paths).flatMap(([path, methods]) =>
    METHODS.flatMap((method) => {
      const operation = methods[method]
      if (!operation) return []
      const name = `${method.toUpperCase()} ${path}`
      const tag = operation.tags?.[0] ?? t('Others')
      return [
        { ...operation, name, method: method.toUpperCase(), path, tag, words: wordsOf(description, name, operation) },
      ]
    }),
  )
}

function wordsOf(description: ApiDescription, name: string, operation: ApiOperation): string {
  const { operationId, summary, description: text, tags = [], parameters = [], requestBody, responses = {} } = operation
  const members = Object.values(requestBody?.content ?? {}).flatMap(({ schema }) => memberNames(description, schema))
  return [
    name,
    operationId,
    summary,
    text,
    ...tags,
    ...parameters.flatMap((parameter) => [parameter.name, parameter.description]),
    ...members,
    ...Object.values(responses).map((answer) => answer.description),
  ]
    .join(' ')
    .toLowerCase()
}

function memberNames(description: ApiDescription, schema: ApiSchema | undefined): string[] {
  const { properties = {}, items } = resolved(description, schema)
  const own = Object.entries(properties).flatMap(([name, { description: text = '' }]) => [name, text])
  return items ? [...own, ...memberNames(description, items)] : own
}

/** The schema itself, where it is only named. */
export function resolved({ components }: ApiDescription, schema: ApiSchema = {}): ApiSchema {
  const name = schema.$ref?.split('/').at(-1)
  return name === undefined ? schema : (components.schemas[name] ?? {})
}

/** Those that have all words, the ones with the words in their names first. */
export function searched(operations: readonly Operation[], search: string): Operation[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  const found = operations.filter((operation) => words.every((word) => operation.words.includes(word)))
  const isNamed = ({ name, summary = '' }: Operation) =>
    words.every((word) => `${name} ${summary}`.toLowerCase().includes(word))
  return words.length === 0 ? found : [...found.filter(isNamed), ...found.filter((one) => !isNamed(one))]
}
